import type { Sql } from '../../src/sql/index.ts'
import type { Queryable } from '../../src/storage/index.ts'

/**
 * The first statement that `work` runs: what the hub asks its database, taken from the code itself, so
 * that the bench can never measure another one. Nothing is run.
 */
export async function captureStatement(
  work: (database: Queryable) => Promise<unknown>,
): Promise<Sql> {
  const seen: Sql[] = []
  const note = (statement: Sql) => {
    seen.push(statement)
    return Promise.reject(new Error('captured'))
  }
  await work({ query: note, texts: note, execute: note }).catch(() => undefined)
  const [statement] = seen
  if (statement === undefined) throw new Error('The work ran no statement.')
  return statement
}
