import { Type } from 'typebox'
import { orNull, problem } from '../lang/schemas.ts'
import type { Proven } from '../lang/schemas.ts'

export const text = (description: string) => Type.String({ description })
const texts = (description: string) => Type.Array(Type.String(), { description })
export const textOrNull = (description: string) => orNull(text(description))
export const countOrNull = (description: string) => orNull(Type.Integer({ description }))

export const inLanguages = (description: string) =>
  Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() }, { description })

const counted = (description: string) =>
  Type.Array(Type.Object({ id: Type.String(), count: Type.Integer() }), { description })

const freshness = orNull(
  Type.Object(
    {
      state: Type.Enum(['fresh', 'late', 'stale', 'silent'], {
        description: 'State of the median series: half of them are at least as fresh',
      }),
      series: Type.Integer({ description: 'Series with a value that the caller can see' }),
      states: Type.Unsafe<Readonly<Record<string, number>>>({
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'Series by state; ahead: all values are in the future',
      }),
      period: countOrNull('Median of the seconds between values that series declare'),
    },
    { description: 'Freshness of the series of a station type; null without series' },
  ),
)

const standard = Type.Object({
  name: text('Such as DATEX II or GBFS'),
  version: text('Such as 2 or 3.0'),
  url: text('URL of the dataset in this standard'),
  mediaType: text('Media type of the response'),
})

const miniature = orNull(
  Type.Object(
    {
      kind: Type.Enum(['map', 'changes'], {
        description: 'map: where the records are in extent; changes: a line of changes by month',
      }),
      viewBox: text('viewBox of an SVG'),
      path: text('d of a path, to be stroked with round ends, not filled'),
    },
    { description: 'A small picture; null if there is nothing to draw' },
  ),
)

const degrees = Type.Number()
const box = (description: string) =>
  orNull(
    Type.Object({ west: degrees, south: degrees, east: degrees, north: degrees }, { description }),
  )

/** One dataset, as a component of the OpenAPI document. */
export const datasetSchema = Type.Object(
  {
    id: text('Such as content/Accommodation, timeseries/ParkingStation, traffic/province-bz'),
    service: Type.Enum(['content', 'timeseries', 'traffic']),
    type: text('Entity, station type, or provider of traffic events'),
    recordType: textOrNull('Name of the type in references from other records, such as webcam'),
    dataspace: text('tourism, mobility, weather or other'),
    title: inLanguages('Title of the dataset'),
    description: inLanguages('Description of the dataset'),
    titleField: text('Path of the field that names a record; replace {language}'),
    count: countOrNull(
      'Number of records, stations or events that the caller can see; null: requires a token',
    ),
    updated: textOrNull('Time of the latest change, for stations of the latest value; ISO 8601'),
    registered: textOrNull('When the hub registered the dataset; ISO 8601'),
    freshness,
    access: Type.Enum(['open', 'partly', 'closed'], {
      description: 'Whether what the caller sees is open to everybody',
    }),
    licences: texts('Licences of the records, the most frequent first'),
    sources: texts('Sources of the records, the most frequent first'),
    languages: texts('Languages of the records, the most frequent first'),
    tags: counted('The most frequent tags'),
    dataTypes: counted('What stations measure, with the number of series'),
    formats: Type.Array(Type.Object({ name: Type.String(), mediaType: Type.String() })),
    standards: Type.Array(standard, { description: 'Standards in which it is available' }),
    operations: texts('operationId of the operations that read it, in /openapi.json'),
    links: Type.Record(Type.String(), Type.String(), {
      description: 'Absolute URLs: self, list, page …; replace {id} and similar placeholders',
    }),
    extent: box(
      'Box that contains nearly all of its records, in degrees; null if none has a place',
    ),
    miniature,
  },
  { $id: 'Dataset' },
)

export type Dataset = Proven<typeof datasetSchema>

/** A standard in which a dataset is available, with its URL. */
export type Standard = Dataset['standards'][number]

export type Freshness = NonNullable<Dataset['freshness']>
/** One SVG path, to be stroked and not filled. */
export type Miniature = NonNullable<Dataset['miniature']>
/** A box in degrees (EPSG:4326). */
export type Extent = NonNullable<Dataset['extent']>

export type Catalogue = {
  readonly extent: Extent | null
  readonly datasets: readonly Dataset[]
}

const format = Type.Optional(
  Type.Enum(['json', 'json-ld', 'turtle', 'rdf-xml'], {
    description:
      'All but json: DCAT-AP 3 for other portals; takes precedence over the Accept header',
  }),
)

/** Declares the media types of one graph in three forms. */
function linkedForms(description: string) {
  const written = { schema: Type.Unsafe({ type: 'string', description }) }
  return {
    'application/ld+json': { schema: Type.Unsafe({ type: 'object', description }) },
    'text/turtle': written,
    'application/rdf+xml': written,
  }
}

/** `GET /catalogue` */
export const catalogueOperation = {
  operationId: 'listDatasets',
  summary: 'Every dataset of the hub: its content, its freshness, and how to read it',
  description:
    'Only what the caller can see: counts are those of the lists with the same rights. Refreshed every minute.',
  tags: ['Catalogue'],
  querystring: Type.Object({
    format,
    profile: Type.Optional(
      Type.Enum(['hvd', 'mobility'], {
        description:
          'Only the datasets of a profile of DCAT-AP: hvd for high-value datasets, mobility for mobilityDCAT-AP',
      }),
    ),
    fields: Type.Optional(
      Type.String({
        maxLength: 500,
        examples: ['id,title,links'],
        'x-repeated': 'joined',
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
            extent: box('The area that all miniatures show, in degrees; null without any place'),
            datasets: Type.Array(Type.Ref('Dataset')),
          }),
        },
        ...linkedForms('A dcat:Catalog of DCAT-AP 3'),
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
  querystring: Type.Object({ format }),
  response: {
    200: {
      description: 'The dataset',
      content: {
        'application/json': { schema: Type.Ref('Dataset') },
        ...linkedForms('A dcat:Catalog of DCAT-AP 3 with this dataset'),
      },
    },
    400: problem,
    404: problem,
    503: problem,
  },
}

/** `GET /catalogue/{service}/{type}/miniature.svg` */
export const miniatureOperation = {
  operationId: 'getMiniature',
  summary: 'A small map of the records of a dataset',
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
