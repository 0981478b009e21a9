import type { Sql } from '../../src/sql/index.ts'
import type { Database, Transaction } from '../../src/storage/index.ts'

/** Wraps a transaction so that it records the statements that it runs. */
export function noting(tx: Transaction, seen: Sql[]): Transaction {
  const note = (statement: Sql) => {
    seen.push(statement)
    return statement
  }
  return {
    ...tx,
    query: (statement) => tx.query(note(statement)),
    execute: (statement) => tx.execute(note(statement)),
  }
}

/**
 * Wraps a database so that the statements of each of its transactions are recorded in a separate
 * list.
 */
export function notingTransactions(database: Database, seen: Sql[][]): Database {
  const transaction: Database['transaction'] = (work, limits) => {
    const statements: Sql[] = []
    seen.push(statements)
    return database.transaction((tx) => work(noting(tx, statements)), limits)
  }
  return { ...database, transaction }
}
