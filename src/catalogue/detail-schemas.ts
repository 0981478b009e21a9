import { Type } from 'typebox'
import type { Static } from 'typebox'
import { orNull, problem } from '../lang/schemas.ts'
import { countOrNull, datasetParameters, inLanguages, text, textOrNull } from './schemas.ts'

const errors = { 400: problem, 404: problem, 503: problem }

const deprecated = orNull(
  Type.Object({
    since: Type.String({ format: 'date' }),
    removedAfter: Type.String({ format: 'date', description: 'Served at least until then' }),
    description: text('What to use instead'),
    replacement: textOrNull('The path that has the same value'),
  }),
)

/** Roles of the default columns of a table, in display order. */
export const columnRoles = [
  'image',
  'title',
  'kind',
  'from',
  'to',
  'municipality',
  'capacity',
  'code',
  'source',
  'licence',
  'status',
  'changed',
  'place',
] as const

/** Roles of fields and structures that only the view of a single record shows. */
const contentRoles = [
  'introduction',
  'text',
  'texts',
  'contact',
  'picture',
  'position',
  'shape',
  'opening',
  'dates',
  'location',
  'related',
  'tag',
  'terms',
  'id',
  'address',
  'name',
  'meta',
  'language',
  'imported',
  'publisher',
] as const

const member = Type.Object({
  path: Type.String({
    description: 'As in fields, rawfilter, rawsort, where and select; replace {language} and {key}',
  }),
  type: Type.Enum(['text', 'number', 'boolean', 'time', 'object', 'json', 'value', 'place', 'any']),
  description: textOrNull('Meaning'),
  isList: Type.Boolean({ description: 'Whether a record may have several values' }),
  canFilter: Type.Boolean(),
  canSort: Type.Boolean(),
  takesToken: Type.Boolean({ description: 'Whether only callers with a token see it' }),
  operators: Type.Array(Type.String(), {
    description: 'Operators of where; for rawfilter see operators above',
  }),
  at: Type.Enum(['records', 'stations', 'values', 'edges'], {
    description: 'Where it is; values: at paths with data types',
  }),
  deprecated,
  label: orNull(inLanguages('Display name; null: its path')),
  role: Type.Unsafe<(typeof columnRoles)[number] | (typeof contentRoles)[number] | null>({
    enum: [...columnRoles, ...contentRoles, null],
    description: 'Role of the field, the same in all datasets',
  }),
  part: textOrNull('Role in its structure, such as the phone of a contact'),
  entity: textOrNull('Entity whose identifiers it contains'),
  unit: textOrNull('Symbol of the unit of measurement'),
  filters: Type.Array(Type.String(), { description: 'Names of parameters that filter by it' }),
  column: countOrNull('Position among the default columns of a table'),
})

const parameter = Type.Object({
  name: Type.String(),
  label: inLanguages('Display name'),
  kind: Type.Enum(['date', 'flag', 'range', 'bits', 'ids'], {
    description:
      'range: two bounds with a comma; bits: a sum of the ids in values; ids: some of them, with commas',
  }),
  unit: textOrNull('Symbol of the unit of measurement of a range'),
  field: Type.String({ description: 'Path of the field that it filters by' }),
  isCounted: Type.Boolean({
    description: 'Whether groupby with the field counts the records of each value, by its code',
  }),
})

/** `GET /catalogue/{service}/{type}/members` */
export const membersOperation = {
  operationId: 'listMembers',
  summary: 'The fields of a dataset: for columns, filters and completion',
  description:
    'Includes deprecated fields, with the date of their deprecation and their replacement.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: Type.Object({
      id: Type.String(),
      language: Type.Enum(['rawfilter', 'where'], {
        description: 'Language in which the dataset is filtered',
      }),
      operators: Type.Array(Type.String(), { description: 'Operators of the language' }),
      parameters: Type.Array(parameter, { description: 'Parameters that offer a choice' }),
      members: Type.Array(member),
    }),
    ...errors,
  },
}

export type Members = Static<(typeof membersOperation.response)[200]>

const countedId = { id: Type.String(), count: Type.Integer() }
const byLanguage = Type.Record(Type.String(), Type.String(), { description: 'By language' })

/** `GET /catalogue/{service}/{type}/values` */
export const valuesOperation = {
  operationId: 'listValues',
  summary: 'The tags, languages, sources and licences in use in a dataset, with counts',
  description:
    'Counts what the caller can see; the most frequent first. The identifiers are those that tagfilter, langfilter, source and the path of data types accept. Licences are those that the data states itself.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: Type.Object({
      id: Type.String(),
      tags: Type.Array(Type.Object({ ...countedId, title: byLanguage })),
      languages: Type.Array(Type.Object(countedId)),
      sources: Type.Array(Type.Object(countedId)),
      licences: Type.Array(Type.Object(countedId)),
      dataTypes: Type.Array(
        Type.Object({
          ...countedId,
          unit: textOrNull('Unit of measurement'),
          description: textOrNull('Meaning'),
        }),
      ),
      parameters: Type.Record(
        Type.String(),
        Type.Array(Type.Object({ id: Type.String(), code: Type.String(), title: byLanguage })),
        { description: 'Possible values of parameters of the kinds bits and ids, by name' },
      ),
    }),
    ...errors,
  },
}

export type Values = Static<(typeof valuesOperation.response)[200]>

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
  summary: 'Check expressions without running them',
  description:
    'A fault is reported in a successful response, with its position. Shapes and tags are not looked up, so an unknown one is not a fault here.',
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
      description: 'Paths to which where and select apply',
    }),
  }),
  response: {
    200: Type.Object({
      id: Type.String(),
      checks: Type.Array(
        Type.Object({
          parameter: Type.String(),
          valid: Type.Boolean(),
          canonical: textOrNull('As the hub understood it'),
          errors: Type.Array(issue),
          warnings: Type.Array(issue),
        }),
      ),
    }),
    ...errors,
  },
}

export type Checks = Static<(typeof checkOperation.response)[200]>
