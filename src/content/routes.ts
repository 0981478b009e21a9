import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Principal, Visibility } from '../access/index.ts'
import {
  answerRead,
  contentTypeOf,
  fileNameHeader,
  heavyReads,
  jsonType,
  rememberPlans,
  weakEtag,
} from '../http/index.ts'
import type { Outside } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import type { AvailabilityProvider } from './availability/offers.ts'
import { availabilityRoutes } from './availability/routes.ts'
import { makerOf, withMade } from './datasets/index.ts'
import type { Maker, Mobility } from './datasets/index.ts'
import { deprecationRoutes } from './deprecations/index.ts'
import { deprecatedUses, reportDeprecated } from './deprecations/uses.ts'
import { distinctRoutes } from './distinct/index.ts'
import { editRoutes, writeResult } from './edit/index.ts'
import { activityViewsOf } from './entities/activity-views.ts'
import type { ActivityView } from './entities/activity-views.ts'
import type { Entity, Profile } from './entity.ts'
import { explainList } from './explain.ts'
import { findRoutes } from './find/index.ts'
import { chooseGroupFormat, fallback } from './formats/index.ts'
import type { Choice } from './formats/index.ts'
import { geoConverterRoutes } from './geo-converter/index.ts'
import { isGrouped, planGroups, readGrouping } from './group/grouping.ts'
import type { Grouping } from './group/grouping.ts'
import { listGroups } from './group/list-groups.ts'
import { historyRoutes } from './history.ts'
import { itemReader } from './item.ts'
import type { AnswerItem } from './item.ts'
import { idleParameters } from './list/idle-parameters.ts'
import { isHeavy, listEntities, listEtag } from './list/list-entities.ts'
import { createTotals, narrowPlan } from './list/load-page.ts'
import type { Totals } from './list/load-page.ts'
import { isVisible } from './table.ts'
import type { Caller } from './list/plan.ts'
import { locationRoutes } from './locations.ts'
import type { NearStations } from './nearby/nearest.ts'
import { requireTokens } from './parameters.ts'
import {
  callerOf,
  choose,
  planningOf,
  readWhole,
  toExtent,
  withheldFields,
  withheldFromList,
} from './reading.ts'
import {
  aliasReads,
  answerPushResponses,
  formerReads,
  furtherListOperation,
  itemOperation,
  listOperation,
  listResultOf,
} from './schemas.ts'
import { searchRoute } from './search-route.ts'
import type { AnswerList } from './search-route.ts'
import { typeListRoutes } from './type-lists/index.ts'

export type ContentDeps = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  /** Current time. Without a clock, no day counts as past, and nothing can be written. */
  readonly now?: () => Date
  /** By default `strict` (decision D0). */
  readonly profile?: Profile
  /** Maximum size of the bodies of writes, in bytes. */
  readonly bodyLimit?: number
  /** The datasets of the time series service, which metadata records describe as well. */
  readonly mobility?: Mobility
  /** Source of free rooms. By default the pushed availability (decision D39). */
  readonly availability?: AvailabilityProvider
  /** Source of stations and their latest values, for `near`. By default there are no stations. */
  readonly stations?: NearStations
  /** IANA name of the time zone in which the days of stays start. */
  readonly timeZone?: string
  /** Source of the files at URLs that are to be converted. The internet, except in tests. */
  readonly outside?: Outside
}

/**
 * Routes of the content service: lists and single reads of every entity (interface 4.4), writes,
 * and the services around them.
 */
export const contentRoutes =
  (deps: ContentDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addSchema(writeResult)
    await deprecationRoutes(app, deps)
    await app.register(geoConverterRoutes(deps))
    const listing = { ...deps, totals: createTotals() }
    for (const entity of deps.entities) await app.register(entityRoutes(entity, listing))
    const reading = { ...deps, database: deps.database.read }
    await app.register(locationRoutes(reading))
    await app.register(distinctRoutes(reading))
    await app.register(findRoutes(reading))
    await app.register(typeListRoutes(reading))
    if (deps.profile === 'compatible') await app.register(answerPushResponses)
  }

type ListDeps = ContentDeps & { readonly totals: Totals }

const entityRoutes =
  (entity: Entity, deps: ListDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addSchema(entity.schema)
    app.addSchema(listResultOf(entity))
    const { profile = 'strict' } = deps
    if (entity.needsToken === true || entity.needsToken === profile) requireTokens(app)
    const make = makerOf(entity, { ...deps, database: deps.database.read })
    const list = lister(entity, deps, make)
    const path = `/v1/${entity.path}`
    const item = itemReader(entity, { ...deps, make })
    const reads = { list: listOperation(entity, profile), item: itemOperation(entity) }
    addReads(app, { path, reads, list, item })
    for (const former of entity.formerPaths) {
      addReads(app, { path: `/v1/${former}`, reads: formerReads(reads, former), list, item })
    }
    for (const alias of entity.aliasPaths) {
      addReads(app, { path: `/v1/${alias}`, reads: aliasReads(reads, alias), list, item })
    }
    for (const [index, further] of entity.furtherPaths.entries()) {
      const schema = furtherListOperation(entity, { profile, index })
      app.get(further, { schema }, async (request, reply) =>
        list({ request, reply }, request.query, request.url),
      )
    }
    if (profile === 'compatible' && entity.name === entity.naming.activityPoi) {
      for (const view of activityViewsOf(entity.naming)) addView(app, { entity, deps, view, reads })
    }
    // A view of mobility events has no writes of its own: it changes when events are pushed.
    if (entity.area === 'content') await app.register(writtenRoutes(entity, deps))
    await app.register(searchRoute(entity, { profile, list }))
    if (entity.name === 'Accommodation') {
      const checks = { database: deps.database.read, profile, list }
      const plan = (request: FastifyRequest) => planningOf(deps, request)
      await app.register(availabilityRoutes(entity, { ...checks, planningOf: plan }))
    }
  }

