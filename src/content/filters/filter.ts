import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Filter, Parameter, Reading, Scope } from '../entity.ts'

export type { Clause, Filter, Parameter, Query, Reading, References, Scope } from '../entity.ts'

type SingleFilter<Schema extends TSchema> = Parameter & {
  readonly schema: Schema
  readonly read: (value: Static<Schema>, scope: Scope) => Reading | undefined
}

/** A filter with one parameter. */
export function filter<Schema extends TSchema>(definition: SingleFilter<Schema>): Filter {
  const { name, schema, read } = definition
  return {
    name,
    parameters: [definition],
    read: (scope) => {
      const value = scope.query[name]
      return value !== undefined && Check(schema, value) ? read(value, scope) : undefined
    },
  }
}
