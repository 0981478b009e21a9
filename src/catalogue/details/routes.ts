import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  checkExpression,
  expressions,
  listMembers,
  rawFilterOperators,
} from '../../content/index.ts'
import type { Entity, Profile } from '../../content/index.ts'
import { isUnchanged, jsonType, weakEtag } from '../../http/index.ts'
import type { Exchange } from '../../http/index.ts'
import type { Queryable } from '../../storage/index.ts'
import {
  checkTimeseriesExpression,
  listFields,
  timeseriesExpressions,
  whereOperators,
} from '../../timeseries/index.ts'
import type { ReadKind } from '../../timeseries/index.ts'
import type { Dataset, Values } from '../dataset.ts'
import type { CatalogueDeps } from '../keep-current.ts'
import { numbering } from '../numbering.ts'
import { rememberAnswers } from './remember.ts'
import type { Answer } from './remember.ts'
import { checkOperation, membersOperation, valuesOperation } from './schemas.ts'
import { describeValues } from './values.ts'

/** A dataset that was found for a caller. */
export type FoundDataset = {
  readonly dataset: Dataset
  readonly values: Values
  /** What titles of tags are read from. */
  readonly tags: readonly unknown[]
}

/** Answers that are kept: members and values of every dataset, for some kinds of rights. */
const mostAnswers = 500

type Params = { readonly service: string; readonly type: string }

type Deps = CatalogueDeps & {
  /** @throws AppError HUB-RTE-003 for a dataset that the caller may not know of */
  readonly find: (request: FastifyRequest, params: Params) => Promise<FoundDataset>
  /** Sets the headers that tell what shaped the answer. */
  readonly tell: (request: FastifyRequest, reply: FastifyReply) => void
}

/** What those need who build a request for a dataset: members, values in use, a look at expressions. */
export const detailRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { find, tell, database, profile = 'strict' } = deps
    const remember = rememberAnswers(mostAnswers)
    const numbers = numbering()
    const path = '/catalogue/:service/:type'
    app.get(`${path}/members`, { schema: membersOperation }, async (request, reply) => {
      tell(request, reply)
      const { dataset, values } = await find(request, request.params)
      const { id, type } = dataset
      const entity = entityOf(deps, dataset)
      const members = async () =>
        entity === undefined ? stationMembers(database, type) : entityMembers(entity)
      const make = async () => toAnswer({ id, ...(await members()) })
      // Stations are summarised anew whenever one of them changed.
      const basis = [entity ?? values.dataTypes]
      return send({ request, reply }, await remember({ key: `members ${id}`, basis, make }))
    })
    app.get(`${path}/values`, { schema: valuesOperation }, async (request, reply) => {
      tell(request, reply)
      const { dataset, values, tags } = await find(request, request.params)
      const { id } = dataset
      const visibility = deps.visibilityOf(request.principal)
      const make = async () => toAnswer({ id, ...(await describeValues(deps, values, visibility)) })
      const basis = [visibility, ...tags, ...Object.values(values)]
      const key = `values ${String(numbers(visibility))} ${id}`
      return send({ request, reply }, await remember({ key, basis, make }))
    })
    app.get(`${path}/check`, { schema: checkOperation }, async (request, reply) => {
      tell(request, reply)
      const { dataset } = await find(request, request.params)
      const entity = entityOf(deps, dataset)
      const { query } = request
      const checks =
        entity === undefined ? checkStations(profile, query) : checkRecords(entity, query)
      return send({ request, reply }, toAnswer({ id: dataset.id, checks }))
    })
    return Promise.resolve()
  }

/** The entity whose lists show a dataset; undefined for stations. */
function entityOf({ entities }: CatalogueDeps, { service, type }: Dataset): Entity | undefined {
  if (service === 'timeseries') return undefined
  const name = service === 'traffic' ? 'Announcement' : type
  return entities.find((entity) => entity.name === name)
}

function toAnswer(body: object): Answer {
  const text = JSON.stringify(body)
  return { text, etag: weakEtag([text]) }
}

function send({ request, reply }: Exchange, { text, etag }: Answer) {
  if (isUnchanged(request, reply, etag)) return reply.send()
  return reply.type(jsonType).send(text)
}

type Query = Readonly<Record<string, unknown>> & { readonly at: ReadKind }

/** Checks the expressions of a request to the lists of an entity. */
function checkRecords(entity: Entity, query: Query) {
  return [
    ...expressions.flatMap((parameter) => {
      const written = query[parameter]
      if (typeof written !== 'string') return []
      return [{ parameter, ...checkExpression(entity, parameter, written) }]
    }),
    ...strangers(query, timeseriesExpressions, 'the time series service'),
  ]
}

/** Checks the expressions of a request to the stations of a type. */
function checkStations(profile: Profile, query: Query) {
  return [
    ...timeseriesExpressions.flatMap((name) => {
      const written = query[name]
      if (typeof written !== 'string') return []
      const checked = checkTimeseriesExpression({ name, written, at: query.at, profile })
      return [{ parameter: name, ...checked, warnings: [] }]
    }),
    ...strangers(query, expressions, 'the content service'),
  ]
}

/** Parameters that the dataset does not take. */
function strangers(query: Query, names: readonly string[], service: string) {
  return names
    .filter((name) => typeof query[name] === 'string')
    .map((parameter) => {
      const detail = `${parameter} belongs to ${service}`
      const told = { valid: false, canonical: null, warnings: [] }
      return { parameter, ...told, errors: [{ parameter, detail }] }
    })
}

/** The members of the records of an entity. */
function entityMembers(entity: Entity) {
  const members = listMembers(entity).map((member) => ({
    ...member,
    operators: [],
    at: 'records',
  }))
  return { language: 'rawfilter', operators: rawFilterOperators, members }
}

/** The fields of a station type. */
async function stationMembers(database: Queryable, type: string) {
  const fields = await listFields(database, type)
  const members = fields.map(({ name, type: kind, operators, at }) => ({
    path: name,
    type: kind,
    description: null,
    isList: false,
    canFilter: true,
    canSort: false,
    takesToken: false,
    deprecated: null,
    operators,
    at,
  }))
  return { language: 'where', operators: whereOperators, members }
}
