import { Type } from 'typebox'
import { datasetParameters } from '../schemas.ts'

const problem = Type.Ref('ProblemDetails')
const errors = { 400: problem, 404: problem, 503: problem }
const orNull = (type: string, description: string) =>
  Type.Unsafe({ type: [type, 'null'], description })

const deprecated = Type.Unsafe({
  type: ['object', 'null'],
  required: ['since', 'removedAfter', 'description', 'replacement'],
  properties: {
    since: { type: 'string', format: 'date' },
    removedAfter: { type: 'string', format: 'date', description: 'Served until then at least' },
    description: { type: 'string', description: 'What to use in its place' },
    replacement: { type: ['string', 'null'], description: 'The path that has the same value' },
  },
})

const member = Type.Object({
  path: Type.String({
    description:
      'As fields, rawfilter, rawsort, where and select name it; {language} and {key} are to be replaced',
  }),
  type: Type.Enum(['text', 'number', 'boolean', 'time', 'object', 'json', 'value', 'place', 'any']),
  description: orNull('string', 'What it means'),
  isList: Type.Boolean({ description: 'Whether a record may have several values' }),
  canFilter: Type.Boolean(),
  canSort: Type.Boolean(),
  takesToken: Type.Boolean({ description: 'Whether only callers with a token see it' }),
  operators: Type.Array(Type.String(), {
    description: 'Of where; of rawfilter see operators above',
  }),
  at: Type.Enum(['records', 'stations', 'values', 'edges'], {
    description: 'Where it is; values: at paths with data types',
  }),
  deprecated,
})

/** `GET /catalogue/{service}/{type}/members` */
export const membersOperation = {
  operationId: 'listMembers',
  summary: 'The members of the records of a dataset: for columns, filters and completion',
  description: 'With the members that are deprecated, since when, and what to use in their place.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: Type.Object({
      id: Type.String(),
      language: Type.Enum(['rawfilter', 'where'], {
        description: 'In which the dataset is filtered',
      }),
      operators: Type.Array(Type.String(), { description: 'Of the language' }),
      members: Type.Array(member),
    }),
    ...errors,
  },
}

const counted = { id: Type.String(), count: Type.Integer() }
const texts = Type.Record(Type.String(), Type.String(), { description: 'By language' })

/** `GET /catalogue/{service}/{type}/values` */
export const valuesOperation = {
  operationId: 'listValues',
  summary: 'The tags, languages, sources and licences in use in a dataset, with counts',
  description:
    'Of what the caller may see; the most frequent first. The identifiers are those that tagfilter, langfilter, source and the path of data types take.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: Type.Object({
      id: Type.String(),
      tags: Type.Array(Type.Object({ ...counted, title: texts })),
      languages: Type.Array(Type.Object(counted)),
      sources: Type.Array(Type.Object(counted)),
      licences: Type.Array(Type.Object(counted)),
      dataTypes: Type.Array(
        Type.Object({
          ...counted,
          unit: orNull('string', 'What it is measured in'),
          description: orNull('string', 'What it means'),
        }),
      ),
    }),
    ...errors,
  },
}

const issue = Type.Object({
  detail: Type.String(),
  position: Type.Optional(Type.Integer({ description: 'Zero-based offset in the text' })),
  expected: Type.Optional(Type.Array(Type.String())),
  hint: Type.Optional(Type.String()),
})

const expression = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 50_000, description, examples: [example] }))

/** `GET /catalogue/{service}/{type}/check` */
export const checkOperation = {
  operationId: 'checkExpressions',
  summary: 'Whether expressions can be read, without running them',
  description:
    'A fault is told in a successful answer, with its position. Nothing is looked up: an unknown shape or tag is no fault here.',
  tags: ['Catalogue'],
  params: datasetParameters,
  querystring: Type.Object({
    rawfilter: expression('Of the content service', 'eq(Active,true)'),
    rawsort: expression('Of the content service', '-LastChange'),
    tagfilter: expression('Of the content service', 'summer'),
    polygon: expression('Of the content service', 'bbi(11.2 46.4,11.4 46.6)'),
    fields: expression('Of the content service', 'Id,Shortname'),
    where: expression('Of the time series service', 'scode.eq."105"'),
    select: expression('Of the time series service', 'scode,sname'),
    at: Type.Enum(['stations', 'values', 'edges'], {
      default: 'values',
      description: 'For which paths where and select are',
    }),
  }),
  response: {
    200: Type.Object({
      id: Type.String(),
      checks: Type.Array(
        Type.Object({
          parameter: Type.String(),
          valid: Type.Boolean(),
          canonical: orNull('string', 'As the hub understood it'),
          errors: Type.Array(issue),
          warnings: Type.Array(issue),
        }),
      ),
    }),
    ...errors,
  },
}
