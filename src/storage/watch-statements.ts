import type { Sql } from '../sql/index.ts'
import type { Database, Queryable, Transaction } from './database.ts'

/** Runs the statement by calling `work` exactly once, and passes its result on. */
export type AroundStatement = <Result>(
  statement: Sql,
  work: () => Promise<Result>,
) => Promise<Result>

/** Wraps every statement of a database, for example to measure it; not begin and commit. */
export function watchStatements(database: Database, around: AroundStatement): Database {
  return {
    ...database,
    ...watchQueryable(database, around),
    read: watchQueryable(database.read, around),
    heavy: () => watchQueryable(database.heavy(), around),
    transaction: (work, limits) =>
      database.transaction((tx) => work(watchTransaction(tx, around)), limits),
  }
}

function watchTransaction(tx: Transaction, around: AroundStatement): Transaction {
  const { copy, copyOut } = tx
  return {
    ...tx,
    ...watchQueryable(tx, around),
    ...(copy && { copy: (statement, rows) => around(statement, () => copy(statement, rows)) }),
    ...(copyOut && { copyOut: (statement) => around(statement, () => copyOut(statement)) }),
  }
}

function watchQueryable(queryable: Queryable, around: AroundStatement): Queryable {
  return {
    query: (statement) => around(statement, () => queryable.query(statement)),
    texts: (statement) => around(statement, () => queryable.texts(statement)),
    execute: (statement) => around(statement, () => queryable.execute(statement)),
  }
}
