import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Principal, Visibility } from '../../access/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import type { OrderKey } from '../list/order.ts'

/** A query parameter of lists: what it is called, what it takes, and what a test tries on it. */
export type Parameter = {
  readonly name: string
  /** Further spellings that are taken (decision D10); OpenAPI shows the name only. */
  readonly aliases?: readonly string[]
  readonly schema: TSchema
  /** Values as they stand in a query string. */
  readonly examples: { readonly good: readonly string[]; readonly bad: readonly string[] }
  /** Other parameters without which this one says nothing, for the good examples. */
  readonly beside?: string
}

export type Query = Readonly<Record<string, unknown>>

/** What a filter may depend on besides its value. */
export type Scope = {
  readonly entity: Entity
  readonly query: Query
  readonly principal: Principal
  readonly now: () => Date
}

/** Where look-ups are made, and with whose rights. */
export type References = { readonly database: Queryable; readonly visibility: Visibility }

/** A filter that was given: its canonical text, and the condition that holds for matching records. */
export type Clause = {
  readonly parameter: string
  readonly text: string
  readonly condition: Sql
  /** The order that the filter brings with it: distance for a circle. */
  readonly order?: readonly OrderKey[]
  /** Whether it is a place on the map; then nothing is shuffled (decision D25). */
  readonly isGeographic?: boolean
}

type Meaning = Omit<Clause, 'parameter'>

/** What a value means, or a look-up that will tell. */
export type Reading = Meaning | ((references: References) => Promise<Meaning>)

/** One filter of a list: one parameter, or several that mean something together. */
export type Filter = {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Nothing when the request does not use the filter. @throws AppError for a value it cannot take */
  readonly read: (scope: Scope) => Reading | undefined
}

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
      return Check(schema, value) ? read(value, scope) : undefined
    },
  }
}
