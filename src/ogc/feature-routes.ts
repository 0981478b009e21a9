import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { RuleTable } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { addLink, answerRead, isPublic } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Queryable as Database } from '../storage/index.ts'
import { featuresPage, formOf, typeOf } from './answers.ts'
import type { Form } from './answers.ts'
import type { Collection, Reader } from './collection.ts'
import { selfLinks, types } from './documents.ts'
import type { Link, Site } from './documents.ts'
import { etagOf, loadItem, loadPage, loadVersion, rememberCounts } from './load-items.ts'
import type { ItemsPlan, Page } from './load-items.ts'
import { planItem, planItems } from './plan-items.ts'
import { paramOf, route } from './request.ts'

type Deps = {
  readonly database: Database
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
  const { database } = deps
  const counts = rememberCounts()
  return (exchange: Exchange, plan: ItemsPlan) => {
    const { collection } = plan
    const shape = shapeOf(deps, exchange.request)
    const load = async () => {
      const page = await loadPage(database, counts, plan)
      const links = pageLinks(shape.address, page)
      for (const { href, rel } of links) addLink(exchange.reply, { target: href, relation: rel })
      return {
        body: shape.print(printPage(page, links), collection.title.en),
        etag: etagOf(plan, page.version, shape.parts),
      }
    }
    const tag = async () => etagOf(plan, await loadVersion(database, collection), shape.parts)
    // Answers in one language are not shared: who waits for the same tag may want another one.
    return send(exchange, plan, { ...shape, load, ...(shape.isInAll ? { tag } : {}) })
  }
}

function sendItem(deps: Deps, exchange: Exchange, plan: ItemsPlan) {
  const { collection } = plan
  const shape = shapeOf(deps, exchange.request)
  const id = paramOf(exchange.request, 'feature')
  const load = async () => {
    const found = await loadItem(deps.database, plan, id)
    if (found === undefined) throw noSuchFeature(collection, id)
    const text = withLinks(found.feature, itemLinks(deps.site, collection, shape.address))
    return {
      body: shape.print(text, `${collection.title.en}: ${id}`),
      etag: etagOf(plan, found.version, shape.parts),
    }
  }
  return send(exchange, plan, { ...shape, load })
}

type Sent = {
  readonly form: Form
  readonly load: () => Promise<{ readonly body: string; readonly etag: string }>
  readonly tag?: () => Promise<string>
}

/** The same answer for everybody with the same rights and language. */
function send(exchange: Exchange, { system, view }: ItemsPlan, { form, load, tag }: Sent) {
  const { reply, request } = exchange
  void reply.header('content-crs', `<${system.uri}>`)
  const audience = isPublic(request.principal) ? 'public' : 'private'
  const caching = {
    vary: 'Accept, Accept-Encoding, Accept-Language, Authorization, Prefer',
    'cache-control': `${audience}, no-cache`,
  }
  const run = async () => ({ ...(await load()), type: typeOf(form, types.geojson) })
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
  const weighted = (header ?? '').split(',').map((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return {
      language: range.toLowerCase().split('-')[0] ?? '',
      weight: quality === undefined ? 1 : Number(quality.slice(2)),
    }
  })
  const wanted = weighted.filter(
    ({ language, weight }) => languages.includes(language) && weight > 0,
  )
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.language
}

/** How an answer looks, beside what is in it. */
function shapeOf({ publicUrl, site }: Deps, request: FastifyRequest) {
  const form = formOf(request)
  const address = `${publicUrl}${request.url}`
  return {
    form,
    address,
    isInAll: languageOf(request.headers['accept-language']) === undefined,
    parts: [form, address, request.headers['accept-language'] ?? ''],
    print: (text: string, title: string) =>
      form === 'json' ? text : featuresPage(text, { site, title }),
  }
}

function pageLinks(address: string, { next }: Page): readonly Link[] {
  const self = selfLinks(address, types.geojson)
  if (next === undefined) return self
  const following = new URL(address)
  following.searchParams.set('cursor', next)
  return [
    ...self,
    { href: following.href, rel: 'next', type: types.geojson, title: 'The next page' },
  ]
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

function itemLinks({ root }: Site, { id }: Collection, address: string): readonly Link[] {
  const href = `${root}/collections/${encodeURIComponent(id)}`
  return [
    ...selfLinks(address, types.geojson),
    { href, rel: 'collection', type: types.json, title: 'The collection' },
  ]
}

function noSuchFeature({ id: collection }: Collection, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no feature ${JSON.stringify(id)} in ${collection}.`)
}
