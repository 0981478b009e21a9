import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { RuleTable } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { addLink, answerRead, heavyReads, isPublic, parseWeights } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { answerOf, featuresPage, formOf } from './answers.ts'
import type { Collection, Reader } from './collection.ts'
import { selfLinks, types } from './documents.ts'
import type { Link, Site } from './documents.ts'
import { etagOf, loadItem, loadPage, loadVersion, rememberCounts } from './load-items.ts'
import type { ItemsPlan, Page } from './load-items.ts'
import { planItem, planItems } from './plan-items.ts'
import { paramOf, route } from './request.ts'

type Deps = {
  readonly database: Pick<Database, 'read' | 'heavy'>
  readonly publicUrl: string
  readonly visibilityOf: RuleTable['visibility']
  readonly site: Site
  /** @throws AppError HUB-RTE-003 */
  readonly find: (request: FastifyRequest) => Promise<Collection>
}

/** The features of a collection, and single ones. */
export const featureRoutes =
  (deps: Deps): FastifyPluginAsync =>
  (app) => {
    const sendPage = pageSender(deps)
    const path = '/ogc/collections/:collection/items'
    app.get(path, route, async (request, reply) => {
      const collection = await deps.find(request)
      const plan = planItems(collection, readerOf(deps, request), request.query)
      return sendPage({ request, reply }, plan)
    })
    app.get(`${path}/:feature`, route, async (request, reply) => {
      const collection = await deps.find(request)
      const plan = planItem(collection, readerOf(deps, request), request.query)
      return sendItem(deps, { request, reply }, plan)
    })
    return Promise.resolve()
  }

function pageSender(deps: Deps) {
  const counts = rememberCounts()
  return async (exchange: Exchange, plan: ItemsPlan) => {
    const { collection } = plan
    const shape = shapeOf(deps, exchange.request, collection)
    const { address, form, parts } = shape
    const limited = form === 'html' ? { ...plan, limit: Math.min(plan.limit, mostOnPage) } : plan
    const { read } = deps.database
    const database = plan.isHeavy ? await heavyReads(exchange, deps.database) : read
    for (const { href, rel } of selfLinks(address, form)) {
      addLink(exchange.reply, { target: href, relation: rel })
    }
    const load = async () => {
      const page = await loadPage(database, counts, limited)
      const next = page.next === undefined ? undefined : nextAddress(address, page.next)
      return {
        text: shape.print(printPage(page, pageLinks(shape, next)), collection.title.en),
        etag: etagOf(plan, page.version, parts),
        next,
      }
    }
    const tag = async () => etagOf(plan, await loadVersion(read, collection), parts)
    // Answers in one language are not shared: who waits for the same tag may want another one.
    return send(exchange, plan, {
      ...shape,
      load,
      ...(shape.language === undefined ? { tag } : {}),
    })
  }
}

/** Features of a page of HTML at most. */
const mostOnPage = 100

function sendItem(deps: Deps, exchange: Exchange, plan: ItemsPlan) {
  const { collection } = plan
  const shape = shapeOf(deps, exchange.request, collection)
  const id = paramOf(exchange.request, 'feature')
  const load = async () => {
    const found = await loadItem(deps.database.read, plan, id)
    if (found === undefined) throw noSuchFeature(collection, id)
    const text = withLinks(found.feature, itemLinks(deps.site, collection, shape))
    return {
      text: shape.print(text, `${collection.title.en}: ${id}`),
      etag: etagOf(plan, found.version, shape.parts),
    }
  }
  return send(exchange, plan, { ...shape, load })
}

type Loaded = { readonly text: string; readonly etag: string; readonly next?: string | undefined }

type Sent = Pick<Shape, 'form' | 'language'> & {
  readonly load: () => Promise<Loaded>
  readonly tag?: () => Promise<string>
}

/** The same answer for everybody with the same rights and language. */
function send(
  exchange: Exchange,
  { system, view }: ItemsPlan,
  { form, language, load, tag }: Sent,
) {
  const { reply, request } = exchange
  void reply.header('content-crs', `<${system.uri}>`)
  if (language !== undefined) void reply.header('content-language', language)
  const audience = isPublic(request.principal) ? 'public' : 'private'
  const caching = {
    vary: 'Accept, Accept-Encoding, Accept-Language, Authorization, Prefer',
    'cache-control': `${audience}, no-cache`,
  }
  const run = async () => {
    const { text, ...loaded } = await load()
    return { ...loaded, ...answerOf(text, form, types.geojson) }
  }
  const { withheld } = view
  return answerRead(exchange, { withheld, caching, run, ...(tag === undefined ? {} : { tag }) })
}

/** Languages by which records are reduced to one. */
const languages = ['de', 'it', 'en']

function readerOf({ visibilityOf }: Deps, { principal, headers }: FastifyRequest): Reader {
  return {
    principal,
    visibility: visibilityOf(principal),
    language: languageOf(headers['accept-language']),
  }
}

/** The first of the hub's languages that the header prefers; all of them where it names none. */
function languageOf(header: string | undefined): string | undefined {
  const wanted = parseWeights(header ?? '')
    .map(({ name, weight }) => ({ language: name.split('-')[0] ?? '', weight }))
    .filter(({ language, weight }) => languages.includes(language) && weight > 0)
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.language
}

/** How an answer looks, beside what is in it. */
function shapeOf({ publicUrl, site }: Deps, request: FastifyRequest, { id }: Collection) {
  const form = formOf(request)
  // A request may name another host than the hub's.
  const { pathname, search } = new URL(request.url, publicUrl)
  const address = `${publicUrl}${pathname}${search}`
  const language = languageOf(request.headers['accept-language'])
  const items = `${site.root}/collections/${encodeURIComponent(id)}/items`
  return {
    form,
    address,
    language,
    parts: [form, address, language ?? ''],
    print: (text: string, title: string) =>
      form === 'json' ? text : featuresPage(text, { site, title, items }),
  }
}

type Shape = ReturnType<typeof shapeOf>

function nextAddress(address: string, cursor: string): string {
  const following = new URL(address)
  following.searchParams.set('cursor', cursor)
  return following.href
}

type Addressed = Pick<Shape, 'address' | 'form'>

function pageLinks({ address, form }: Addressed, next: string | undefined): readonly Link[] {
  const self = selfLinks(address, form, types.geojson)
  if (next === undefined) return self
  const type = form === 'json' ? types.geojson : types.html
  return [...self, { href: next, rel: 'next', type, title: 'The next page' }]
}

function printPage({ features, matched }: Page, links: readonly Link[]): string {
  const head = {
    type: 'FeatureCollection',
    links,
    numberMatched: matched,
    numberReturned: features.length,
  }
  return `${JSON.stringify(head).slice(0, -1)},"features":[${features.join(',')}]}`
}

function withLinks(feature: string, links: readonly Link[]): string {
  return `${feature.slice(0, -1)},"links":${JSON.stringify(links)}}`
}

function itemLinks(
  { root }: Site,
  { id }: Collection,
  { address, form }: Addressed,
): readonly Link[] {
  const href = `${root}/collections/${encodeURIComponent(id)}`
  return [
    ...selfLinks(address, form, types.geojson),
    { href, rel: 'collection', type: types.json, title: 'The collection' },
  ]
}

function noSuchFeature({ id: collection }: Collection, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no feature ${JSON.stringify(id)} in ${collection}.`)
}
