import type { FastifyPluginAsync } from 'fastify'
import { Readable } from 'node:stream'
import type { ListedRecord } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import { answerRead, sendText, weakEtag } from '../http/index.ts'
import { escapeMarkup } from '../lang/markup.ts'
import { pagePaths } from './page-paths.ts'
import type { Explorer } from './schema.ts'
import { recordPage } from './subjects.ts'
import type { PublicData } from './subjects.ts'

type Deps = PublicData & { readonly site: Pick<Explorer, 'publicUrl' | 'languages'> }

/** `robots.txt`, and the addresses of all pages that everybody may read, in parts (sitemaps.org, protocol 0.9). */
export const robotRoutes =
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

/** The pages that are no records. */
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
