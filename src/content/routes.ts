import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { requirePrincipal } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { isUnchanged, jsonType, setCaching, wantsStrictHandling } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import type { Entity } from './entity.ts'
import { getEntity } from './item/get-entity.ts'
import { listEntities, listEtag } from './list/list-entities.ts'
import { planList } from './list/plan.ts'
import type { Caller } from './list/plan.ts'
import { createTotals } from './list/totals.ts'
import { itemOperation, listOperation } from './schemas.ts'

export type ContentDeps = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
}

/** The content service: list and single reads of every entity (interface 4.4). */
export const contentRoutes =
  (deps: ContentDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const entity of deps.entities) await app.register(entityRoutes(entity, deps))
  }

const entityRoutes =
  (entity: Entity, { database, publicUrl, visibilityOf }: ContentDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.addSchema(entity.schema)
    if (entity.needsToken) {
      app.addHook('preHandler', (request, _reply, done) => {
        requirePrincipal(request.principal)
        done()
      })
    }
    const lists = { database: database.read, totals: createTotals(database.read), publicUrl }
    const items = { database: database.read, publicUrl }

    app.get(`/v1/${entity.path}`, { schema: listOperation(entity) }, async (request, reply) => {
      const plan = planList(entity, request.query, callerOf(request, visibilityOf))
      setCaching(reply, request.principal)
      if (request.headers['if-none-match'] !== undefined) {
        if (isUnchanged(request, reply, await listEtag(lists, plan, request.url)))
          return reply.send()
      }
      const { etag, body } = await listEntities(lists, plan, request.url)
      return reply.header('etag', etag).type(jsonType).send(body)
    })

    app.get(`/v1/${entity.path}/:id`, { schema: itemOperation(entity) }, async (request, reply) => {
      const wanted = { entity, id: request.params.id, query: request.query }
      const answer = await getEntity(items, wanted, callerOf(request, visibilityOf))
      setCaching(reply, request.principal)
      if (answer.lastModified !== undefined) {
        void reply.header('last-modified', answer.lastModified.toUTCString())
      }
      if (isUnchanged(request, reply, answer.etag)) return reply.send()
      return reply.type(jsonType).send(answer.body)
    })
    return Promise.resolve()
  }

function callerOf(request: FastifyRequest, visibilityOf: ContentDeps['visibilityOf']): Caller {
  return {
    visibility: visibilityOf(request.principal),
    isAnonymous: request.principal.kind === 'anonymous',
    isStrict: wantsStrictHandling(request.headers['prefer']),
  }
}
