import { Type } from 'typebox'
import type { Static } from 'typebox'
import { form } from '../../../errors/index.ts'
import { DecodeStep } from '../decode/index.ts'
import { mediaType, namedIds, tableDefinition, timeRules } from './members.ts'

const closed = { additionalProperties: false }

const expression = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100_000, description })

const streamPattern = '^/?[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$'

/** A JSON Schema: a file beside the mapping, or the schema itself. */
const jsonSchema = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())], {
    description,
  })

/**
 * What an operator writes to have the messages of a stream understood: the whole language of a
 * `mapping.yaml`, once. Validation, types and the reference in docs/push-mappings.md follow from it.
 */
export const definition = Type.Object(
  {
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
          'Streams whose messages it takes, too: `$message.dataset` tells the payloads of one provider apart',
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
        description: 'The stream takes only these; others are answered 415',
      }),
    ),
    ordered: Type.Optional(
      Type.Boolean({ description: 'Whether messages are worked on strictly one after the other' }),
    ),
    keepDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 99_999,
        description: 'Days that done messages are kept',
      }),
    ),
    decode: Type.Optional(
      Type.Array(DecodeStep, {
        maxItems: 10,
        description: 'Steps from the bytes of the body to a value; default: `[json]`',
      }),
    ),
    schema: Type.Optional(
      jsonSchema('JSON Schema of the payload; what breaks it is rejected whole'),
    ),
    itemSchema: Type.Optional(jsonSchema('JSON Schema of an item; one that breaks it is rejected')),
    tables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' }), tableDefinition, {
        description: 'Tables for `$lookup`, by their names',
      }),
    ),
    times: Type.Optional(timeRules),
    ids: Type.Optional(namedIds),
    merge: Type.Optional(
      Type.Object(
        {
          by: expression('Of an item: the key of the entity that it tells of'),
          language: Type.Optional(
            expression(
              'Of an item: the code of its language; without it `items` is an object with a list for each language',
            ),
          ),
        },
        { ...closed, description: 'Joins the items that tell of one entity in several languages' },
      ),
    ),
    dataTypes: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        maxItems: 1000,
        description: 'Items of the canonical format `dataTypes`, stored before everything else',
      }),
    ),
    before: Type.Optional(
      expression('Of the payload, once: canonical objects that come before those of the items'),
    ),
    items: Type.Optional(
      expression('Of the payload: its items; default: its members if it is an array, or itself'),
    ),
    expect: Type.Optional(
      Type.Object(
        {
          items: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'So many items at least' }),
          ),
          members: Type.Optional(
            Type.Array(Type.String(form('^(/[^/]*)+$', 'is no JSON pointer; it begins with /')), {
              maxItems: 100,
              description: 'JSON pointers of members that have a value in some item',
            }),
          ),
        },
        { ...closed, description: 'What a payload must have; one that has not is rejected whole' },
      ),
    ),
    each: expression('Of an item: a canonical object, an array of them, or nothing'),
    limits: Type.Optional(
      Type.Object(
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
        { ...closed, description: 'How long and how deep expressions may go' },
      ),
    ),
  },
  closed,
)

export type Definition = Static<typeof definition>
