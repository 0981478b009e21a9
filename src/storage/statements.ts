import type { Sql } from '../sql/index.ts'
import type { Send } from './connections.ts'
import type { Queryable, Row } from './database.ts'
import { parseNothing, parseValues } from './value-parsers.ts'

/** Finds a connection, has `send` use it, and translates what goes wrong. */
export type Perform = <Result>(statement: Sql, send: Send<Result>) => Promise<Result>

type NameOf = (statement: Sql) => string | undefined

/** The three ways to run a statement, on whatever connection `perform` finds. */
export function toQueryable(perform: Perform, nameOf: NameOf): Queryable {
  const prepare = (statement: Sql) => {
    const name = nameOf(statement)
    const values = [...statement.values]
    return { text: statement.text, values, ...(name === undefined ? {} : { name }) }
  }
  return {
    query: <Shape extends Row>(statement: Sql) =>
      perform(statement, async (client) => {
        const result = await client.query<Shape>({ ...prepare(statement), types: parseValues })
        return result.rows
      }),
    texts: (statement) =>
      perform(statement, async (client) => {
        const result = await client.query<(string | null)[]>({
          ...prepare(statement),
          types: parseNothing,
          rowMode: 'array',
        })
        return result.rows
      }),
    execute: (statement) =>
      perform(statement, async (client) => {
        const result = await client.query(prepare(statement))
        return result.rowCount ?? 0
      }),
  }
}
