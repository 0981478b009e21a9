import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { formats } from './formats/index.ts'
import { readParameters } from './parameters.ts'

const problem = Type.Ref('ProblemDetails')
const tags = ['Time series']

const representation = Type.String({
  maxLength: 100,
  description: 'flat or tree, and after a comma node, edge or event; node when left out',
})

const list = (description: string) => Type.String({ maxLength: 4000, description })

const stationTypes = list(
  'Station types, edge types or event origins between commas; a star for all',
)
const dataTypes = list('Data types between commas; a star for all')

/** Envelope of the time series service (interface 2.5); in tree, `data` is an object (decision D40). */
const envelope = Type.Object({
  offset: Type.Integer(),
  limit: Type.Integer(),
  data: Type.Union([
    Type.Array(Type.Object({}, { additionalProperties: true })),
    Type.Object({}, { additionalProperties: true }),
  ]),
})

/** The answer in each of its media types; what is not JSON is described in words. */
const answer = {
  description: 'Rows, or a tree of objects',
  content: Object.fromEntries(
    formats.flatMap(({ name, summary, mediaTypes }) => {
      const schema: TSchema = name === 'json' ? envelope : Type.Unsafe({ description: summary })
      return mediaTypes.map((mediaType) => [mediaType, { schema }] as const)
    }),
  ),
}

/** What exceeds a quota is told in the form of the interface (decision D1). */
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
  tags,
  response: { 200: Type.Array(Type.Object(entry)) },
}

/** `GET /v2/{representation}` */
export const typesOperation = {
  operationId: 'listTypes',
  summary:
    'The representations of a structure, with their station types, edge types or event origins',
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
  summary: 'This interface as OpenAPI, in YAML or JSON',
  tags,
  response: { 200: Type.Object({}, { additionalProperties: true }) },
}

const read = {
  tags,
  querystring: readParameters,
  response: { 200: answer, 400: problem, 404: problem, 429: refusal, 503: problem },
}

/** `GET /v2/{representation}/{stationTypes}` */
export const stationsOperation = {
  ...read,
  operationId: 'listStations',
  summary: 'Stations of some types; with edge: edges; with event: events of some origins',
  params: Type.Object({ representation, stationTypes }),
}

/** `GET /v2/{representation}/{stationTypes}/{dataTypes}` */
export const seriesOperation = {
  ...read,
  operationId: 'listSeries',
  summary: 'Series of stations, each with its latest value; with event: latest, or a time',
  params: Type.Object({ representation, stationTypes, dataTypes }),
}

/** `GET /v2/{representation}/{stationTypes}/{dataTypes}/latest` */
export const latestOperation = {
  ...read,
  operationId: 'listLatest',
  summary: 'Latest values; with event: events between the times of the last two segments',
  params: Type.Object({
    representation,
    stationTypes,
    dataTypes,
    from: Type.String({ maxLength: 100, description: 'The word latest' }),
  }),
}

/** `GET /v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}` */
export const historyOperation = {
  ...read,
  operationId: 'listHistory',
  summary: 'Values from one time on and before another',
  params: Type.Object({
    representation,
    stationTypes,
    dataTypes,
    from: Type.String({
      maxLength: 100,
      description: 'yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss; included',
    }),
    to: Type.String({ maxLength: 100, description: 'yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss; excluded' }),
  }),
}
