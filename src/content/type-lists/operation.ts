import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Profile } from '../list/seed.ts'
import { envelopeOf } from '../page-envelope.ts'
import { optionalPageParameters } from '../page-parameters.ts'
import { itemParameters, listParameters as ofLists } from '../parameters.ts'
import type { TypeList } from './type-lists.ts'

const problem = Type.Ref('ProblemDetails')

const ids = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), {
      maxItems: 1000,
      style: 'form',
      explode: false,
      description,
    }),
  )

const { language, fields, removenullvalues } = itemParameters.properties

/** In the strict profile there always is a page (decision D20). */
const firstPage = { pagenumber: Type.Optional(ofLists.properties.pagenumber) }

const listParameters = ({ masks, tagged }: TypeList, profile: Profile) =>
  Type.Object({
    type: ids(`Any of: ${[...Object.keys(masks), ...Object.keys(tagged)].join(', ')}`),
    idlist: ids('Identifiers, any of them; letter case does not count'),
    searchfilter: Type.Optional(
      Type.String({ maxLength: 500, description: 'A part of a name, or a whole identifier' }),
    ),
    language,
    fields,
    removenullvalues,
    ...optionalPageParameters(profile),
    ...(profile === 'compatible' ? {} : firstPage),
  })

export type TypeListQuery = Static<ReturnType<typeof listParameters>>

/** Members that `fields` or `removenullvalues` leave out are missing. */
const row = Type.Partial(
  Type.Object(
    {
      Id: Type.String({ description: 'As records and filters have it' }),
      Bitmask: Type.Integer({ description: 'Its bit in the mask of a filter; 0: in none' }),
      Type: Type.String(),
      Parent: Type.Union([Type.String(), Type.Null()]),
      Key: Type.String(),
      TypeDesc: Type.Record(Type.String(), Type.String(), { description: 'Its names by language' }),
    },
    { additionalProperties: true },
  ),
)

/** `GET /v1/AccommodationTypes` and the like (decision D36a). */
export const listOperation = (list: TypeList, profile: Profile) => ({
  operationId: `list${list.path}`,
  summary: list.summary,
  description: 'Which values records and filters use, with the names that people read.',
  tags: ['Content'],
  querystring: listParameters(list, profile),
  response: {
    200: Type.Union([envelopeOf(Type.Array(row)), Type.Array(row)]),
    400: problem,
    503: problem,
  },
})

/** The first type of a list; those that stored tags say are as the demo has them. */
const exampleOf = ({ masks }: TypeList) =>
  Object.values(masks).flat()[0]?.code ?? 'eventtopic:music'

/** `GET /v1/AccommodationTypes/{id}` and the like. */
export const itemOperation = (list: TypeList) => ({
  operationId: `get${list.path}`,
  summary: `One of: ${list.summary}`,
  description: 'As in the list of all.',
  tags: ['Content'],
  params: Type.Object({
    id: Type.String({
      maxLength: 500,
      description: 'Identifier; letter case does not count',
      examples: [exampleOf(list)],
    }),
  }),
  querystring: Type.Object({ language, fields, removenullvalues }),
  response: { 200: row, 400: problem, 404: problem, 503: problem },
})
