import type { ClientBase } from 'pg'
import type { Sql } from '../sql/index.ts'
import type { Send } from './connections.ts'
import type { Queryable, Row } from './database.ts'
import type { PreparedNames } from './prepared-names.ts'
import { parseNothing, parseValues } from './value-parsers.ts'

/** Finds a connection, has `send` use it, and translates what goes wrong. */
export type Perform = <Result>(statement: Sql, send: Send<Result>) => Promise<Result>

/** The three ways to run a statement, on whatever connection `perform` finds. */
export function toQueryable(
  perform: Perform,
  { nameOf }: Pick<PreparedNames, 'nameOf'>,
): Queryable {
  const prepare = (statement: Sql, client: ClientBase) => {
    const name = nameOf(statement, client)
    const values = [...statement.values]
    return { text: statement.text, values, ...(name === undefined ? {} : { name }) }
  }
  return {
    query: <Shape extends Row>(statement: Sql) =>
      perform(statement, async (client) => {
        const result = await client.query<Shape>({
          ...prepare(statement, client),
          types: parseValues,
        })
        return result.rows
      }),
    texts: (statement) =>
      perform(statement, async (client) => {
        const result = await client.query<(string | null)[]>({
          ...prepare(statement, client),
          types: parseNothing,
          rowMode: 'array',
        })
        return result.rows
      }),
    execute: (statement) =>
      perform(statement, async (client) => {
        const result = await client.query(prepare(statement, client))
        return result.rowCount ?? 0
      }),
  }
}
