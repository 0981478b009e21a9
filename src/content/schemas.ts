import { Type } from 'typebox'
import type { Entity } from './entity.ts'
import { itemParameters, listParameters } from './parameters.ts'

const problem = Type.Ref('ProblemDetails')

/** `GET /v1/{EntityType}` (interface 4.4). */
export const listOperation = (entity: Entity) => ({
  operationId: `list${entity.name}`,
  summary: `List: ${entity.summary}`,
  tags: ['Content'],
  querystring: listParameters,
  response: {
    200: Type.Object({
      TotalResults: Type.Integer(),
      TotalPages: Type.Integer(),
      CurrentPage: Type.Integer(),
      PreviousPage: Type.Union([Type.String(), Type.Null()]),
      NextPage: Type.Union([Type.String(), Type.Null()]),
      Seed: Type.Union([Type.String(), Type.Null()]),
      Items: Type.Array(Type.Ref(entity.schema.$id)),
    }),
    400: problem,
    503: problem,
  },
})

/** `GET /v1/{EntityType}/{id}` (interface 4.4). */
export const itemOperation = (entity: Entity) => ({
  operationId: `get${entity.name}`,
  summary: `One record: ${entity.summary}`,
  tags: ['Content'],
  params: Type.Object({ id: Type.String({ maxLength: 500 }) }),
  querystring: itemParameters,
  response: { 200: Type.Ref(entity.schema.$id), 400: problem, 404: problem, 503: problem },
})
