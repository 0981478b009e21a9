import { Type } from 'typebox'
import { form } from '../../errors/index.ts'
import type { Entity } from '../entity.ts'
import { exampleIds } from '../example-ids.ts'

const problem = Type.Ref('ProblemDetails')
const id = Type.String({
  maxLength: 500,
  description: 'Identifier of the record',
  examples: [exampleIds[0]],
})

const version = Type.Object({
  Revision: Type.Integer({ description: 'The first state is 1' }),
  LastUpdate: Type.Unsafe({ type: ['string', 'null'], description: 'When it was saved' }),
  UpdatedBy: Type.Unsafe({
    type: ['string', 'null'],
    description: 'Null when a provider pushed it',
  }),
  Source: Type.Unsafe({ type: ['string', 'null'] }),
  Changes: Type.Unsafe({
    type: ['array', 'null'],
    items: { type: 'object' },
    description: 'What made it of the state before, as a JSON patch (RFC 6902)',
  }),
  Self: Type.String({ description: 'Address of this state of the record' }),
})

const list = Type.Object({
  TotalResults: Type.Integer(),
  TotalPages: Type.Integer(),
  CurrentPage: Type.Integer(),
  PreviousPage: Type.Union([Type.String(), Type.Null()]),
  NextPage: Type.Union([Type.String(), Type.Null()]),
  Seed: Type.Null(),
  Items: Type.Array(version),
})

const json = (description: string, schema: Parameters<typeof Type.Array>[0]) => ({
  description,
  content: { 'application/json': { schema } },
})

/** `GET /v1/{EntityType}/{id}/History`: the states of a record, the newest first. */
export const historyOperation = (entity: Entity) => ({
  operationId: `listHistoryOf${entity.name}`,
  summary: `Versions of a record: ${entity.summary}`,
  description:
    'The hundred states before the present one are kept, of saves that changed the content.',
  tags: ['Content writes'],
  params: Type.Object({ id }),
  querystring: Type.Object({
    pagenumber: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 1000,
      description: 'Page to return',
    }),
    pagesize: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 200,
      description: 'Versions per page',
    }),
  }),
  response: { 200: json('A page of versions', list), 400: problem, 404: problem, 503: problem },
})

/** `GET /v1/{EntityType}/{id}/History/{revision}`: a record as it was. */
export const versionOperation = (entity: Entity) => ({
  operationId: `getVersionOf${entity.name}`,
  summary: `A record as it was: ${entity.summary}`,
  description:
    'As it was after the save that made the version; who may not see the record now sees none.',
  tags: ['Content writes'],
  params: Type.Object({
    id,
    revision: Type.String({
      ...form('^[1-9]\\d{0,8}$', 'is no number of a version; the first is 1'),
      maxLength: 9,
      examples: ['1'],
      description: 'Number of the version; the first is 1',
    }),
  }),
  response: {
    200: json('The record as it was', Type.Ref(entity.schema.$id)),
    400: problem,
    404: problem,
    503: problem,
  },
})
