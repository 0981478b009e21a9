export { Sql, all, any, empty, identifier, join, literal, sql } from './sql.ts'
