import { TypeOverrides, types } from 'pg'
import type { CustomTypesConfig } from 'pg'

const asWritten = (text: string) => text

const { JSON, JSONB, DATE, TIMESTAMP, INTERVAL } = types.builtins

/**
 * For rows as objects: booleans, small numbers, `timestamptz` and arrays of them become values of
 * JavaScript. json passes through unparsed; a date or a time without a zone is no moment, so no `Date`
 * can stand for it.
 */
export const parseValues: CustomTypesConfig = withoutParsers([
  JSON,
  JSONB,
  DATE,
  TIMESTAMP,
  INTERVAL,
])

/** For rows as texts: nothing is parsed. */
export const parseNothing: CustomTypesConfig = { getTypeParser: () => asWritten }

function withoutParsers(ids: readonly (typeof JSON)[]): TypeOverrides {
  const overrides = new TypeOverrides()
  for (const id of ids) overrides.setTypeParser(id, asWritten)
  return overrides
}
