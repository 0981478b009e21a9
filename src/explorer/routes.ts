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
 * Returns the content security policy of the page. Its scripts and styles are files of the hub;
 * nothing is inline. Records refer to pictures anywhere. Map tiles are pictures too, or are fetched
 * from where the setting specifies.
 * @param addresses URLs that it may request: the hub's public URL, the token issuer, the sources of
 * maps
 * @param embedOrigins other origins whose pages may show it in a frame, separated by spaces
 */
export function contentPolicy(addresses: readonly string[], embedOrigins = ''): string {
  const origins = [...new Set(addresses.flatMap((address) => originOf(address) ?? []))]
  // If the hub itself has no https, the pictures of its records have none either.
  const isPlain = origins.some((origin) => origin.startsWith('http:'))
  const rules = {
    'default-src': "'self'",
    'connect-src': ["'self'", ...origins].join(' '),
    'img-src': `'self' data: blob: https:${isPlain ? ' http:' : ''}`,
    // The map is drawn in a worker that it creates itself.
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

/**
 * Returns the origin of a URL. URLs of tiles are templates such as
 * `https://{s}.tiles.example/{z}/{x}/{y}.png`; no other `*` may denote hosts.
 */
function originOf(address: string): string | undefined {
  const origin = URL.parse(address.replaceAll('*', ' ').replace('{s}', '*'))?.origin ?? ''
  return /^https?:\/\/(\*\.[\w-]+\.)?[\w.:[\]-]+$/.test(origin) ? origin : undefined
}

export type ExplorerDeps = {
  /** The built page, or undefined if it has not been built. */
  readonly page: Page | undefined
  readonly explorer: Explorer
  readonly mapStyle?: MapStyle | undefined
  /**
   * `HUB_EMBED_ORIGINS`: other origins whose pages may show a view in a frame, separated by spaces.
   */
  readonly embedOrigins?: string
  /** Public data that is announced to search engines. Without it, nothing is announced. */
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

/**
 * Returns a handler that sends the page with a view, for any path; undefined if the page has not
 * been built.
 */
export function pageAnswer(deps: ExplorerDeps, view: ViewFile, find?: FindSubject) {
  const { page } = deps
  return page === undefined ? undefined : answerWith(page.htmlOf(view), deps, find)
}

/**
 * Routes of the Explorer: the page, its assets and its configuration. Register it after all other
 * services.
 */
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

/**
 * Reports whether a view is requested for a frame. The page then shows no login, so no click in it
 * can be hijacked.
 */
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
    // `X-Frame-Options` supports only this site or none. The policy states the allowed origins.
    if (use === 'embedded') void reply.removeHeader('x-frame-options')
    // The page identifies itself to the hub as an application, as quotas require, but not to other
    // sites.
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

/**
 * Maximum time in milliseconds to wait for the subject of a page, which looks the same without it.
 */
const patience = 300

/**
 * Returns a function that finds the subject of a page; undefined if that fails or takes too long.
 */
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

/**
 * Serves the assets. Their names change with their content, so they never need to be requested
 * twice.
 */
async function serveAssets(app: FastifyInstance, root: string, policy: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    // One route per file: unknown names yield the hub's 404, as all unknown paths do.
    wildcard: false,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: oneYear * 1000,
    index: false,
    setHeaders: (response) => {
      // A worker is subject to the policy of its own file.
      response.header('content-security-policy', policy)
    },
  })
}

async function serveMap(app: FastifyInstance, root: string): Promise<void> {
  const options = { decorateReply: false, index: false, dotfiles: 'ignore' } as const
  await app.register(fastifyStatic, { ...options, root, prefix: '/map/' })
}

type Deps = PublicData & { readonly site: Pick<Explorer, 'publicUrl' | 'languages'> }

/** Serves `robots.txt`, and the URLs of all public pages in parts (sitemaps.org, protocol 0.9). */
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
        // Limited by the count, so that no part number makes the database skip all records in vain.
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

/**
 * Maximum number of pages in a part. URLs have at most 2,047 characters, so that a part never
 * exceeds the 50 MB that are allowed.
 */
const pagesOfPart = 20_000
const maxUrlLength = 2047

function noSuchPart(name: string): AppError {
  return new AppError('HUB-RTE-001', `There is no sitemap-${name}.xml.`, {
    hint: 'GET /sitemap.xml lists the parts of the sitemap.',
  })
}

/**
 * Allows the page and what it requests to show one record, but not every combination of its
 * parameters, and no data.
 */
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

/**
 * Returns the datasets that contain something public. The counts of the catalogue depend on the
 * caller.
 */
const shownOf = (datasets: Datasets) =>
  [...datasets.values()].filter(({ count }) => count !== null && count > 0)

/** Lists the parts by the counts of the catalogue, so that no record is read for it. */
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

/** Views that show something only to users who are logged in. */
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

/**
 * Formats a time in the W3C profile of ISO 8601 (NOTE-datetime), which requires years with four
 * digits.
 */
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
    .filter(({ address }) => address.length <= maxUrlLength)
    .map((page) => toEntry('url', page))
    .join('')
}
