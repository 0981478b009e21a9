import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '../errors/index.ts'
import { answerRead, sendText, weakEtag } from '../http/index.ts'
import { fieldsOf } from '../lang/json.ts'
import type { Page } from './load-page.ts'
import type { MapStyle } from './map-style.ts'
import { explorerSchema } from './schema.ts'
import type { Explorer } from './schema.ts'
import { languageIn, withHead } from './page-head.ts'
import type { Subject } from './page-head.ts'
import { pagePaths } from './page-paths.ts'
import type { ViewFile } from './page-paths.ts'
import { recordPage, subjects } from './subjects.ts'
import type { FindSubject, PublicData } from './subjects.ts'
import type { ListedRecord } from '../content/index.ts'
import { escapeMarkup } from '../lang/markup.ts'

/**
 * What the page may load. Its scripts and styles are files of the hub; nothing stands in line. Records
 * carry pictures from anywhere; map tiles are pictures too, or are fetched from where the setting says.
 * @param addresses that it may request: the public one of the hub, the issuer of tokens, what maps are drawn from
 * @param embedOrigins other origins whose pages may show it in a frame, with spaces between them
 */
export function contentPolicy(addresses: readonly string[], embedOrigins = ''): string {
  const origins = [...new Set(addresses.flatMap((address) => originOf(address) ?? []))]
  // Where the hub itself has no https, the pictures of its records have none either.
  const isPlain = origins.some((origin) => origin.startsWith('http:'))
  const rules = {
    'default-src': "'self'",
    'connect-src': ["'self'", ...origins].join(' '),
    'img-src': `'self' data: blob: https:${isPlain ? ' http:' : ''}`,
    // The map draws in a worker that it makes itself.
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': `'self' ${embedOrigins}`.trimEnd(),
  }
  return Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

/** Tiles stand at templates such as `https://{s}.tiles.example/{z}/{x}/{y}.png`; no other `*` stands for hosts. */
function originOf(address: string): string | undefined {
  const origin = URL.parse(address.replaceAll('*', ' ').replace('{s}', '*'))?.origin ?? ''
  return /^https?:\/\/(\*\.[\w-]+\.)?[\w.:[\]-]+$/.test(origin) ? origin : undefined
}

export type ExplorerDeps = {
  /** The built page, or undefined where nobody built it. */
  readonly page: Page | undefined
  readonly explorer: Explorer
  readonly mapStyle?: MapStyle | undefined
  /** `HUB_EMBED_ORIGINS`: other origins whose pages may show a view in a frame, with spaces between them. */
  readonly embedOrigins?: string
  /** What everybody may read, which search engines are told of; without it they are told nothing. */
  readonly publicData?: PublicData
}

const operation = {
  operationId: 'getExplorer',
  summary: 'Configuration for a web page of this hub',
  description:
    'Title, languages, available services, the background of maps, and how users log in. The Explorer requests it first; other pages may use it too.',
  tags: ['Operation'],
  response: {
    200: { description: 'Settings', content: { 'application/json': { schema: explorerSchema } } },
  },
}

const oneYear = 31_536_000

/** Answers with the page, ready for a view, at any address; undefined if it has not been built. */
export function pageAnswer(deps: ExplorerDeps, view: ViewFile, find?: FindSubject) {
  const { page } = deps
  return page === undefined ? undefined : answerWith(page.htmlOf(view), deps, find)
}

/** The Explorer: the page, its assets, and what it has to know. Call it after all other services. */
export const explorerRoutes =
  (deps: ExplorerDeps): FastifyPluginAsync =>
  async (app) => {
    const { page, explorer, mapStyle, publicData } = deps
    const body = JSON.stringify(explorer)
    app.get('/explorer.json', { schema: operation }, (request, reply) => {
      return sendText({ request, reply }, body)
    })
    for (const [path, view] of Object.entries(pagePaths)) {
      const answer = pageAnswer(deps, view, subjects.get(path)) ?? refuse
      app.get(path, { schema: { hide: true } }, answer)
    }
    if (page !== undefined) await serveAssets(app, page.assets, policyOf(deps))
    if (page !== undefined && publicData !== undefined) {
      await app.register(robotRoutes({ ...publicData, site: explorer }))
    }
    if (mapStyle?.folder !== undefined) await serveMap(app, mapStyle.folder)
  }

function policyOf(deps: ExplorerDeps, embedOrigins?: string): string {
  const { publicUrl, login, map } = deps.explorer
  const own = [publicUrl, login?.issuer, map.tiles].filter((address) => address !== undefined)
  return contentPolicy([...own, ...(deps.mapStyle?.requested ?? [])], embedOrigins)
}

/** A view for a frame; the page itself then shows no login, so no click in it can be stolen. */
const isEmbedded = (url: string) => new URLSearchParams(url.split('?')[1]).get('embed') === 'true'

function answerWith(html: string, deps: ExplorerDeps, find: FindSubject | undefined) {
  const { explorer } = deps
  const lookUp = lookUpIn(deps, find)
  const policies = { alone: policyOf(deps), embedded: policyOf(deps, deps.embedOrigins) }
  const etags = {
    alone: weakEtag([html, policies.alone]),
    embedded: weakEtag([html, policies.embedded]),
  }
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const use = isEmbedded(request.url) ? 'embedded' : 'alone'
    void reply.header('content-security-policy', policies[use])
    // It knows only this site or none, and the policy says the same.
    if (use === 'embedded') void reply.removeHeader('x-frame-options')
    // The page is an application and says so to the hub, whose quotas ask for it; nobody else is told.
    void reply.header('referrer-policy', 'same-origin')
    const type = 'text/html; charset=utf-8'
    const run = async () => {
      const subject = await lookUp?.(request)
      if (subject === undefined) return { body: html, type, etag: etags[use] }
      const language = languageIn(request.url, explorer)
      const body = withHead(html, { site: explorer, subject, language })
      return { body, type, etag: weakEtag([etags[use], body]) }
    }
    return answerRead({ request, reply }, { run })
  }
}

