import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Entity } from '../../content/index.ts'
import { isUnchanged, jsonType, weakEtag } from '../../http/index.ts'
import type { Dataset, Values } from '../dataset.ts'
import type { CatalogueDeps } from '../keep-current.ts'
import { checkRecords, checkStations } from './check.ts'
import { entityMembers, stationMembers } from './members.ts'
import { checkOperation, membersOperation, valuesOperation } from './schemas.ts'
import { describeValues } from './values.ts'

/** A dataset that was found for a caller. */
export type FoundDataset = { readonly dataset: Dataset; readonly values: Values }

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
    const path = '/catalogue/:service/:type'
    app.get(`${path}/members`, { schema: membersOperation }, async (request, reply) => {
      tell(request, reply)
      const { dataset } = await find(request, request.params)
      const entity = entityOf(deps, dataset)
      const told =
        entity === undefined ? await stationMembers(database, dataset.type) : entityMembers(entity)
      return send({ request, reply }, { id: dataset.id, ...told })
    })
    app.get(`${path}/values`, { schema: valuesOperation }, async (request, reply) => {
      tell(request, reply)
      const { dataset, values } = await find(request, request.params)
      const visibility = deps.visibilityOf(request.principal)
      const told = await describeValues(deps, values, visibility)
      return send({ request, reply }, { id: dataset.id, ...told })
    })
    app.get(`${path}/check`, { schema: checkOperation }, async (request, reply) => {
      tell(request, reply)
      const { dataset } = await find(request, request.params)
      const entity = entityOf(deps, dataset)
      const { query } = request
      const checks =
        entity === undefined ? checkStations(profile, query) : checkRecords(entity, query)
      return send({ request, reply }, { id: dataset.id, checks })
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

function send({ request, reply }: Exchange, body: object) {
  const text = JSON.stringify(body)
  if (isUnchanged(request, reply, weakEtag([text]))) return reply.send()
  return reply.type(jsonType).send(text)
}
