import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly } from '../../../lang/schemas.ts'
import { form } from '../../../errors/index.ts'
import { CsvDialect } from '../decode/csv.ts'
import { DecodeStep } from '../decode/index.ts'
import type { SourceRejection } from '../faults.ts'

/** Schemas of the fields of a mapping's definition that consist of several values. */

const mediaType = Type.String({
  pattern: String.raw`^[\w.+-]+/[\w.+-]+$`,
  description: 'Such as text/csv',
})

const column = Type.String({ minLength: 1 })

const lookupOptions = {
  default: Type.Optional(
    Type.Unknown({ description: 'What `$lookup` returns for an unknown key' }),
  ),
}

const fileTable = exactly({
  file: Type.String({ minLength: 1, description: 'A .csv or .json file next to the mapping' }),
  key: Type.Optional(
    Type.String({ description: 'Column of the key; a JSON object of values needs none' }),
  ),
  value: Type.Optional(Type.String({ description: 'The column to return; default: the row' })),
  from: Type.Optional(Type.String({ description: 'Column: the row counts from this time on' })),
  to: Type.Optional(Type.String({ description: 'Column: the row counts until this time' })),
  csv: Type.Optional(CsvDialect),
  ...lookupOptions,
})

const inlineTable = exactly({
  values: Type.Record(Type.String(), Type.Unknown(), { description: 'Values by their keys' }),
  ...lookupOptions,
})

const tableDefinition = Type.Union([fileTable, inlineTable])
export type TableDefinition = Static<typeof tableDefinition>

const timeRules = exactly(
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
  { description: 'How `$time` reads times' },
)
export type TimeRules = Static<typeof timeRules>

const idRule = exactly({
  prefix: Type.Optional(Type.String({ maxLength: 200, description: 'Comes first' })),
  uuid5: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
      description: 'Namespace: the parts become a UUID of version 5 (RFC 9562)',
    }),
  ),
  separator: Type.Optional(
    Type.String({ maxLength: 10, description: 'Separator of the parts; default :' }),
  ),
})

const namedIds = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' }), idRule, {
  description: 'Rules for `$id`, by their names',
})
export type IdRules = Static<typeof namedIds>

const expression = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100_000, description })

const streamPattern = '^/?[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$'

/** A JSON Schema: the name of a file beside the mapping, or the schema itself. */
const jsonSchema = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())], {
    description,
  })

/**
 * What an operator writes so that the hub understands the messages of a stream: the complete
 * language of a `mapping.yaml`. Validation, types and the reference in docs/push-mappings.md are
 * derived from it.
 */