/** How long a page waits for what it is about, in milliseconds: it shows the same without. */
const patience = 300

/** Finds what the page at an address is about: nothing where that fails or takes long. */
function lookUpIn({ publicData, explorer }: ExplorerDeps, find: FindSubject | undefined) {
  if (publicData === undefined || find === undefined) return undefined
  return async ({ params, url, log }: FastifyRequest): Promise<Subject | undefined> => {
    const looking = { ...publicData, site: explorer, language: languageIn(url, explorer) }
    const waiting = new AbortController()
    try {
      return await Promise.race([
        find(fieldsOf(params), looking),
        setTimeout(patience, undefined, waiting),
      ])
    } catch (err) {
      log.warn({ err }, 'A page was sent without what it is about.')
      return undefined
    } finally {
      waiting.abort()
    }
  }
}

function refuse(): never {
  throw new AppError('HUB-WEB-001', 'The Explorer has not been built.', {
    hint: 'Run `npm run build` and start the hub again. The data does not need it: see /openapi.json.',
  })
}

/** Their names change with their content, so nobody needs to request them twice. */
async function serveAssets(app: FastifyInstance, root: string, policy: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    // A route for each file: unknown names are the hub's 404, like all unknown addresses.
    wildcard: false,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: oneYear * 1000,
    index: false,
    setHeaders: (response) => {
      // Workers obey the policy of their own file.
      response.header('content-security-policy', policy)
    },
  })
}

async function serveMap(app: FastifyInstance, root: string): Promise<void> {
  const options = { decorateReply: false, index: false, dotfiles: 'ignore' } as const
  await app.register(fastifyStatic, { ...options, root, prefix: '/map/' })
}

type Deps = PublicData & { readonly site: Pick<Explorer, 'publicUrl' | 'languages'> }

/** `robots.txt`, and the addresses of all pages that everybody may read, in parts (sitemaps.org, protocol 0.9). */
const robotRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    const { site, datasets, records } = deps
    const robots = toRobots(site)
    const hidden = { schema: { hide: true } }
    app.get('/robots.txt', hidden, (request, reply) =>
      sendText({ request, reply }, robots, 'text/plain; charset=utf-8'),
    )
    app.get('/sitemap.xml', hidden, async (request, reply) =>
      sendText({ request, reply }, toIndex(await datasets(), site), xmlType),
    )
    app.get('/sitemap-pages.xml', hidden, async (request, reply) =>
      sendText({ request, reply }, toPages(await datasets(), site), xmlType),
    )
    app.get<{ Params: { name: string } }>('/sitemap-:name.xml', hidden, (request, reply) => {
      const { name } = request.params
      const [, type = '', number = ''] = /^(.+)-([1-9]\d{0,5})$/.exec(name) ?? []
      const tag = async () => weakEtag([site.publicUrl, name, await records.version(type)])
      const run = async () => {
        // From the count, so that no number makes the database step over every record in vain.
        const { count } = (await datasets()).get(`content/${type}`) ?? { count: 0 }
        const parts = Math.ceil((count ?? 0) / pagesOfPart)
        if (number === '' || parts < Number(number)) throw noSuchPart(name)
        const etag = await tag()
        const section = { type, skip: (Number(number) - 1) * pagesOfPart, count: pagesOfPart }
        const batches = records.list(section)
        const first = await batches.next()
        if (first.done === true) throw noSuchPart(name)
        const urls = { type, publicUrl: site.publicUrl }
        const body = Readable.from(writePart(urls, first.value, batches), {
          objectMode: false,
          encoding: 'utf8',
        })
        return { body, etag, type: xmlType }
      }
      return answerRead({ request, reply }, { tag, run })
    })
  }

