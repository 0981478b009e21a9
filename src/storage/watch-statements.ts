import type { Sql } from '../sql/index.ts'
import type { Database, Queryable } from './database.ts'

/** Runs the statement by calling `work`, once, and hands on what comes of it. */
export type AroundStatement = <Result>(
  statement: Sql,
  work: () => Promise<Result>,
) => Promise<Result>

/** The same database, with something around every statement, such as a clock; not around begin and commit. */
export function watchStatements(database: Database, around: AroundStatement): Database {
  return {
    ...database,
    ...watchQueryable(database, around),
    read: watchQueryable(database.read, around),
    heavy: () => watchQueryable(database.heavy(), around),
    transaction: (work, limits) =>
      database.transaction((tx) => work({ ...tx, ...watchQueryable(tx, around) }), limits),
  }
}

function watchQueryable(queryable: Queryable, around: AroundStatement): Queryable {
  return {
    query: (statement) => around(statement, () => queryable.query(statement)),
    texts: (statement) => around(statement, () => queryable.texts(statement)),
    execute: (statement) => around(statement, () => queryable.execute(statement)),
  }
}
