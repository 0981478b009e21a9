import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { RuleTable } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import {
  addLink,
  answerRead,
  assertNotClamped,
  heavyReads,
  isPublic,
  parseWeights,
  rememberPlans,
  weakEtag,
} from '../http/index.ts'
import type { Answer, Exchange } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { featuresPage, formOf, typeOf } from './answers.ts'
import type { Collection, Reader } from './collection.ts'
import { selfLinks, types } from './documents.ts'
import type { Link, Site } from './documents.ts'
import { loadItem, loadPage, loadVersion, markOf, maxAtOnce, rememberCounts } from './load-items.ts'
import type { Counts, ItemsPlan, Page } from './load-items.ts'
import { maxFeatures } from './parameters.ts'
import { planItem, planItems } from './plan-items.ts'
import { paramOf, route } from './request.ts'

type Deps = {
  readonly database: Pick<Database, 'read' | 'heavy'>
  readonly publicUrl: string
  readonly visibilityOf: RuleTable['visibility']
  readonly site: Site
  /**
   * Returns the collection that the request names.
   * @throws AppError HUB-RTE-003
   */
  readonly find: (request: FastifyRequest) => Promise<Collection>
}

/** Routes for the features of a collection, and for single features. */
export const featureRoutes =
  (deps: Deps): FastifyPluginAsync =>
  (app) => {
    const path = '/ogc/collections/:collection/items'
    const counts = rememberCounts()
    const [planPage, planOne] = [planner(deps, planItems), planner(deps, planItem)]
    app.get(path, route, async (request, reply) => {
      const planned = planPage(request, await deps.find(request))
      return sendPage({ ...deps, counts }, { request, reply }, planned)
    })
    app.get(`${path}/:feature`, route, async (request, reply) => {
      const planned = planOne(request, await deps.find(request))
      return sendItem(deps, { request, reply }, planned)
    })
    return Promise.resolve()
  }

/** Maximum number of cached plans per collection. */
const plansOfCollection = 50

/**
 * The query of a request and the form of its response: everything that follows from the request and
 * the caller's rights.
 */
type Planned = Shape & { readonly plan: ItemsPlan; readonly mark: string }

function planner(deps: Deps, toPlan: typeof planItems) {
  const plansOf = new WeakMap<Collection, ReturnType<typeof rememberPlans<Planned>>>()
  return (request: FastifyRequest, collection: Collection): Planned => {
    const plans = plansOf.get(collection) ?? rememberPlans<Planned>(plansOfCollection)
    plansOf.set(collection, plans)
    const { principal, visibility, language } = readerOf(deps, request)
    const text = `${principal.kind} ${language ?? ''} ${request.url}`
    return plans(request, { text, rights: visibility }, () => {
      const shape = shapeOf(deps, request, collection)
      const reader = { principal, visibility, language }
      const { limit, ...asked } = toPlan(collection, reader, request.query)
      assertNotClamped(request, 'limit', [limit, maxFeatures])
      const plan = { ...asked, limit: Math.min(limit, maxFeatures) }
      return { ...shape, plan, mark: markOf(plan, shape.parts) }
    })
  }
}

type PageDeps = Deps & { readonly counts: Counts }

async function sendPage({ database, counts }: PageDeps, exchange: Exchange, planned: Planned) {
  const { plan, mark, address, form } = planned
  const { collection } = plan
  const reads = plan.isHeavy ? await heavyReads(exchange, database) : database.read
  for (const { href, rel } of planned.self) {
    addLink(exchange.reply, { target: href, relation: rel })
  }
  const load = async () => {
    const limit = form === 'html' ? Math.min(plan.limit, maxOnPage) : plan.limit
    const page = await loadPage(reads, counts, { ...plan, limit })
    const next = page.next === undefined ? undefined : nextAddress(address, page.next)
    const pieces = printPage(page, pageLinks(planned, next))
    const isLong = limit > maxAtOnce
    const body = isLong
      ? toStream(pieces)
      : planned.print(await wholeOf(pieces), collection.title.en)
    return { body, etag: weakEtag([page.version, mark]), next }
  }
  const tag = async () => weakEtag([await loadVersion(database.read, collection), mark])
  return send(exchange, planned, { load, tag })
}

/** Maximum number of features on an HTML page. */
const maxOnPage = 100

function sendItem({ database, site }: Deps, exchange: Exchange, planned: Planned) {
  const { plan, mark } = planned
  const { collection } = plan
  const id = paramOf(exchange.request, 'feature')
  const load = async () => {
    const found = await loadItem(database.read, plan, id)
    if (found === undefined) throw noSuchFeature(collection, id)
    const text = withLinks(found.feature, itemLinks(site, collection, planned))
    const body = planned.print(Buffer.from(text), `${collection.title.en}: ${id}`)
    return { body, etag: weakEtag([found.version, mark]) }
  }
  return send(exchange, planned, { load })
}

