import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Entity } from '../../content/index.ts'
import { isUnchanged, jsonType, weakEtag } from '../../http/index.ts'
import type { Dataset, Values } from '../dataset.ts'
import type { CatalogueDeps } from '../keep-current.ts'
import { numbering } from '../numbering.ts'
import { checkRecords, checkStations } from './check.ts'
import { entityMembers, stationMembers } from './members.ts'
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

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

function toAnswer(body: object): Answer {
  const text = JSON.stringify(body)
  return { text, etag: weakEtag([text]) }
}

function send({ request, reply }: Exchange, { text, etag }: Answer) {
  if (isUnchanged(request, reply, etag)) return reply.send()
  return reply.type(jsonType).send(text)
}
