import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { requirePrincipal } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import {
  addLink,
  contentTypeOf,
  isUnchanged,
  jsonType,
  readParameters,
  reasonFor,
  setCaching,
  tellIgnored,
  tellWithheld,
  wantsStrictHandling,
} from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { makerOf, readStored, withMade } from './datasets/index.ts'
import type { Maker, Mobility } from './datasets/index.ts'
import { deprecationRoutes, tellUses } from './deprecations/index.ts'
import { editRoutes, writeResult } from './edit/index.ts'
import type { Entity } from './entity.ts'
import { explainList } from './explain/index.ts'
import { chooseFormat, fallback, parametersIgnored } from './formats/index.ts'
import type { Choice } from './formats/index.ts'
import { historyRoutes } from './history/index.ts'
import { getEntity } from './item/get-entity.ts'
import { listEntities, listEtag } from './list/list-entities.ts'
import { isVisible, planList } from './list/plan.ts'
import type { Caller } from './list/plan.ts'
import type { Profile } from './list/seed.ts'
import { createTotals } from './list/totals.ts'
import { toRepresentation } from './representation/index.ts'
import { furtherListOperation, itemOperation, listOperation, searchOperation } from './schemas.ts'
import { answerPushResponses } from './push-responses.ts'
import { readJsonBodies, toAddress, toParameters } from './search-body.ts'
import { toExtent } from './to-extent.ts'
import { withheldFields, withheldRecords } from './withheld.ts'

export type ContentDeps = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  /** Without a clock no day counts as past, and nothing can be written. */
  readonly now?: () => Date
  /** To the letter of the interface, or as clients of the public system expect (decision D0). */
  readonly profile?: Profile
  /** Of bodies of writes, in bytes. */
  readonly bodyLimit?: number
  /** The datasets of the time series service, which metadata records describe too. */
  readonly mobility?: Mobility
}

/** The content service: list and single reads of every entity (interface 4.4). */
export const contentRoutes =
  (deps: ContentDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addSchema(writeResult)
    await deprecationRoutes(app, deps)
    for (const entity of deps.entities) await app.register(entityRoutes(entity, deps))
    if (deps.profile === 'compatible') await app.register(answerPushResponses)
  }

const entityRoutes =
  (entity: Entity, deps: ContentDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addSchema(entity.schema)
    const { profile = 'strict' } = deps
    if (entity.needsToken === true || entity.needsToken === profile) requireTokens(app)
    const make = makerOf(entity, { ...deps, database: deps.database.read })
    const list = lister(entity, deps, make)
    const path = `/v1/${entity.path}`

    app.get(path, { schema: listOperation(entity, profile) }, async (request, reply) =>
      list({ request, reply }, request.query, request.url),
    )
    app.get(`${path}/:id`, { schema: itemOperation(entity) }, async (request, reply) =>
      sendItem(entity, { ...deps, make }, { request, reply }),
    )
    for (const [index, further] of entity.furtherPaths.entries()) {
      const schema = furtherListOperation(entity, { profile, index })
      app.get(further, { schema }, async (request, reply) =>
        list({ request, reply }, request.query, request.url),
      )
    }
    // A view of mobility events is written by pushing events.
    if (entity.area === 'content') await app.register(writtenRoutes(entity, deps))
    await app.register((searches) => {
      readJsonBodies(searches)
      const schema = searchOperation(entity, profile)
      searches.post(`${path}Search`, { schema }, async (request, reply) => {
        const written = toParameters(request.body)
        const query = readParameters({ request, reply }, schema.body, written)
        if (!Check(schema.body, query))
          throw new TypeError('read parameters do not fit their schema')
        return list({ request, reply }, query, toAddress(path, written))
      })
      return Promise.resolve()
    })
  }

/** What there is for entities that are stored here: writes, and what records were before. */
const writtenRoutes =
  (entity: Entity, deps: ContentDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, publicUrl, visibilityOf, now, bodyLimit = 10_485_760 } = deps
    const readBy = (request: FastifyRequest) => callerOf(request, visibilityOf)
    await app.register(
      historyRoutes(entity, { database: database.read, publicUrl, callerOf: readBy }),
    )
    if (now === undefined) return
    await app.register(editRoutes(entity, { database, publicUrl, visibilityOf, now, bodyLimit }))
  }

function requireTokens(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    requirePrincipal(request.principal)
    done()
  })
}

