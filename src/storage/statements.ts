import { TypeOverrides, types } from 'pg'
import type { ClientBase, CustomTypesConfig } from 'pg'
import type { Sql } from '../sql/index.ts'
import type { Send } from './connections.ts'
import type { Queryable, Row } from './database.ts'
import type { PreparedNames } from './prepared-names.ts'

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

const asWritten = (text: string) => text

const { JSON, JSONB, DATE, TIMESTAMP, INTERVAL } = types.builtins

/**
 * For rows as objects: booleans, small numbers, `timestamptz` and arrays of them become values of
 * JavaScript. json passes through unparsed; a date or a time without a zone is no moment, so no `Date`
 * can stand for it.
 */
const parseValues: CustomTypesConfig = withoutParsers([JSON, JSONB, DATE, TIMESTAMP, INTERVAL])

/** For rows as texts: nothing is parsed. */
const parseNothing: CustomTypesConfig = { getTypeParser: () => asWritten }

function withoutParsers(ids: readonly (typeof JSON)[]): TypeOverrides {
  const overrides = new TypeOverrides()
  for (const id of ids) overrides.setTypeParser(id, asWritten)
  return overrides
}
