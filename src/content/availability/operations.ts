import { Type } from 'typebox'
import type { Entity } from '../entity.ts'
import type { Profile } from '../list/seed.ts'
import { listOperation } from '../schemas.ts'
import { channels } from './request.ts'

/** What checks with a body take beside the parameters of the list. */
const further = {
  availabilityonly: Type.Boolean({
    default: false,
    description: 'Only the offers, not the accommodations',
  }),
  removeduplicatesfrom: Type.Optional(
    Type.Enum([...channels], {
      description: 'No offers of this channel for accommodations that have one of another',
    }),
  ),
  usemsscache: Type.Boolean({ default: false, description: 'Of no effect: nothing is cached' }),
  uselcscache: Type.Boolean({ default: true, description: 'Of no effect: nothing is cached' }),
}

type Described = {
  readonly profile: Profile
  readonly name: 'AccommodationAvailable' | 'AvailabilityCheck'
  readonly summary: string
}

type Query = ReturnType<typeof listOperation>['querystring']

/** The types of the parameters of a list; what is beside them is read by name. */
function queryOf({ querystring }: ReturnType<typeof listOperation>): Query {
  const properties = { ...querystring.properties, ...further }
  return Object.assign({}, querystring, Type.Object(properties))
}

const ids = Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], {
  description: 'Identifiers, as one text with commas or as an array; none: what the filters leave',
  examples: [['example-1']],
})

/** An availability check of certain accommodations (reference content.md 8.2). */
export function checkOperation(entity: Entity, { profile, name, summary }: Described) {
  const list = listOperation(entity, profile)
  const problem = Type.Ref('ProblemDetails')
  return {
    operationId: `post${name}`,
    summary,
    description:
      'The parameters are those of the list, and say what is asked for; the body names the accommodations. Availability is closed data: it takes a token with a role for it.',
    security: [{ bearer: [] }],
    tags: ['Content'],
    querystring: queryOf(list),
    body: ids,
    response: { ...list.response, 401: problem, 403: problem, 413: problem, 415: problem },
  }
}
