import { Type } from 'typebox'

const problem = Type.Ref('ProblemDetails')
const text = (description: string) => Type.String({ description })
const texts = (description: string) => Type.Array(Type.String(), { description })
const orNull = (type: 'string' | 'integer', description: string) =>
  Type.Unsafe<string | number | null>({ type: [type, 'null'], description })

const inLanguages = (description: string) =>
  Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() }, { description })

const counted = (description: string) =>
  Type.Array(Type.Object({ id: Type.String(), count: Type.Integer() }), { description })

const freshness = Type.Unsafe({
  type: ['object', 'null'],
  required: ['state', 'series', 'states'],
  properties: {
    state: {
      enum: ['fresh', 'late', 'stale', 'silent'],
      description: 'Of the median series: half of them are at least as fresh',
    },
    series: { type: 'integer', description: 'Series with a value that the caller can see' },
    states: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Series by state; ahead: the newest value lies in the future',
    },
  },
  description: 'Freshness of the series of a station type; null without series',
})

const miniature = Type.Unsafe({
  type: ['object', 'null'],
  required: ['kind', 'viewBox', 'path'],
  properties: {
    kind: {
      enum: ['map', 'changes'],
      description: 'map: where the records lie in extent; changes: a line of changes by month',
    },
    viewBox: { type: 'string', description: 'viewBox of an SVG' },
    path: { type: 'string', description: 'd of a path, to be stroked with round ends, not filled' },
  },
  description: 'A small picture; null where there is nothing to draw',
})

const box = (description: string) =>
  Type.Unsafe({
    type: ['object', 'null'],
    required: ['west', 'south', 'east', 'north'],
    properties: Object.fromEntries(
      ['west', 'south', 'east', 'north'].map((side) => [side, { type: 'number' }]),
    ),
    description,
  })

/** One dataset, as a component of the OpenAPI document. */
export const datasetSchema = Type.Object(
  {
    id: text('Such as content/Accommodation, timeseries/ParkingStation, traffic/province-bz'),
    service: Type.Enum(['content', 'timeseries', 'traffic']),
    type: text('Entity, station type, or provider of traffic events'),
    dataspace: text('tourism, mobility, weather or other'),
    title: inLanguages('Title of the dataset'),
    description: inLanguages('Description of the dataset'),
    count: orNull(
      'integer',
      'Records, stations or events that the caller can see; null: use a token',
    ),
    updated: orNull('string', 'The newest change, for stations the newest value; ISO 8601'),
    freshness,
    access: Type.Enum(['open', 'partly', 'closed'], {
      description: 'Whether what the caller sees is open to everybody',
    }),
    licences: texts('Licences of the records, the most frequent first'),
    sources: texts('Where they come from, the most frequent first'),
    languages: texts('Languages of the records, the most frequent first'),
    tags: counted('The most frequent tags'),
    dataTypes: counted('What stations measure, with the number of series'),
    formats: Type.Array(Type.Object({ name: Type.String(), mediaType: Type.String() })),
    operations: texts('operationId of the operations that read it, in /openapi.json'),
    links: Type.Record(Type.String(), Type.String(), {
      description: 'Absolute addresses: self, list, page …; replace {id} and similar placeholders',
    }),
    extent: box('Where nearly all of its records lie, in degrees; null where none has a place'),
    miniature,
  },
  { $id: 'Dataset' },
)

/** `GET /catalogue` */
export const catalogueOperation = {
  operationId: 'listDatasets',
  summary: 'Every dataset of the hub: what it holds, how fresh it is, how to read it',
  description:
    'Only what the caller can see: counts are those of the lists with the same rights. Refreshed every minute.',
  tags: ['Catalogue'],
  querystring: Type.Object({
    format: Type.Optional(
      Type.Enum(['json', 'json-ld'], {
        description: 'json-ld: DCAT-AP 3 for other portals; wins over the Accept header',
      }),
    ),
    fields: Type.Optional(
      Type.String({
        maxLength: 500,
        examples: ['id,title,links'],
        description: 'Comma-separated fields of the datasets, if not all are needed; for json',
      }),
    ),
  }),
  response: {
    200: {
      description: 'The datasets',
      content: {
        'application/json': {
          schema: Type.Object({
            extent: box('The region that miniatures show, in degrees; null without any place'),
            datasets: Type.Array(Type.Ref('Dataset')),
          }),
        },
        'application/ld+json': {
          schema: Type.Unsafe({ type: 'object', description: 'A dcat:Catalog of DCAT-AP 3' }),
        },
      },
    },
    400: problem,
    503: problem,
  },
}

export const datasetParameters = Type.Object({
  service: Type.Enum(['content', 'timeseries', 'traffic'], {
    examples: ['content'],
    description: 'Service of the dataset',
  }),
  type: Type.String({
    maxLength: 500,
    examples: ['Accommodation'],
    description: 'Entity, station type, or provider of traffic events',
  }),
})

/** `GET /catalogue/{service}/{type}` */
export const datasetOperation = {
  operationId: 'getDataset',
  summary: 'One dataset of the catalogue',
  description: 'A dataset that the caller cannot see returns 404.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: { 200: Type.Ref('Dataset'), 400: problem, 404: problem, 503: problem },
}

/** `GET /catalogue/{service}/{type}/miniature.svg` */
export const miniatureOperation = {
  operationId: 'getMiniature',
  summary: 'Where the records of a dataset lie, as a small picture',
  description: 'An SVG image for other pages.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: {
      description: 'The picture',
      content: { 'image/svg+xml': { schema: Type.Unsafe({ type: 'string' }) } },
    },
    400: problem,
    404: problem,
    503: problem,
  },
}
