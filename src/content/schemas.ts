import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { problem } from '../lang/schemas.ts'
import type { Entity, Profile } from './entity.ts'
import { explanation } from './explain.ts'
import { formatParameters, formatsOf, streamParameters } from './formats/index.ts'
import {
  exampleIdOf,
  itemParameters,
  itemParametersOf,
  listParameters,
  parametersOf,
} from './parameters.ts'
import { readJsonBodies } from '../http/index.ts'
import { envelopeOf } from './pages.ts'

const listQuery = Type.Object({
  ...listParameters.properties,
  ...formatParameters,
  ...streamParameters,
})

/** Parameters of a list: filters, what to show of each record, and the format. */
const listQueryOf = (entity: Entity, profile: Profile): typeof listQuery =>
  Object.assign(
    {},
    listQuery,
    Type.Object({ ...listQuery.properties, ...parametersOf(entity, profile) }),
  )

const itemQuery = Type.Object({ ...itemParameters.properties, ...formatParameters })

const itemQueryOf = (entity: Entity): typeof itemQuery =>
  Object.assign(
    {},
    itemQuery,
    Type.Object({ ...itemQuery.properties, ...itemParametersOf(entity) }),
  )

/** `GET /v1/{EntityType}` (interface 4.4). */
export const listOperation = (entity: Entity, profile: Profile) => ({
  operationId: `list${entity.name}`,
  summary: `List: ${entity.summary}`,
  description:
    'A page of the records that the caller can see and that match all filters. Returns all of them with stream=true, their identifiers with getasidarray=true, groups of them with groupby and agg, and an explanation of the filters with explain=true.',
  tags: ['Content'],
  querystring: listQueryOf(entity, profile),
  response: { 200: answerOf(entity, 'list'), 400: problem, ...checked(entity), 503: problem },
})

/** The list of an entity at an additional path, such as `GET /v1` (interface 4.3). */
export const furtherListOperation = (
  entity: Entity,
  { profile, index }: { readonly profile: Profile; readonly index: number },
) => ({
  ...listOperation(entity, profile),
  operationId: `list${entity.name}${String(index + 2)}`,
})

/** `POST /v1/{EntityType}Search` (decision D26): the parameters of the list as a JSON object. */
export const searchOperation = (entity: Entity, profile: Profile) => ({
  operationId: `search${entity.name}`,
  summary: `List, with the parameters in the body: ${entity.summary}`,
  description: 'For parameters too long for a URL, such as polygons. Returns the same as GET.',
  tags: ['Content'],
  body: Object.assign({}, listQueryOf(entity, profile), { examples: [{ pagesize: 2 }] }),
  response: {
    200: answerOf(entity, 'list'),
    400: problem,
    413: problem,
    415: problem,
    503: problem,
  },
})

/** `GET /v1/{EntityType}/{id}` (interface 4.4). */
export const itemOperation = (entity: Entity) => ({
  operationId: `get${entity.name}`,
  summary: `One record: ${entity.summary}`,
  description: 'A record that the caller cannot see returns 404.',
  tags: ['Content'],
  params: Type.Object({
    id: Type.String({
      maxLength: 500,
      description: 'Identifier; see idlist of the list',
      examples: [exampleIdOf(entity)],
    }),
  }),
  querystring: itemQueryOf(entity),
  response: {
    200: answerOf(entity, 'item'),
    400: problem,
    ...checked(entity),
    404: problem,
    503: problem,
  },
})

/**
 * Further responses of requests with `availabilitycheck`, which requires a token (decision D39).
 */
const checked = ({ name }: Entity) => (name === 'Accommodation' ? { 401: problem } : {})

type Reads = {
  readonly list: ReturnType<typeof listOperation>
  readonly item: ReturnType<typeof itemOperation>
}

/**
 * Returns the reads of an entity at another spelling of its path: `GET /v1/GeoShape` (reference
 * content.md 6.5).
 */
export function aliasReads({ list, item }: Reads, alias: string): Reads {
  return {
    list: { ...list, operationId: `${list.operationId}At${alias}` },
    item: { ...item, operationId: `${item.operationId}At${alias}` },
  }
}

/**
 * Returns the reads of an entity at a former path, marked as deprecated: `GET /v1/HubTag`
 * (interface 4.7).
 */
export function formerReads(reads: Reads, former: string): Reads {
  const { list, item } = aliasReads(reads, former)
  const isFormer = { deprecated: true }
  return { list: { ...list, ...isFormer }, item: { ...item, ...isFormer } }
}

/**
 * Returns the response in each of its media types. Only JSON has a schema; other formats are
 * described in words.
 */
function answerOf(entity: Entity, kind: 'item' | 'list') {
  const record = Type.Ref(entity.schema.$id)
  const content = formatsOf(entity, kind).flatMap(({ name, summary, mediaTypes }) => {
    const own =
      kind === 'list'
        ? Type.Union([Type.Ref(listNameOf(entity)), Type.Array(Type.String()), explanation, groups])
        : record
    const schema: TSchema = name === 'json' ? own : Type.Unsafe({ description: summary })
    return mediaTypes.map((mediaType) => [mediaType, { schema }] as const)
  })
  return {
    description: kind === 'list' ? 'A page of records' : 'The record',
    content: Object.fromEntries(content),
  }
}

/** Seed of a random order, null for any other order. */
const seed = Type.Union([Type.String(), Type.Null()])

/**
 * Response with `groupby` and `agg`: flat objects, whose fields are named after the paths and
 * aggregates as written.
 */
const groups = envelopeOf(Type.Array(Type.Record(Type.String(), Type.Unknown())), seed)

const listNameOf = ({ schema }: Entity) => `${schema.$id}JsonResult`

/**
 * Returns the schema of the list envelope (interface 2.1), with the fields in the order of decision
 * D20.
 */
export function listResultOf(entity: Entity) {
  const record = Type.Ref(entity.schema.$id)
  return Object.assign(envelopeOf(Type.Array(record), seed), {
    $id: listNameOf(entity),
  })
}

const nothing = {
  TotalResults: 0,
  TotalPages: 0,
  CurrentPage: 1,
  PreviousPage: null,
  NextPage: null,
  Seed: null,
  Items: [],
}

/**
 * Serves an empty list of publishers' responses to records that were sent to them. The hub sends
 * none, but clients of the public system request the list and fail without an envelope (decision
 * D36a).
 */
export function answerPushResponses(app: FastifyInstance): Promise<void> {
  readJsonBodies(app)
  app.post('/v1/PushResponseSearch', { schema: { hide: true } }, () => nothing)
  return Promise.resolve()
}
