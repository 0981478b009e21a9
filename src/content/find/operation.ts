import { Type } from 'typebox'
import type { Static } from 'typebox'
import { commaList, problem } from '../../lang/schemas.ts'
import { typeAliases } from '../entity-types.ts'
import type { Entity, Filter, Profile } from '../entity.ts'
import { locationFilter, longest, rawFilter, rawSort } from '../filters/every-list.ts'
import { listSchema } from '../filters/values.ts'
import { envelopeOf, pageParameters } from '../pages.ts'
import { itemParameters } from '../parameters.ts'

const list = (description: string, more = {}) =>
  commaList(Type.String({ maxLength: 500 }), {
    maxItems: 100,
    description,
    ...more,
  })

/** Returns the description that the same parameter has on lists. */
const described = ({ parameters: [parameter] }: Filter) =>
  String(Reflect.get(parameter?.schema ?? {}, 'description'))

/** Parameters that both routes accept. */
const common = (entities: readonly Entity[], profile: Profile) => ({
  type: Type.Optional(
    list('Records to search: types such as event, or entities; case-insensitive; default: all', {
      'x-aliases': [...typeAliases(entities)],
    }),
  ),
  language: itemParameters.properties.language,
  fields: itemParameters.properties.fields,
  removenullvalues: itemParameters.properties.removenullvalues,
  limitto: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of records of each type',
    }),
  ),
  rawsort: Type.Optional(Type.String({ maxLength: longest, description: described(rawSort) })),
  locfilter: Type.Optional(listSchema(described(locationFilter))),
  ...pageParameters(profile),
})

const findParameters = (entities: readonly Entity[], profile: Profile) =>
  Type.Object({
    q: Type.String({
      maxLength: 500,
      examples: ['museum'],
      description:
        'Part of a title, in any language or only in that of language, or a whole identifier; ignores accents and case',
      'x-aliases': ['term'],
    }),
    searchbasetext: Type.Boolean({
      default: false,
      description: 'Search Detail.*.BaseText too',
    }),
    filteronfields: Type.Optional(
      list('Further fields to search, * for any language: Detail.*.SubHeader'),
    ),
    rawfilter: Type.Optional(
      Type.String({ maxLength: longest, description: described(rawFilter) }),
    ),
    ...common(entities, profile),
  })

const filterParameters = (entities: readonly Entity[], profile: Profile) =>
  Type.Object({
    expression: Type.String({
      maxLength: longest,
      examples: ['eq(Active,true)'],
      description: "In the grammar of rawfilter: and(eq(Active,true),in(Tags.[*].Id,'summer'))",
    }),
    ...common(entities, profile),
  })

export type FindQuery = Static<ReturnType<typeof findParameters>>
export type FilterQuery = Static<ReturnType<typeof filterParameters>>

const item = Type.Object(
  {
    Id: Type.String(),
    '_Meta.Type': Type.String({ description: 'Type of the record' }),
    Self: Type.String({ description: 'URL of the record' }),
  },
  {
    additionalProperties: true,
    description:
      'Flat: also the title, such as Detail.en.Title, and the fields that fields requests',
  },
)

const counts = Type.Record(Type.String(), Type.Integer(), {
  description: 'Number of records of each type',
})

const answers = (additions: object) => {
  const envelope = envelopeOf(Type.Array(item))
  const schema = Type.Object({ ...envelope.properties, detailedResults: counts, ...additions })
  const page = { description: 'A page of records', content: { 'application/json': { schema } } }
  return { 200: page, 400: problem, 401: problem, 503: problem }
}

/** Describes `GET /v1/Find` (interface 4.7, decision D36). */
export const findOperation = (entities: readonly Entity[], profile: Profile) => ({
  operationId: 'find',
  summary: 'Search through the titles of all entities',
  description: 'The best match first: the whole title, its start, the start of a word, any part.',
  tags: ['Content'],
  querystring: findParameters(entities, profile),
  response: answers({ searchTerm: Type.String() }),
})

/** Describes `GET /v1/Filter` (interface 4.7, decision D36). */
export const filterOperation = (entities: readonly Entity[], profile: Profile) => ({
  operationId: 'filter',
  summary: 'Records of all entities that match an expression',
  description: 'Type by type, in the order of identifiers unless rawsort specifies another.',
  tags: ['Content'],
  querystring: filterParameters(entities, profile),
  response: answers({}),
})
