import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Entity } from '../entity.ts'
import { typeAliases } from '../entity-types.ts'
import { commonFilters } from '../filters/every-list.ts'
import { longest } from '../filters/raw-filters.ts'
import type { Profile } from '../list/seed.ts'
import { envelopeOf } from '../page-envelope.ts'
import { optionalPageParameters, parametersOfFilters } from '../page-parameters.ts'

const problem = Type.Ref('ProblemDetails')

/** The filters of lists that choose the records whose values are looked at. */
export const distinctFilters = commonFilters.filter(({ name }) =>
  ['rawfilter', 'source', 'tagfilter'].includes(name),
)

const mostFields = 20

const parameters = (entities: readonly Entity[], profile: Profile) =>
  Type.Object({
    type: Type.String({
      maxLength: 200,
      examples: ['tag'],
      description: 'Whose records: a type such as tag, or an entity; letter case does not count',
      'x-aliases': [...typeAliases(entities)],
    }),
    fields: Type.Array(Type.String({ maxLength: 500 }), {
      minItems: 1,
      maxItems: mostFields,
      examples: [['Shortname']],
      style: 'form',
      explode: false,
      description:
        'Paths: Type, Detail.en.Title, Types.[*] (each element), Detail.*.Title (each member). One with [*] or * stands alone',
    }),
    getasarray: Type.Boolean({
      default: false,
      description: 'The values of the one field, as an array of texts',
    }),
    excludenulloremptyvalues: Type.Boolean({
      default: false,
      description: 'Leave out what is null or an empty text',
    }),
    rawsort: Type.Optional(
      Type.String({
        maxLength: longest,
        description: 'Some of fields, with - before those to sort downwards',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], {
        description: 'Format of the answer; wins over the Accept header',
      }),
    ),
    ...optionalPageParameters(profile),
  })

export type DistinctQuery = Static<ReturnType<typeof parameters>>

const row = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))
const values = Type.Union([Type.Array(row), Type.Array(Type.Union([Type.String(), Type.Null()]))])

/** `GET /v1/Distinct` (interface 4.7, reference content.md 6.4). */
export const distinctOperation = (entities: readonly Entity[], profile: Profile) => {
  const own = parameters(entities, profile)
  const filters = parametersOfFilters(distinctFilters)
  return {
    operationId: 'listDistinct',
    summary: 'The distinct values of a field, or combinations of several',
    description: 'Values are texts. Where no record has the path there is no row for it.',
    tags: ['Content'],
    querystring: Object.assign({}, own, Type.Object({ ...own.properties, ...filters })),
    response: {
      200: {
        description: 'The values',
        content: {
          'application/json': { schema: Type.Union([values, envelopeOf(values)]) },
          'text/csv': { schema: Type.Unsafe({ description: 'A table' }) },
        },
      },
      400: problem,
      401: problem,
      503: problem,
    },
  }
}
