import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { problem } from '../lang/schemas.ts'
import { formats } from './formats/index.ts'
import { historyParameters, readParameters, stationParameters } from './parameters.ts'

const tags = ['Time series']

const representation = Type.String({
  examples: ['flat'],
  maxLength: 100,
  description: 'flat or tree, and after a comma node, edge or event; default: node',
})

const list = (description: string, example: string) =>
  Type.String({ maxLength: 4000, description, examples: [example] })

const stationTypes = list(
  'Comma-separated station types, edge types or event origins; * for all',
  'ParkingStation',
)
const dataTypes = list('Comma-separated data types; * for all', 'free')

/**
 * Response envelope of the time series service (interface 2.5). In tree, `data` is an object
 * (decision D40).
 */
const envelope = Type.Object({
  offset: Type.Integer(),
  limit: Type.Integer(),
  data: Type.Union([
    Type.Array(Type.Object({}, { additionalProperties: true })),
    Type.Object({}, { additionalProperties: true }),
  ]),
})

/** The response in each of its media types. Media types other than JSON are described in words. */
const answer = {
  description: 'Rows, or a tree of objects',
  content: Object.fromEntries(
    formats.flatMap(({ name, summary, mediaTypes }) => {
      const schema: TSchema = name === 'json' ? envelope : Type.Unsafe({ description: summary })
      return mediaTypes.map((mediaType) => [mediaType, { schema }] as const)
    }),
  ),
}

/** Body of the response when a quota is exceeded, in the form of the interface (decision D1). */
const refusal = Type.Object({
  message: Type.String(),
  hint: Type.String(),
  policy: Type.Optional(Type.String()),
})

const entry = { id: Type.String(), description: Type.String(), self: Type.String() }

/** `GET /v2` */
export const representationsOperation = {
  operationId: 'listRepresentations',
  summary: 'The representations of the time series service',
  description: 'Each with its URL.',
  tags,
  response: { 200: Type.Array(Type.Object(entry)) },
}

/** `GET /v2/{representation}` */
export const typesOperation = {
  operationId: 'listTypes',
  summary:
    'The representations of a structure, with their station types, edge types or event origins',
  description: 'The values that the segment {stationTypes} can have.',
  tags,
  params: Type.Object({ representation }),
  response: {
    200: Type.Array(Type.Object({ id: Type.String() }, { additionalProperties: true })),
    400: problem,
    503: problem,
  },
}

/** `GET /v2/apispec` (interface 4.8) */
export const apispecOperation = {
  operationId: 'describeTimeSeries',
  summary: 'The time series service as OpenAPI, in YAML or JSON',
  description: 'JSON if Accept requests it. The part of /openapi.json with the paths below /v2.',
  tags,
  response: {
    200: {
      description: 'The description',
      content: {
        'application/json': { schema: Type.Object({}, { additionalProperties: true }) },
        'application/yaml': { schema: Type.Object({}, { additionalProperties: true }) },
      },
    },
  },
}

const read = {
  tags,
  querystring: readParameters,
  response: { 200: answer, 400: problem, 404: problem, 429: refusal, 503: problem },
}

/** `GET /v2/{representation}/{stationTypes}` */
export const stationsOperation = {
  ...read,
  querystring: stationParameters,
  operationId: 'listStations',
  description: 'With their locations and metadata; where and select choose conditions and fields.',
  summary: 'Stations of some types; with edge: edges; with event: events of some origins',
  params: Type.Object({ representation, stationTypes }),
}

/** `GET /v2/{representation}/{stationTypes}/{dataTypes}` */
export const seriesOperation = {
  ...read,
  operationId: 'listSeries',
  description:
    'Values that the caller cannot see are left out; stations and types are always shown.',
  summary: 'Series of stations, each with its latest value; with event: latest, or a time',
  params: Type.Object({ representation, stationTypes, dataTypes }),
}

/** `GET /v2/{representation}/{stationTypes}/{dataTypes}/latest` */
export const latestOperation = {
  ...read,
  operationId: 'listLatest',
  description: 'The value with the newest time of each series that the caller can see.',
  summary: 'Latest values; with event: events between the times of the last two segments',
  params: Type.Object({
    representation,
    stationTypes,
    dataTypes,
    from: Type.String({ maxLength: 100, description: 'The word latest', examples: ['latest'] }),
  }),
}

/** `GET /v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}` */
export const historyOperation = {
  ...read,
  querystring: historyParameters,
  operationId: 'listHistory',
  description:
    'The maximum length of the range depends on the kind of caller: see /quota. Buckets of a day or longer have no maximum.',
  summary: 'Values in a time range, or buckets or points of them',
  params: Type.Object({
    representation,
    stationTypes,
    dataTypes,
    from: Type.String({
      maxLength: 100,
      description: 'yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss; included',
      examples: ['2026-01-01'],
    }),
    to: Type.String({
      maxLength: 100,
      description: 'yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss; excluded',
      examples: ['2026-01-02'],
    }),
  }),
}