type Loaded = Pick<Answer, 'body' | 'next'> & { readonly etag: string }

type Sent = {
  readonly load: () => Promise<Loaded>
  readonly tag?: () => Promise<string>
}

/** Sends a response that is the same for all callers with the same rights and language. */
function send(exchange: Exchange, { plan, form, language }: Planned, { load, tag }: Sent) {
  const { reply, request } = exchange
  void reply.header('content-crs', `<${plan.system.uri}>`)
  if (language !== undefined) void reply.header('content-language', language)
  const audience = isPublic(request.principal) ? 'public' : 'private'
  const caching = {
    vary: 'Accept, Accept-Encoding, Accept-Language, Authorization, Prefer',
    'cache-control': `${audience}, no-cache`,
  }
  const run = async () => ({ ...(await load()), type: typeOf(form, types.geojson) })
  const { withheld } = plan.view
  return answerRead(exchange, { withheld, caching, run, ...(tag === undefined ? {} : { tag }) })
}

/** Languages to which records can be reduced. */
const languages = ['de', 'it', 'en']

function readerOf({ visibilityOf }: Deps, { principal, headers }: FastifyRequest): Reader {
  return {
    principal,
    visibility: visibilityOf(principal),
    language: languageOf(headers['accept-language']),
  }
}

/** Returns the hub language that the header prefers, or undefined for all if it names none. */
function languageOf(header: string | undefined): string | undefined {
  const wanted = parseWeights(header ?? '')
    .map(({ name, weight }) => ({ language: name.split('-')[0] ?? '', weight }))
    .filter(({ language, weight }) => languages.includes(language) && weight > 0)
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.language
}

function shapeOf({ publicUrl, site }: Deps, request: FastifyRequest, { id }: Collection) {
  const form = formOf(request)
  // The request may name a host other than the hub's.
  const { pathname, search } = new URL(request.url, publicUrl)
  const address = `${publicUrl}${pathname}${search}`
  const language = languageOf(request.headers['accept-language'])
  const items = `${site.root}/collections/${encodeURIComponent(id)}/items`
  return {
    form,
    address,
    language,
    self: selfLinks(address, form, types.geojson),
    parts: [form, address, language ?? ''],
    print: (json: Buffer, title: string) =>
      form === 'json' ? json : Buffer.from(featuresPage(json.toString(), { site, title, items })),
  }
}

type Shape = ReturnType<typeof shapeOf>

function nextAddress(address: string, cursor: string): string {
  const following = new URL(address)
  following.searchParams.set('cursor', cursor)
  return following.href
}

function pageLinks(
  { self, form }: Pick<Shape, 'self' | 'form'>,
  next: string | undefined,
): readonly Link[] {
  if (next === undefined) return self
  const type = form === 'json' ? types.geojson : types.html
  return [...self, { href: next, rel: 'next', type, title: 'The next page' }]
}

/**
 * Prints a page of features. `numberReturned` comes last: features may be deleted while a long page
 * is read, so their number is known only at the end.
 */
async function* printPage({ features, matched }: Page, links: readonly Link[]) {
  const head = { type: 'FeatureCollection', links, numberMatched: matched }
  yield `${JSON.stringify(head).slice(0, -1)},"features":[`
  let returned = 0
  for await (const batch of features) {
    if (batch.length > 0) yield `${returned === 0 ? '' : ','}${batch.join(',')}`
    returned += batch.length
  }
  yield `],"numberReturned":${String(returned)}}`
}

/** Bytes that are buffered for a slow client, in addition to the current chunk. */
const highWaterMark = 256 * 1024

/**
 * Streams texts as strings, which become bytes only when sent. As buffers they would be allocated
 * outside the heap, where garbage is collected late.
 */
function toStream(pieces: AsyncIterable<string>): Readable {
  return Readable.from(pieces, { objectMode: false, highWaterMark, encoding: 'utf8' })
}

async function wholeOf(pieces: AsyncIterable<string>): Promise<Buffer> {
  const bytes: Buffer[] = []
  for await (const piece of pieces) bytes.push(Buffer.from(piece))
  return Buffer.concat(bytes)
}

function withLinks(feature: string, links: readonly Link[]): string {
  return `${feature.slice(0, -1)},"links":${JSON.stringify(links)}}`
}

function itemLinks(
  { root }: Site,
  { id }: Collection,
  { self }: Pick<Shape, 'self'>,
): readonly Link[] {
  const href = `${root}/collections/${encodeURIComponent(id)}`
  return [...self, { href, rel: 'collection', type: types.json, title: 'The collection' }]
}

function noSuchFeature({ id: collection }: Collection, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no feature ${JSON.stringify(id)} in ${collection}.`)
}