const xmlType = 'application/xml; charset=utf-8'

/** Addresses may have 2,047 characters, so that this many never fill the 50 MB that a part may have. */
const pagesOfPart = 20_000
const longestAddress = 2047

function noSuchPart(name: string): AppError {
  return new AppError('HUB-RTE-001', `There is no sitemap-${name}.xml.`, {
    hint: 'GET /sitemap.xml lists the parts of the sitemap.',
  })
}

/** The page, and what it reads to show one record; not every combination of its parameters, and no data. */
function toRobots({ publicUrl, languages }: Deps['site']): string {
  return [
    'User-agent: *',
    ...languages.map((language) => `Allow: /*?lang=${language}$`),
    'Allow: /catalogue?fields=',
    'Disallow: /*?',
    ...['/changes', '/exports', '/login/', '/ogc', '/quota', '/v2/'].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

type Listed = { readonly address: string; readonly changed?: string | undefined }

const begin = (name: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`

function toEntry(name: string, { address, changed }: Listed): string {
  const time = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`
  return `<${name}><loc>${escapeMarkup(address)}</loc>${time}</${name}>\n`
}

type Datasets = Awaited<ReturnType<PublicData['datasets']>>

/** What everybody sees something of: the counts of the catalogue are those of the caller. */
const shownOf = (datasets: Datasets) =>
  [...datasets.values()].filter(({ count }) => count !== null && count > 0)

/** The parts by the counts of the catalogue, so that no record is read for it. */
function toIndex(datasets: Datasets, { publicUrl }: Deps['site']): string {
  const parts = shownOf(datasets)
    .filter(({ service }) => service === 'content')
    .flatMap(({ type, count, updated }) =>
      Array.from({ length: Math.ceil((count ?? 0) / pagesOfPart) }, (_, index) => ({
        address: `${publicUrl}/sitemap-${encodeURIComponent(type)}-${String(index + 1)}.xml`,
        changed: toTime(updated),
      })),
    )
  const pages = { address: `${publicUrl}/sitemap-pages.xml`, changed: newestOf(datasets) }
  const entries = [pages, ...parts].map((part) => toEntry('sitemap', part))
  return `${begin('sitemapindex')}${entries.join('')}</sitemapindex>\n`
}

/** Views that show something only to whoever is logged in. */
const personal = /^\/(login|desk)(\/|$)/

function toPages(datasets: Datasets, { publicUrl }: Deps['site']): string {
  const views = Object.keys(pagePaths).filter((path) => !path.includes(':') && !personal.test(path))
  const pages = views.map((path) => ({
    address: `${publicUrl}${path}`,
    changed: path === '/' ? newestOf(datasets) : undefined,
  }))
  const ofDatasets = shownOf(datasets).flatMap(({ links: { page }, updated }) =>
    page === undefined ? [] : [{ address: page, changed: toTime(updated) }],
  )
  const entries = [...pages, ...ofDatasets].map((page) => toEntry('url', page))
  return `${begin('urlset')}${entries.join('')}</urlset>\n`
}

function newestOf(datasets: Datasets): string | undefined {
  return shownOf(datasets)
    .flatMap(({ updated }) => toTime(updated) ?? [])
    .sort()
    .at(-1)
}

/** As W3C profiles ISO 8601 (NOTE-datetime): years have four digits. */
function toTime(updated: string | null | undefined): string | undefined {
  const date = new Date(updated ?? '')
  const isKnown = date.getUTCFullYear() > 0 && date.getUTCFullYear() < 10_000
  return isKnown ? date.toISOString() : undefined
}

type Urls = { readonly type: string; readonly publicUrl: string }

async function* writePart(
  urls: Urls,
  first: readonly ListedRecord[],
  others: AsyncIterable<readonly ListedRecord[]>,
) {
  yield `${begin('urlset')}${toBatch(urls, first)}`
  for await (const records of others) yield toBatch(urls, records)
  yield '</urlset>\n'
}

function toBatch({ type, publicUrl }: Urls, records: readonly ListedRecord[]): string {
  return records
    .map(({ id, changed }) => ({
      address: recordPage(publicUrl, type, id),
      changed: toTime(changed),
    }))
    .filter(({ address }) => address.length <= longestAddress)
    .map((page) => toEntry('url', page))
    .join('')
}
