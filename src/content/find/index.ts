import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { yieldToEventLoop } from '../../async/index.ts'
import { makerOf } from '../datasets/index.ts'
import type { Maker } from '../datasets/index.ts'
import { deprecatedUses, reportDeprecated } from '../deprecations/uses.ts'
import { itemAddress } from '../table.ts'
import type { Entity } from '../entity.ts'
import { toNaming } from '../naming.ts'
import { filterOperation, findOperation } from './operation.ts'
import type { FilterQuery } from './operation.ts'
import {
  assertExpression,
  chooseEntities,
  loadFound,
  loadVersion,
  parseChunk,
  planFind,
  toSearch,
} from './plan.ts'
import type { Branch, FindPlan, Search } from './plan.ts'
import type { LoadedRecord } from '../formats/index.ts'
import { loadChunk } from '../list/open-stream.ts'
import { rewriteRecords } from '../list/plan.ts'
import type { Caller, ListPlan } from '../list/plan.ts'
import { toEnvelope } from '../pages.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf, withheldFields, withheldRecords } from '../reading.ts'
import { languages, reduceLanguage } from '../reduce-language.ts'
import { parseStoredFields, removeNullValues, selectFields } from '../representation.ts'
import type { FieldPath } from '../representation.ts'
import { answerRead, jsonType, weakEtag } from '../../http/index.ts'
import type { Exchange, Withheld } from '../../http/index.ts'
import { fieldsOf, parseObject, textOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'

type FindQuery = { readonly type?: readonly string[]; readonly rawsort?: string }

function withheldFound(
  deps: ReadDeps,
  { plan, caller, query }: { plan: FindPlan; caller: Caller; query: FindQuery },
): readonly Withheld[] {
  const entities = plan.branches.map(({ list }) => list.entity)
  // Without `type`, entities that require a token are left out for callers who have none.
  const isAll = query.type === undefined && entities.length < deps.entities.length
  const withheld = entities.flatMap((entity): readonly Withheld[] => [
    ...withheldFields(entity, caller),
    ...withheldRecords(entity, caller),
  ])
  return [...new Set([...withheld, ...(isAll ? (['records'] as const) : [])])].sort()
}

function reportNamed(
  { publicUrl }: ReadDeps,
  reply: FastifyReply,
  { plan, fields, query }: { plan: FindPlan; fields: readonly FieldPath[]; query: FindQuery },
): void {
  const named = plan.branches.flatMap(({ list }) =>
    deprecatedUses(list.entity, {
      fields,
      query: { rawfilter: filterOf(list), rawsort: query.rawsort },
    }),
  )
  reportDeprecated(reply, { uses: [...new Set(named)], publicUrl })
}

function filterOf({ filters }: ListPlan): string | undefined {
  return filters.find(({ parameter }) => parameter === 'rawfilter')?.text
}

/** Parsed request of either route. */
type FindRequest = {
  readonly query: Omit<FilterQuery, 'expression'>
  readonly search: Search | undefined
  readonly rawfilter: string | undefined
  /** Fields of the envelope in addition to those of every list. */
  readonly additions: object
}

/** Registers `GET /v1/Find` and `GET /v1/Filter` for all entities (interface 4.7, decision D36). */
export const findRoutes =
  (deps: ReadDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { entities, profile = 'strict' } = deps
    const answer = answerer(deps)
    app.get('/v1/Find', { schema: findOperation(entities, profile) }, (request, reply) => {
      const { query } = request
      const { rawfilter } = query
      const additions = { searchTerm: query.q.trim() }
      const wanted = { query, search: toSearch(query, namesOf(deps)), rawfilter, additions }
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
  return async ({ request, reply }: Exchange, wanted: FindRequest) => {
    const caller = callerOf(request, deps.visibilityOf)
    const plan = await planWanted(deps, { request, caller }, wanted)
    const shown = toShown(wanted.query, namesOf(deps))
    reportNamed(deps, reply, { plan, fields: shown.fields, query: wanted.query })
    const made = await makeFor(makers, plan, { shown, caller })
    const etag = (version: string) => weakEtag([version, request.url, rightsOf(plan, made)])
    const run = async () => {
      const { version, ...found } = await loadFound(database, plan)
      const envelope = toText(deps, request.url, { plan, ...found, ...wanted })
      const body = await writeFound({ ...deps, made }, { plan, shown, envelope, ...found })
      return { body, etag: etag(version), type: jsonType }
    }
    const withheld = withheldFound(deps, { plan, caller, query: wanted.query })
    const tag = async () => etag(await loadVersion(database, plan))
    return answerRead({ request, reply }, { withheld, tag, run })
  }
}

type CallerRequest = { readonly request: FastifyRequest; readonly caller: Caller }

function planWanted(
  deps: ReadDeps,
  { request, caller }: CallerRequest,
  wanted: FindRequest,
): Promise<FindPlan> {
  const { principal } = request
  const { query, search, rawfilter } = wanted
  const { rawsort, locfilter, limitto, pagenumber, pagesize } = query
  const entities = chooseEntities(deps, query.type, principal)
  const asked = { search, rawfilter, rawsort, locfilter, limitto, pagenumber, pagesize }
  return planFind(deps, { principal, caller, entities, ...asked })
}

/** Returns the naming of the deployment, which all entities share (decision D10). */
const namesOf = ({ entities: [first] }: ReadDeps): Pick<Entity, 'naming'> =>
  first ?? { naming: toNaming('Hub') }

function toShown(
  { language, fields = [], removenullvalues }: FindRequest['query'],
  names: Pick<Entity, 'naming'>,
): Shown {
  return { language, fields: parseStoredFields(fields, names), removeNullValues: removenullvalues }
}

/**
 * Prepares the generated fields of the entities that have such fields, if the response shows them.
 */
async function makeFor(
  makers: ReadonlyMap<Entity, Maker | undefined>,
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

/**
 * Returns what identifies the caller's rights, for the entity tag. The conditions contain these
 * rights, so two callers share a tag only if they see the same.
 */
function rightsOf({ branches, pageSize }: FindPlan, made: Made): string {
  const conditions = branches.map(({ where, list }) => [where.text, where.values, list.reduced])
  return JSON.stringify([conditions, pageSize, [...made.values()].map(({ basis }) => basis)])
}

type Counted = {
  readonly plan: FindPlan
  readonly counts: ReadonlyMap<number, number>
  readonly additions: object
}

/** Prints the envelope without its items. */
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

/** Generated fields of the entities that have any. */
type Made = ReadonlyMap<Entity, NonNullable<Awaited<ReturnType<Maker>>>>

type Deps = Pick<ReadDeps, 'database' | 'publicUrl'> & { readonly made: Made }

type Written = {
  readonly plan: FindPlan
  readonly chunks: readonly string[]
  readonly shown: Shown
  /** JSON object of the envelope without its items, as text. */
  readonly envelope: string
}

/** Largest page that is loaded completely before it is sent. A longer page is streamed. */
const maxAtOnce = 1000

/**
 * Returns the page as text, or streams it by short statements without holding a connection
 * (decision D9).
 */
async function writeFound(deps: Deps, written: Written): Promise<string | Readable> {
  const texts = textsOf(deps, written)
  if (written.plan.pageSize > maxAtOnce) {
    return Readable.from(texts, { objectMode: false, encoding: 'utf8' })
  }
  let body = ''
  for await (const text of texts) body += text
  return body
}

async function* textsOf(deps: Deps, { plan, chunks, shown, envelope }: Written) {
  yield `${envelope.slice(0, -1)},"Items":[`
  let isFirst = true
  for (const chunk of chunks) {
    const items = await itemsOf(deps, { plan, chunk, shown })
    if (items.length === 0) continue
    const text = JSON.stringify(items).slice(1, -1)
    yield isFirst ? text : `,${text}`
    isFirst = false
    await yieldToEventLoop()
  }
  yield ']}'
}

type Part = { readonly plan: FindPlan; readonly chunk: string; readonly shown: Shown }

/**
 * Loads the items of a chunk, without records that were deleted or closed since they were found.
 */
async function itemsOf(deps: Deps, { plan, chunk, shown }: Part): Promise<readonly unknown[]> {
  const found = parseChunk(chunk)
  const items = new Map<string, unknown>()
  for (const place of new Set(found.map(([one]) => one))) {
    const branch = plan.branches[place]
    if (branch === undefined) continue
    const ids = found.flatMap(([one, id]) => (one === place ? [id] : []))
    const { entity } = branch.list
    for (const record of await loadRecords(deps, branch, ids)) {
      const self = itemAddress(deps.publicUrl, entity, record.id)
      items.set(`${String(place)} ${record.id}`, toItem(record, { entity, self, shown }))
    }
  }
  return found.flatMap(([place, id]) => items.get(`${String(place)} ${id}`) ?? [])
}

async function loadRecords(
  { database, made }: Deps,
  { list }: Branch,
  ids: readonly string[],
): Promise<readonly LoadedRecord[]> {
  const records = await loadChunk(database, list, JSON.stringify(ids))
  const rewrite = made.get(list.entity)?.rewrite
  return rewrite === undefined ? records : rewriteRecords([rewrite], records)
}

/** What the response shows of each record that was found. */
type Shown = {
  readonly language: string | undefined
  readonly fields: readonly FieldPath[]
  readonly removeNullValues: boolean
}

/**
 * Without a requested language, the title is in the first of these languages that the record has.
 */
const preferred = [
  'en',
  'de',
  'it',
  ...languages.filter((code) => !['en', 'de', 'it'].includes(code)),
]

type Of = { readonly entity: Entity; readonly self: string; readonly shown: Shown }

/**
 * Returns a flat item: identifier, title, type and URL, and the requested fields (decision D36).
 */
function toItem({ id, data }: LoadedRecord, { entity, self, shown }: Of): unknown {
  const { language, fields } = shown
  const text = language === undefined ? data : reduceLanguage(data, language)
  const record = { ...parseObject(text), Self: self }
  const [name, title] = titleOf(record, entity, language === undefined ? preferred : [language])
  const item = {
    Id: id,
    [name]: title,
    '_Meta.Type': entity.type,
    Self: self,
    ...selectFields(record, fields),
  }
  return shown.removeNullValues ? removeNullValues(item) : item
}

/** Returns the path of the title and its text, or null if the record has no title. */
function titleOf(
  record: Members,
  { titles }: Entity,
  wanted: readonly string[],
): readonly [string, string | null] {
  const paths = titles.flatMap((title) =>
    title.includes('*') ? wanted.map((language) => title.replace('*', language)) : [title],
  )
  for (const path of paths) {
    const title = textOf(
      path.split('.').reduce<unknown>((value, name) => fieldsOf(value)[name], record),
    )
    if (title !== undefined) return [path, title]
  }
  return [paths[0] ?? 'Shortname', null]
}