type ContentApp = Parameters<FastifyPluginAsyncTypebox>[0]

type Reads = {
  readonly path: string
  readonly reads: {
    readonly list: ReturnType<typeof listOperation>
    readonly item: ReturnType<typeof itemOperation>
  }
  readonly list: AnswerList
  readonly item: AnswerItem
}

function addReads(app: ContentApp, { path, reads, list, item }: Reads): void {
  app.get(path, { schema: reads.list }, async (request, reply) =>
    list({ request, reply }, request.query, request.url),
  )
  app.get(`${path}/:id`, { schema: reads.item }, async (request, reply) => item({ request, reply }))
}

type Viewing = Pick<Reads, 'reads'> & {
  readonly entity: Entity
  readonly deps: ListDeps
  readonly view: ActivityView
}

/**
 * Adds the reads of a view, which has a subset of an entity's records and may show fewer fields.
 */
function addView(app: ContentApp, { entity, deps, view, reads }: Viewing): void {
  const { path, within, fields } = view
  const viewed = { ...entity, path, within }
  const make = makerOf(viewed, { ...deps, database: deps.database.read })
  const all = lister(viewed, deps, make)
  const showsRecords = (query: Parameters<AnswerList>[1]) =>
    !isGrouped(query) && !query.getasidarray && !query.explain
  const list: AnswerList = (exchange, query, url) =>
    all(
      exchange,
      fields !== undefined && showsRecords(query) ? { fields: [...fields], ...query } : query,
      url,
    )
  const item = itemReader(viewed, { ...deps, make })
  addReads(app, { path: `/v1/${path}`, reads: formerReads(reads, path), list, item })
}

/**
 * Returns the routes of entities that the content service stores: writes, and the history of
 * records.
 */
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

/** Number of cached plans per entity. Some seventy entities have lists. */
const plansOfEntity = 50

/**
 * Returns the handler of a list: parse, plan, then run unless the client has the current response
 * cached.
 */
function lister(entity: Entity, deps: ListDeps, make: Maker | undefined): AnswerList {
  const { publicUrl, totals, visibilityOf } = deps
  const places = rememberPlans<{ planned?: Planned }>(plansOfEntity)
  return async ({ request, reply }, query, url) => {
    const { principal } = request
    const text = `${principal.kind} ${JSON.stringify(query)}`
    const place = places(request, { text, rights: visibilityOf(principal) }, () => ({}))
    const planned = place.planned ?? (await toPlanned(entity, deps, { request, query }))
    if (planned.plan.isLasting) place.planned = planned
    const { caller, grouping, choice, withheld, ignored } = planned
    const made = await make?.(planned.plan.representation, caller.visibility)
    const plan = made === undefined ? planned.plan : withMade(planned.plan, made)
    const wanted = { plan, choice, url, bom: query.bom }
    reportDeprecated(reply, { uses: planned.uses, publicUrl })
    const isLong = query.explain || isHeavy(plan)
    const { read } = deps.database
    const database = isLong ? await heavyReads({ request, reply }, deps.database) : read
    if (query.explain) {
      const visible = isVisible(entity, caller.visibility)
      const body = JSON.stringify(await explainList({ database, visible }, plan))
      const run = () => ({ body, type: jsonType, etag: weakEtag([body]) })
      return answerRead({ request, reply }, { withheld, ignored, run })
    }
    const lists = { database, totals, publicUrl }
    const tag = () => listEtag(lists, wanted)
    const load = () =>
      grouping === undefined ? listEntities(lists, wanted) : listGroups(lists, wanted, grouping)
    const headers = fileNameHeader(choice.format, [entity.name])
    const run = async () => ({ ...(await load()), headers, type: contentTypeOf(choice) })
    return answerRead({ request, reply }, { withheld, ignored, tag, run })
  }
}

type PlanRequest = { readonly request: FastifyRequest; readonly query: Parameters<AnswerList>[1] }

/** What follows from the parameters of a list and the caller alone. */
type Planned = Awaited<ReturnType<typeof toPlanned>>

async function toPlanned(entity: Entity, deps: ContentDeps, { request, query }: PlanRequest) {
  const caller = callerOf(request, deps.visibilityOf)
  const grouping = readGrouping(entity, query)
  const choice = chooseForList(entity, { request, query, caller, grouping })
  const planning = { ...planningOf(deps, request), grouping }
  const planned = await narrowPlan(await planGroups(entity, query, planning))
  const plan = readWhole({ ...planned, ...toExtent(query, choice) }, choice)
  return {
    caller,
    grouping,
    choice,
    plan,
    uses: deprecatedUses(entity, { fields: plan.representation.fields, query }),
    withheld: [...withheldFields(entity, caller), ...withheldFromList(planned, caller)],
    ignored: idleParameters({ plan, choice, isGrouped: grouping !== undefined }, query, caller),
  }
}

type Choosing = PlanRequest & {
  readonly caller: Caller
  readonly grouping: Grouping | undefined
}

/** Chooses the format of a list of records, of their identifiers, or of groups of them. */
function chooseForList(entity: Entity, { grouping, ...asked }: Choosing): Choice {
  const { query, request, caller } = asked
  if (grouping !== undefined) {
    const { accept } = request.headers
    return chooseGroupFormat({ format: query.format, accept, isStrict: caller.isStrict })
  }
  return query.getasidarray ? fallback : choose(entity, 'list', asked)
}
