import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged, jsonType, weakEtag } from '../../http/index.ts'
import { makerOf } from '../datasets/index.ts'
import type { Maker } from '../datasets/index.ts'
import type { Entity } from '../entity.ts'
import { parseFields } from '../fields/parse-fields.ts'
import type { Caller } from '../list/plan.ts'
import { toEnvelope } from '../page-envelope.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf } from '../reading.ts'
import { loadFound, loadVersion } from './load-found.ts'
import { filterOperation, findOperation } from './operation.ts'
import type { FilterQuery } from './operation.ts'
import { assertExpression, chooseEntities, planFind } from './plan.ts'
import type { FindPlan } from './plan.ts'
import { tellHeaders } from './tell-headers.ts'
import { toSearch } from './search.ts'
import type { Search } from './search.ts'
import type { Shown } from './to-item.ts'
import { writeFound } from './write-found.ts'
import type { Made } from './write-found.ts'

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** What both addresses understand of a request. */
type Wanted = {
  readonly query: Omit<FilterQuery, 'expression'>
  readonly search: Search | undefined
  readonly rawfilter: string | undefined
  /** Members of the envelope beside those of every list. */
  readonly additions: object
}

/** `GET /v1/Find` and `GET /v1/Filter`: records of all entities (interface 4.7, decision D36). */
export const findRoutes =
  (deps: ReadDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { entities, profile = 'strict' } = deps
    const answer = answerer(deps)
    app.get('/v1/Find', { schema: findOperation(entities, profile) }, (request, reply) => {
      const { query } = request
      const { rawfilter } = query
      const additions = { searchTerm: query.q.trim() }
      const wanted = { query, search: toSearch(query), rawfilter, additions }
      return answer({ request, reply }, wanted)
    })
    app.get('/v1/Filter', { schema: filterOperation(entities, profile) }, (request, reply) => {
      const { query } = request
      assertExpression(query.expression)
      const wanted = { query, search: undefined, rawfilter: query.expression, additions: {} }
      return answer({ request, reply }, wanted)
    })
    return Promise.resolve()
  }

function answerer(deps: ReadDeps) {
  const { database, entities: all } = deps
  const makers = new Map(all.map((entity) => [entity, makerOf(entity, deps)]))
  return async ({ request, reply }: Exchange, wanted: Wanted) => {
    const caller = callerOf(request, deps.visibilityOf)
    const plan = await planWanted(deps, { request, caller }, wanted)
    const shown = toShown(wanted.query)
    tellHeaders(
      deps,
      { request, reply },
      { plan, caller, fields: shown.fields, query: wanted.query },
    )
    const made = await makeFor(makers, plan, { shown, caller })
    const tag = (version: string) => weakEtag([version, request.url, rightsOf(plan, made)])
    if (request.headers['if-none-match'] !== undefined) {
      if (isUnchanged(request, reply, tag(await loadVersion(database, plan)))) return reply.send()
    }
    const { version, ...found } = await loadFound(database, plan)
    const envelope = toText(deps, request.url, { plan, ...found, ...wanted })
    const body = await writeFound({ ...deps, made }, { plan, shown, envelope, ...found })
    return reply.header('etag', tag(version)).type(jsonType).send(body)
  }
}

type Asker = { readonly request: FastifyRequest; readonly caller: Caller }

function planWanted(deps: ReadDeps, { request, caller }: Asker, wanted: Wanted): Promise<FindPlan> {
  const { principal } = request
  const { query, search, rawfilter } = wanted
  const { rawsort, locfilter, limitto, pagenumber, pagesize } = query
  const entities = chooseEntities(deps, query.type, principal)
  const asked = { search, rawfilter, rawsort, locfilter, limitto, pagenumber, pagesize }
  return planFind(deps, { principal, caller, entities, ...asked })
}

function toShown({ language, fields, removenullvalues }: Wanted['query']): Shown {
  return { language, fields: parseFields(fields ?? []), removeNullValues: removenullvalues }
}

/** What is made on read, of the entities that have such members and where they are shown. */
async function makeFor(
  makers: ReadonlyMap<Entity, Maker>,
  { branches }: FindPlan,
  { shown, caller }: { readonly shown: Shown; readonly caller: Caller },
): Promise<Made> {
  const made = new Map<Entity, NonNullable<Awaited<ReturnType<Maker>>>>()
  if (shown.fields.length === 0) return made
  for (const { list } of branches) {
    const asked = { ...list.representation, fields: shown.fields }
    const one = await makers.get(list.entity)?.(asked, caller.visibility)
    if (one !== undefined) made.set(list.entity, one)
  }
  return made
}

/** The conditions hold the caller's rights, so two callers share a tag only if they see the same. */
function rightsOf({ branches, pageSize }: FindPlan, made: Made): string {
  const conditions = branches.map(({ where, list }) => [where.text, where.values, list.reduced])
  return JSON.stringify([conditions, pageSize, [...made.values()].map(({ basis }) => basis)])
}

type Counted = {
  readonly plan: FindPlan
  readonly counts: ReadonlyMap<number, number>
  readonly additions: object
}

/** The envelope without its items. */
function toText(
  { publicUrl }: ReadDeps,
  url: string,
  { plan, counts, additions }: Counted,
): string {
  const { pageNumber, pageSize, branches } = plan
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const results = new Map(
    [...counts].map(([place, count]) => [branches[place]?.list.entity.type ?? '', count]),
  )
  return JSON.stringify({
    ...toEnvelope({ publicUrl, url, total, pageNumber, pageSize }),
    ...additions,
    detailedResults: Object.fromEntries(results),
  })
}
