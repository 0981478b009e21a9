export { Sql, all, any, empty, identifier, join, sql } from './sql.ts'
