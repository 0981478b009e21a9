import { Type } from 'typebox'
import { placesSchema } from '../filters/location-filter.ts'
import { placeKinds, skiAreaKind } from '../filters/place-kinds.ts'
import { listSchema } from '../filters/values.ts'
import { envelopeOf } from '../page-envelope.ts'
import { itemParameters } from '../parameters.ts'

const problem = Type.Ref('ProblemDetails')

const location = Type.Object({
  typ: Type.String({
    description: `Kind: ${placeKinds.map(({ prefix, entity }) => `${prefix} ${entity}`).join(', ')}, ${skiAreaKind.prefix} ${skiAreaKind.entity}`,
  }),
  name: Type.Union([Type.String(), Type.Null(), Type.Record(Type.String(), Type.String())], {
    description: 'Title in the language that was asked for; without one, an object of all',
  }),
  id: Type.String({ description: 'Behind typ it is an item of locfilter' }),
})

const largest = 2_147_483_647

const parameters = {
  language: itemParameters.properties.language,
  locfilter: Type.Optional(
    Type.With(placesSchema, {
      description: `Only these places and what lies in them. ${String(Reflect.get(placesSchema, 'description'))}`,
    }),
  ),
  showall: Type.Boolean({
    default: true,
    description: 'All active places; false: only those that searches offer (VisibleInSearch)',
  }),
  pagenumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: largest,
      description: 'Page, in the envelope of lists; absent: everything, as an array',
    }),
  ),
  pagesize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Places per page; absent: everything on one page',
    }),
  ),
  referer: itemParameters.properties.referer,
}

const responses = {
  200: Type.Union([Type.Array(location), envelopeOf(Type.Array(location))]),
  400: problem,
  503: problem,
}

/** `GET /v1/Location` (interface 4.7, reference content.md 6.7). */
export const locationOperation = {
  operationId: 'listLocation',
  summary: 'Places by kind: the items of locfilter',
  description: 'Regions, tourism associations, municipalities and districts, by their names.',
  tags: ['Content'],
  querystring: Type.Object({
    ...parameters,
    type: Type.Optional(
      listSchema(`Kinds, any of them: ${placeKinds.map(({ prefix }) => prefix).join(', ')}`),
    ),
  }),
  response: responses,
}

/** `GET /v1/Location/Skiarea`. */
export const skiAreaOperation = {
  operationId: 'listLocationSkiarea',
  summary: 'Ski areas, as places',
  description: 'Ski areas, as /v1/Location has its places.',
  tags: ['Content'],
  querystring: Type.Object(parameters),
  response: responses,
}