type ListQuery = Static<ReturnType<typeof listOperation>['querystring']>

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Answers a list: parse, plan, then run unless the caller has this very answer already. */
function lister(entity: Entity, deps: ContentDeps, make: Maker) {
  const { publicUrl, profile = 'strict' } = deps
  const database = deps.database.read
  const lists = { database, totals: createTotals(database), publicUrl }
  return async ({ request, reply }: Exchange, query: ListQuery, url: string) => {
    const caller = callerOf(request, deps.visibilityOf)
    const choice = query.getasidarray
      ? fallback
      : choose(entity, 'list', { request, query, caller })
    const { now } = deps
    const clock = now === undefined ? {} : { now }
    const planning = { ...caller, ...clock, database, profile, principal: request.principal }
    const planned = await planList(entity, query, planning)
    const stored = readWhole({ ...planned, ...toExtent(query, choice) }, choice)
    const made = await make(stored.representation, caller.visibility)
    const plan = withMade(stored, made)
    const wanted = { plan, choice, url, bom: query.bom }
    const withheld = [...withheldFields(entity, caller), ...withheldRecords(entity, caller)]
    setCaching(reply, request.principal)
    tellWithheld(reply, withheld, reasonFor(request.principal))
    tellUses(reply, { entity, fields: plan.representation.fields, query, publicUrl })
    if (query.explain) {
      const visible = isVisible(entity, caller.visibility)
      return reply
        .type(jsonType)
        .send(JSON.stringify(await explainList({ database, visible }, plan)))
    }
    tellIgnored(reply, parametersIgnored(choice, query, caller))
    if (request.method !== 'POST' && request.headers['if-none-match'] !== undefined) {
      if (isUnchanged(request, reply, await listEtag(lists, wanted))) return reply.send()
    }
    const { etag, body, next } = await listEntities(lists, wanted)
    if (next !== undefined) addLink(reply, { target: next, relation: 'next' })
    return reply.header('etag', etag).type(contentTypeOf(choice)).send(body)
  }
}

type ItemRequest = FastifyRequest<{
  Params: { id: string }
  Querystring: Static<ReturnType<typeof itemOperation>['querystring']>
}>

async function sendItem(
  entity: Entity,
  { database, publicUrl, visibilityOf, make }: ContentDeps & { readonly make: Maker },
  { request, reply }: { readonly request: ItemRequest; readonly reply: FastifyReply },
) {
  const { query, params, principal } = request
  const caller = callerOf(request, visibilityOf)
  const choice = choose(entity, 'item', { request, query, caller })
  const reduced = caller.isAnonymous && entity.closedMembers.length > 0
  const stored = { representation: toRepresentation(query, { entity, reduced }) }
  const made = await make(stored.representation, caller.visibility)
  const { representation } = readStored(readWhole(stored, choice), made)
  const asked = { entity, id: params.id, representation, choice, bom: query.bom }
  const wanted = made === undefined ? asked : { ...asked, made }
  // A record that the caller may not see is 404, and so is one that does not exist.
  tellWithheld(reply, withheldRecords(entity, caller), reasonFor(principal))
  tellIgnored(reply, parametersIgnored(choice, query, caller))
  const answer = await getEntity({ database: database.read, publicUrl }, wanted, caller)
  setCaching(reply, principal)
  tellWithheld(reply, withheldFields(entity, caller), reasonFor(principal))
  tellUses(reply, { entity, fields: representation.fields, query, publicUrl })
  if (answer.lastModified !== undefined) {
    void reply.header('last-modified', answer.lastModified.toUTCString())
  }
  if (isUnchanged(request, reply, answer.etag)) return reply.send()
  return reply.type(contentTypeOf(answer.choice)).send(answer.body)
}

type Choosing = {
  readonly request: FastifyRequest
  readonly query: { readonly format?: string }
  readonly caller: Caller
}

function choose(entity: Entity, kind: 'item' | 'list', { request, query, caller }: Choosing) {
  const { accept } = request.headers
  return chooseFormat({ entity, kind, format: query.format, accept, isStrict: caller.isStrict })
}

/** A format that is made from whole records has their fields selected after they are read. */
function readWhole<Plan extends { readonly representation: ReturnType<typeof toRepresentation> }>(
  plan: Plan,
  { format }: Choice,
): Plan {
  if (!format.needsWhole) return plan
  return { ...plan, representation: { ...plan.representation, selectedBy: 'hub' } }
}

function callerOf(request: FastifyRequest, visibilityOf: ContentDeps['visibilityOf']): Caller {
  return {
    visibility: visibilityOf(request.principal),
    isAnonymous: request.principal.kind === 'anonymous',
    isStrict: wantsStrictHandling(request.headers['prefer']),
  }
}