export const definition = exactly({
  version: Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Number()], {
    description: 'Named by receipts and provenance; give a new one with every change',
  }),
  stream: Type.String({
    pattern: streamPattern,
    description: 'The stream whose messages it takes: `provider/dataset`',
  }),
  otherStreams: Type.Optional(
    Type.Array(Type.String({ pattern: streamPattern }), {
      minItems: 1,
      maxItems: 20,
      description:
        'Further streams whose messages it takes: `$message.dataset` distinguishes the payloads of one provider',
    }),
  ),
  description: Type.Optional(Type.String({ description: 'For people' })),
  lineage: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Who made the data, for the provenance; default: the provider of the stream',
    }),
  ),
  mediaTypes: Type.Optional(
    Type.Array(mediaType, {
      minItems: 1,
      description: 'Media types that the stream accepts; others are refused with 415',
    }),
  ),
  ordered: Type.Optional(
    Type.Boolean({ description: 'Whether messages are processed strictly one after the other' }),
  ),
  keepDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 99_999,
      description: 'Days to keep finished messages',
    }),
  ),
  decode: Type.Optional(
    Type.Array(DecodeStep, {
      maxItems: 10,
      description: 'Steps from the bytes of the body to a value; default: `[json]`',
    }),
  ),
  schema: Type.Optional(
    jsonSchema('JSON Schema of the payload; a payload that violates it is rejected as a whole'),
  ),
  itemSchema: Type.Optional(
    jsonSchema('JSON Schema of an item; an item that violates it is rejected'),
  ),
  tables: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' }), tableDefinition, {
      description: 'Tables for `$lookup`, by their names',
    }),
  ),
  times: Type.Optional(timeRules),
  ids: Type.Optional(namedIds),
  merge: Type.Optional(
    exactly(
      {
        by: expression('Evaluated for each item: the key of the entity that it describes'),
        language: Type.Optional(
          expression(
            'Evaluated for each item: the code of its language; without it `items` is an object with a list for each language',
          ),
        ),
      },
      { description: 'Merges the items about one entity in several languages' },
    ),
  ),
  dataTypes: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      maxItems: 1000,
      description: 'Items of the canonical format `dataTypes`, stored before everything else',
    }),
  ),
  before: Type.Optional(
    expression(
      'Evaluated once, for the payload: canonical objects that precede those of the items',
    ),
  ),
  items: Type.Optional(
    expression(
      'Evaluated for the payload: its items; default: its elements if it is an array, or itself',
    ),
  ),
  expect: Type.Optional(
    exactly(
      {
        items: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description: 'Minimum number of items',
          }),
        ),
        members: Type.Optional(
          Type.Array(
            Type.String(
              form(
                '^(?![^]*~(?![01]))(/[^/]*)+$',
                'is not a valid JSON pointer; it begins with /, and ~ in a name is written as ~0',
              ),
            ),
            {
              maxItems: 100,
              description: 'JSON pointers of fields that have a value in at least one item',
            },
          ),
        ),
      },
      { description: 'What a payload must have; otherwise it is rejected as a whole' },
    ),
  ),
  each: expression('Evaluated for each item: a canonical object, an array of them, or nothing'),
  limits: Type.Optional(
    exactly(
      {
        itemSeconds: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 60,
            description: 'For one item; default 1',
          }),
        ),
        seconds: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 600,
            description: 'For one message; default 30',
          }),
        ),
        depth: Type.Optional(
          Type.Integer({ minimum: 10, maximum: 2000, description: 'Nesting; default 300' }),
        ),
      },
      { description: 'Limits of time and depth for expressions' },
    ),
  ),
})

export type Definition = Static<typeof definition>

/** Returns the streams whose messages a mapping reads, as `provider/dataset`. */
export function streamsOf({ stream, otherStreams = [] }: Definition): readonly string[] {
  return [stream, ...otherStreams].map((one) => one.replace(/^\//, ''))
}

/** Returns how many seconds the expressions of a mapping may take, and how deeply they may nest. */
export function limitsOf({ limits = {} }: Definition) {
  const { seconds = 30, itemSeconds = 1, depth = 300 } = limits
  return { seconds, itemSeconds: Math.min(itemSeconds, seconds), depth }
}

/** Characters that an object or a rejection counts in addition to its text. */
export const weightOfOne = 100

/** Returns the size of rejections in characters. */
export function weightOf(rejected: readonly SourceRejection[]): number {
  return rejected.reduce(
    (sum, { reason, pointer = '' }) => sum + reason.length + pointer.length + weightOfOne,
    0,
  )
}

/** A table as `$lookup` uses it: the rows of each key, in the order of the file. */
const loadedTable = Type.Object({
  rows: Type.Record(
    Type.String(),
    Type.Array(
      Type.Object({
        value: Type.Unknown(),
        /**
         * Epoch milliseconds from which on (inclusive), and until which (exclusive), the row is
         * valid.
         */
        from: Type.Union([Type.Number(), Type.Null()]),
        to: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
  ),
  default: Type.Optional(Type.Unknown()),
})
export type LoadedTable = Static<typeof loadedTable>

/**
 * A mapping with all its files, as plain data that can be sent to the thread and the process that
 * use it.
 */
export const loadedMapping = Type.Object({
  /** Name of its folder or file, or the stream of a stored mapping. */
  name: Type.String(),
  version: Type.String(),
  /** Digest of the mapping and its files, in hexadecimal digits. */
  sha256: Type.String(),
  stream: Type.String(),
  definition,
  tables: Type.Record(Type.String(), loadedTable),
  schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  itemSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type LoadedMapping = Static<typeof loadedMapping>
