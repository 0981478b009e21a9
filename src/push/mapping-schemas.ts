import { Type } from 'typebox'
import type { Static } from 'typebox'
import { exactly, problem } from '../lang/schemas.ts'
import { sample } from './mappings/stored/versions.ts'
import { orNull, security, stream, time } from './schemas.ts'

const tags = ['Push']
const named = { ...stream, dataset: Type.With(stream.dataset, { examples: ['benches'] }) }
const params = Type.Object(named)
const number = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'From 1',
  examples: [1],
})
const needs = 'Needs the role Mapping_Update or ADMIN.'

/** The mapping in the examples of the OpenAPI document. */
export const exampleMapping = `version: 1
stream: demo/benches
each: |
  {
    "kind": "stations", "stationType": "Bench", "origin": "demo",
    "items": [{ "code": id, "name": name, "coordinate": $point(lon, lat) }]
  }
`

/** Text fields of a mapping, shared by trials and saves. */
export const mappingTexts = {
  mapping: Type.String({ maxLength: 16_000, description: 'The text of a mapping.yaml' }),
  files: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 100_000 }), {
      maxProperties: 10,
      description: 'Texts of the files next to it (tables, schemas), by their names',
    }),
  ),
}

/** Request body that saves a mapping. */
export const savedMapping = exactly(
  {
    ...mappingTexts,
    samples: Type.Optional(
      Type.Array(sample, {
        maxItems: 10,
        description: 'Payloads on which each save tries the mapping',
      }),
    ),
  },
  {
    examples: [
      {
        mapping: exampleMapping,
        samples: [
          { name: 'one', payload: '[{"id": "b1", "name": "Bench", "lon": 11.26, "lat": 46.42}]' },
        ],
      },
    ],
  },
)
export type SavedMapping = Static<typeof savedMapping>

export const savedHint =
  'It is an object with mapping (the text of a mapping.yaml), files and samples.'

const checked = Type.Object({
  number: orNull(number, 'Of the saved version; null after a dry run'),
  samples: Type.Array(
    Type.Object({
      name: Type.String(),
      items: Type.Integer({ description: 'Items that would be stored' }),
      rejected: Type.Integer({ description: 'Items that are rejected' }),
      differences: Type.Array(Type.String(), {
        description: 'Differences from the result of the previous version, one line each',
      }),
    }),
  ),
})

const version = Type.Object({
  stream: Type.String(),
  number,
  mapping: orNull(Type.String(), 'Its text; null: this version ended the mapping'),
  files: Type.Record(Type.String(), Type.String()),
  samples: Type.Array(sample),
  saved: time,
  savedBy: Type.String({ description: 'Name of the user or client that saved it' }),
})

const versions = Type.Array(
  Type.Object({
    number,
    saved: time,
    savedBy: Type.String(),
    isEnd: Type.Boolean({ description: 'Whether this version ended the mapping' }),
  }),
  { description: 'The newest first, at most 50' },
)

const problems = { 401: problem, 403: problem, 503: problem }
const onStream = { tags, security, params }
const faulty = { 400: problem, ...problems }
const missing = { 404: problem, ...faulty }
const versionParams = Type.Object({ ...named, number })

/** Operations on the mappings stored in the database. */
export const mappingOperations = {
  list: {
    operationId: 'getMappings',
    summary: 'All mappings, and where each comes from',
    description: needs,
    tags,
    security,
    response: {
      200: Type.Object({
        mappings: Type.Array(
          Type.Object({
            stream: Type.String(),
            name: Type.String(),
            version: Type.String(),
            source: Type.Enum(['file', 'stored'], {
              description: 'A file of HUB_MAPPINGS, or saved by putMapping',
            }),
            isUsed: Type.Boolean({
              description: 'False: a file reads the stream instead of this stored mapping',
            }),
          }),
        ),
      }),
      ...problems,
    },
  },
  show: {
    operationId: 'getMapping',
    summary: 'The stored mapping of a stream, and its versions',
    description: needs,
    ...onStream,
    response: {
      200: Type.Object({ current: orNull(version, 'Null if none was saved'), versions }),
      ...faulty,
    },
  },
  showVersion: {
    operationId: 'getMappingVersion',
    summary: 'A version of the stored mapping of a stream',
    description: needs,
    ...onStream,
    params: versionParams,
    response: { 200: version, ...missing },
  },
  save: {
    operationId: 'putMapping',
    summary: 'Save the mapping of a stream as a new version',
    description: `${needs} It reads the stream on every node within 5 seconds. Refused if a file of HUB_MAPPINGS reads the stream.`,
    ...onStream,
    querystring: Type.Object({
      dryrun: Type.Optional(
        Type.Boolean({ default: false, description: 'Check it on its samples, without saving' }),
      ),
    }),
    body: savedMapping,
    response: { 200: checked, 409: problem, ...faulty },
  },
  restore: {
    operationId: 'restoreMapping',
    summary: 'Save a former version of a mapping as the newest one',
    description: `${needs} The former version stays unchanged.`,
    ...onStream,
    params: versionParams,
    response: { 200: checked, 409: problem, ...missing },
  },
  remove: {
    operationId: 'deleteMapping',
    summary: 'End the stored mapping of a stream',
    description: `${needs} Its versions stay, and can be restored. Messages that arrive wait for another mapping.`,
    ...onStream,
    response: { 204: Type.Null(), ...missing },
  },
} as const
