import { Type } from 'typebox'
import { problem } from '../lang/schemas.ts'

const tags = ['Time series']

/** Characters of an expression; the grammar takes no more. */
const expression = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 8000, description, examples: [example] }))

const whole = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999, description }))

export const parameters = Type.Object({
  $filter: expression('A condition on the entities', "properties/type eq 'ParkingStation'"),
  $expand: expression(
    'Related entities to show inside of each one',
    'Datastreams($expand=ObservedProperty)',
  ),
  $select: expression('Only these properties', 'id,name'),
  $orderby: expression('Properties to sort by, each with asc or desc', 'name desc'),
  $top: whole('Entities of a page: 100 by default, 1,000 at most'),
  $skip: whole('Entities to skip'),
  $count: Type.Optional(
    Type.Boolean({ description: 'Whether to count all entities that match: @iot.count' }),
  ),
  $skiptoken: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'From the @iot.nextLink of the page before' }),
  ),
  referer: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Address of the calling application' }),
  ),
})

const json = (description: string) => ({
  200: Type.Object({}, { description, additionalProperties: true }),
  400: problem,
  404: problem,
})

export const rootOperation = {
  operationId: 'readSensorThings',
  summary: 'OGC SensorThings API 1.1: the sets of entities, and what is supported',
  description: 'The hub supports reading; data comes in by push.',
  tags,
  response: { 200: json('The addresses of all sets')[200] },
}

export const resourceOperation = {
  operationId: 'readSensorThingsResource',
  summary: 'Entities of SensorThings: stations, series, measurements',
  description:
    'A set such as Things, or one entity such as Things(1), which leads on: Things(1)/Datastreams, Datastreams(2)/Thing/name/$value, Things/$ref. At Observations are the values that the caller may see.',
  tags,
  params: Type.Object({
    resource: Type.String({
      maxLength: 100,
      description: 'A set or one entity of it',
      examples: ['Things'],
    }),
  }),
  querystring: parameters,
  response: json('A page with value and @iot.nextLink, one entity, or one property'),
}

/** Further down the same parameters mean the same. */
export const deeperOperation = { hide: true, querystring: parameters }
