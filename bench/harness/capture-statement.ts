import type { Sql } from '../../src/sql/index.ts'
import type { Queryable } from '../../src/storage/index.ts'

/**
 * Returns the first statement that `work` runs. It is taken from the hub's own code, so that a
 * bench can never measure an outdated one. Nothing is executed.
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
