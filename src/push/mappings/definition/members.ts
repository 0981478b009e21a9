import { Type } from 'typebox'
import type { Static } from 'typebox'
import { CsvDialect } from '../decode/csv-dialect.ts'

/** Members of a mapping's definition that are more than one value. */

const closed = { additionalProperties: false }

export const mediaType = Type.String({
  pattern: String.raw`^[\w.+-]+/[\w.+-]+$`,
  description: 'Such as text/csv',
})

const column = Type.String({ minLength: 1 })

const lookupOptions = {
  default: Type.Optional(Type.Unknown({ description: 'What `$lookup` gives for an unknown key' })),
}

const fileTable = Type.Object(
  {
    file: Type.String({ minLength: 1, description: 'A .csv or .json file beside the mapping' }),
    key: Type.Optional(
      Type.String({ description: 'Column of the key; a JSON object of values needs none' }),
    ),
    value: Type.Optional(Type.String({ description: 'The one column to give; default: the row' })),
    from: Type.Optional(Type.String({ description: 'Column: the row counts from this time on' })),
    to: Type.Optional(Type.String({ description: 'Column: the row counts until this time' })),
    csv: Type.Optional(CsvDialect),
    ...lookupOptions,
  },
  closed,
)

const inlineTable = Type.Object(
  {
    values: Type.Record(Type.String(), Type.Unknown(), { description: 'Values by their keys' }),
    ...lookupOptions,
  },
  closed,
)

export const tableDefinition = Type.Union([fileTable, inlineTable])
export type TableDefinition = Static<typeof tableDefinition>

export const timeRules = Type.Object(
  {
    zone: Type.Optional(
      Type.String({
        description: 'Zone of times that name none, such as Europe/Rome; default UTC',
      }),
    ),
    formats: Type.Optional(
      Type.Array(column, {
        minItems: 1,
        maxItems: 20,
        description:
          'Tried one after the other: iso, epoch-s, epoch-ms, or a pattern such as dd/MM/yyyy HH:mm; default: iso',
      }),
    ),
    none: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Number()]), {
        description: 'Values that mean "no time"',
      }),
    ),
  },
  { ...closed, description: 'How `$time` reads times' },
)
export type TimeRules = Static<typeof timeRules>

const idRule = Type.Object(
  {
    prefix: Type.Optional(Type.String({ maxLength: 200, description: 'Comes first' })),
    uuid5: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'Namespace: the parts become a UUID of version 5 (RFC 9562)',
      }),
    ),
    separator: Type.Optional(
      Type.String({ maxLength: 10, description: 'Between parts; default :' }),
    ),
  },
  closed,
)

export const namedIds = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' }), idRule, {
  description: 'Rules for `$id`, by their names',
})
export type IdRules = Static<typeof namedIds>
