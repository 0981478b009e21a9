import type { FastifyInstance } from 'fastify'
import { XmlDocument } from 'libxml2-wasm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { PublicData } from '../../src/explorer/index.ts'
import { storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { openPages } from '../fixtures/public-pages.ts'
import { publicUrl } from '../fixtures/test-app.ts'

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** More records than fit into one part. */
const tags = Array.from({ length: 20_003 }, (_, index) => ({ Id: `tag-${String(index)}` }))
const odd = ['a/b', "it's & <more>", 'ü', 'x?y#z%']
const areas = [...odd.map((Id) => ({ Id })), { Id: 'QUOKKA', LicenseInfo: { ClosedData: true } }]

/**
 * Returns the entries of a sitemap or sitemap index after checking it against the rules of
 * sitemaps.org.
 */
function entriesOf(text: string, kind: 'sitemapindex' | 'urlset') {
  using document = XmlDocument.fromString(text)
  const { root } = document
  expect([root.name, root.namespaceUri]).toEqual([kind, namespace])
  const entry = kind === 'urlset' ? 'url' : 'sitemap'
  const find = (path: string) => document.find(path, { s: namespace })
  const entries = find(`/s:${kind}/s:${entry}`)
  expect(find(`/s:${kind}/*`)).toHaveLength(entries.length)
  expect(find(`//s:${entry}/s:loc`)).toHaveLength(entries.length)
  expect(entries.length).toBeGreaterThan(0)
  expect(entries.length).toBeLessThanOrEqual(50_000)
  expect(Buffer.byteLength(text)).toBeLessThan(52_428_800)
  const addresses = find('//s:loc').map(({ content }) => content)
  for (const address of addresses) {
    expect(new URL(address).href).toBe(address)
    expect(new URL(address).origin).toBe(publicUrl)
    expect(address.length).toBeLessThan(2048)
  }
  expect(new Set(addresses).size).toBe(addresses.length)
  const times = find('//s:lastmod').map(({ content }) => content)
  for (const time of times) expect(new Date(time).toISOString()).toBe(time)
  return { addresses, times }
}

describeWithDatabase('The sitemap', (database) => {
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const readParts = async () => {
    const { addresses } = entriesOf((await get('/sitemap.xml')).body, 'sitemapindex')
    const paths = addresses.map((address) => address.slice(publicUrl.length))
    return Promise.all(
      paths.map(async (path) => ({ path, ...entriesOf((await get(path)).body, 'urlset') })),
    )
  }

  beforeAll(async () => {
    await storeContent(database(), 'Tag', tags)
    await storeContent(database(), 'Area', areas)
    await storeContent(database(), 'Accommodation', [
      { Id: 'QUOKKA', LicenseInfo: { ClosedData: true } },
    ])
    await storeContent(database(), 'AccommodationRoom', [{ Id: 'QUOKKA-ROOM' }])
    app = await openPages(database())
  }, 120_000)
  afterAll(() => app.close())

  it('lists all public records in parts, and the other pages', async () => {
    const parts = await readParts()
    expect(parts.map(({ path }) => path)).toEqual([
      ...['/sitemap-pages.xml', '/sitemap-Area-1.xml', '/sitemap-Tag-1.xml', '/sitemap-Tag-2.xml'],
      // Every record has a source, whose record the hub creates.
      '/sitemap-Source-1.xml',
    ])
    const [pages, ofAreas, ...ofTags] = parts.slice(0, -1).map(({ addresses }) => addresses)
    expect(pages).toEqual([
      ...['/', '/datasets/traffic', '/timeseries', '/docs'].map((path) => `${publicUrl}${path}`),
      ...['Area', 'Tag', 'Source'].map((type) => `${publicUrl}/datasets/content/${type}`),
    ])
    expect(ofAreas).toHaveLength(4)
    for (const address of ofAreas ?? []) {
      const { body } = await get(address.slice(publicUrl.length))
      expect(body).toContain(`rel="canonical" href="${address.replaceAll("'", '&#39;')}"`)
    }
    expect(ofTags.map(({ length }) => length)).toEqual([20_000, 3])
    const listed = ofTags.flat().map((address) => address.split('/').at(-1))
    expect(listed.sort()).toEqual(tags.map(({ Id }) => Id).sort())
    for (const { path, times, addresses } of parts.slice(1)) {
      expect([path, times.length]).toEqual([path, addresses.length])
    }
  })

  it('reveals nothing about non-public records to any caller', async () => {
    for (const headers of [{}, { authorization: 'Bearer admin' }]) {
      const paths = ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-Area-1.xml']
      const bodies = await Promise.all(paths.map(async (path) => (await get(path, headers)).body))
      expect(bodies.join()).not.toMatch(/quokka|accommodation/i)
      for (const type of ['Accommodation', 'AccommodationRoom', 'Unheard']) {
        const { statusCode, body } = await get(`/sitemap-${type}-1.xml`, headers)
        expect([statusCode, JSON.parse(body)]).toMatchObject([404, { errorCode: 'HUB-RTE-001' }])
      }
    }
    for (const name of ['Tag-3', 'Tag-0', 'Tag', 'Tag-01', 'Tag-1x', '']) {
      expect([name, (await get(`/sitemap-${name}.xml`)).statusCode]).toEqual([name, 404])
    }
  })

  it('reads no records for a part that does not exist', async () => {
    const list = vi.fn<PublicData['records']['list']>()
    const withList = (data: PublicData) => ({ ...data, records: { ...data.records, list } })
    await using counted = await openPages(database(), withList)
    for (const name of ['Tag-3', 'Tag-999999', 'Unheard-1', 'Accommodation-1']) {
      expect([name, (await counted.inject(`/sitemap-${name}.xml`)).statusCode]).toEqual([name, 404])
    }
    expect(list).not.toHaveBeenCalled()
  })

  it.each(['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-Tag-1.xml', '/robots.txt'])(
    'supports ETags, compression and HEAD: %s',
    async (url) => {
      const { headers } = await get(url)
      const again = await get(url, { 'if-none-match': String(headers['etag']) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      const head = await app.inject({ method: 'HEAD', url })
      expect([head.statusCode, head.headers['etag'], head.body]).toEqual([200, headers['etag'], ''])
      if (url === '/sitemap-Tag-1.xml') {
        const packed = await get(url, { 'accept-encoding': 'gzip' })
        expect(packed.headers['content-encoding']).toBe('gzip')
      }
    },
  )

  it('has another ETag after a record is written', async () => {
    const tagOf = async () => (await get('/sitemap-Area-1.xml')).headers['etag']
    const before = await tagOf()
    await storeContent(database(), 'Area', [{ Id: 'new' }])
    expect(await tagOf()).not.toBe(before)
  })

  it('is named by robots.txt, which keeps search engines from endless URLs', async () => {
    const { body, headers } = await get('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const rules = rulesOf(body)
    expect(body).toContain(`\nSitemap: ${publicUrl}/sitemap.xml\n`)
    for (const path of ['/', '/?lang=de', '/records/Event/1', '/records/Event/1?lang=it']) {
      expect([path, mayCrawl(rules, path)]).toEqual([path, true])
    }
    for (const path of ['/assets/a.js', '/v1/Event/1', '/catalogue', '/sitemap-Tag-1.xml']) {
      expect([path, mayCrawl(rules, path)]).toEqual([path, true])
    }
    for (const path of ['/?q=x', '/v1/Event?page=2', '/datasets/content/Event?lang=de&q=1']) {
      expect([path, mayCrawl(rules, path)]).toEqual([path, false])
    }
    for (const path of ['/v2/flat,node/*', '/exports/a.ndjson', '/login/done', '/timeseries?a=b']) {
      expect([path, mayCrawl(rules, path)]).toEqual([path, false])
    }
  })
})

type Rule = { readonly allows: boolean; readonly path: string }

function rulesOf(text: string): readonly Rule[] {
  return text.split('\n').flatMap((line) => {
    const [, kind, path = ''] = /^(Allow|Disallow): (.*)$/.exec(line) ?? []
    return kind === undefined ? [] : [{ allows: kind === 'Allow', path }]
  })
}

/**
 * Applies robots rules: the longest match wins, and among equally long ones the one that allows
 * (RFC 9309 section 2.2.2).
 */
function mayCrawl(rules: readonly Rule[], path: string): boolean {
  const matching = rules.filter((rule) => {
    const escaped = rule.path.replaceAll(/[?.]/g, '\\$&')
    const pattern = escaped.replaceAll('*', '.*')
    return new RegExp(`^${pattern}`).test(path)
  })
  const [first] = matching.toSorted(
    (one, other) =>
      other.path.length - one.path.length || Number(other.allows) - Number(one.allows),
  )
  return first?.allows ?? true
}
