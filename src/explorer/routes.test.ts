import type { FastifyInstance } from 'fastify'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, publicUrl } from '../../test/fixtures/test-app.ts'
import { explorerRoutes, loadMapStyle, loadPage } from './index.ts'
import type { Explorer } from './index.ts'
import { contentPolicy } from './routes.ts'

it('lets the page connect only to the hub, and forbids inline code', () => {
  const policy = contentPolicy([])
  expect(policy).toContain("connect-src 'self';")
  expect(policy).toContain("default-src 'self';")
  expect(policy).not.toContain('unsafe')
})

it('allows images without https only if the hub has no https', () => {
  expect(contentPolicy(['https://hub.example'])).toContain("img-src 'self' data: blob: https:;")
  expect(contentPolicy(['http://localhost:8080'])).toContain(
    "img-src 'self' data: blob: https: http:;",
  )
})

it('lets the page connect to the origins in the settings, each listed once', () => {
  const policy = contentPolicy([
    'https://id.example/realms/hub',
    'https://id.example/realms/hub',
    'https://{s}.tiles.example/{z}/{x}/{y}.png',
  ])
  expect(policy).toContain("connect-src 'self' https://id.example https://*.tiles.example;")
})

it('allows only the origin of a URL, and ignores URLs that are invalid or too broad', () => {
  const safe = ['https://user:pass@a.example:8443/x?key=1', 'https://tiles.münchen.example/{z}']
  const unsafe = ['https://a;b.example', 'https://a b', 'https://{s}/x', 'https://{s}.com/x']
  const policy = contentPolicy([...safe, ...unsafe, 'https://*/x', 'https://*.b.example', 'c: ü\n'])
  expect(policy).toContain(
    "connect-src 'self' https://a.example:8443 https://tiles.xn--mnchen-3ya.example;",
  )
})

const deps = {
  load: () => Promise.reject(new Error('no')),
  warn: (err: unknown) => {
    throw err
  },
}

const explorer: Explorer = {
  title: 'Hub of the valley',
  version: '0.0.0',
  publicUrl,
  timeZone: 'Europe/Rome',
  languages: ['de', 'it', 'en'],
  services: ['content'],
  map: { tiles: 'https://tiles.example/{z}/{x}/{y}.png', attribution: 'Tiles' },
  embed: true,
  login: { issuer: 'https://id.example/realms/hub', clientId: 'explorer' },
}

const script = `console.log(${JSON.stringify('x'.repeat(2000))})`

const html = '<!doctype html><head><title>Hub</title></head>'
const manifest = {
  'index.html': { file: 'assets/main-abc.js', isEntry: true },
  'src/docs/DocsView.svelte': { file: 'assets/docs-abc.js', imports: ['index.html'] },
}

describe('the page', () => {
  let folder: string
  let app: FastifyInstance

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-page-'))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), html)
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'assets/main-abc.js'), script)
    await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script))
    await writeFile(join(folder, 'assets/main-abc.js.gz'), gzipSync(script))
    app = await createTestApp(explorerRoutes({ page: loadPage(folder), explorer }))
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  it.each([
    ...['/', '/?lang=de', '/datasets/content/Accommodation', '/datasets/timeseries/ParkingStation'],
    ...[
      '/datasets/traffic',
      '/datasets/traffic/province-bz',
      '/records/Event/a%2Fb',
      '/timeseries',
    ],
    ...['/docs', '/docs/quotas', '/docs/api/listEvent', '/login/done?code=x&state=y'],
  ])('is served at %s', async (url) => {
    const { statusCode, headers, body } = await app.inject({ url })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('<title>Hub</title>')
  })

  it.each([
    '/datasets',
    '/datasets/content/a/b',
    '/records/Event',
    '/assets/none.js',
    '/index.html',
  ])('is not served at %s, which returns the usual problem document', async (url) => {
    const { statusCode, headers } = await app.inject({ url })
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toContain('application/problem+json')
  })

  it('may run its own scripts, but none inline, and use the hub, issuer and tiles', async () => {
    const { headers } = await app.inject({ url: '/' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(
      "connect-src 'self' http://hub.test https://id.example https://tiles.example;",
    )
    expect(policy).toContain("default-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  it('may be framed by the websites in the settings, only in its embedded form', async () => {
    const framed = await createTestApp(
      explorerRoutes({
        ...{ page: loadPage(folder), explorer },
        embedOrigins: 'https://www.example.org https://b.example',
      }),
    )
    const headersAt = async (url: string) => (await framed.inject({ url })).headers
    const embedded = await headersAt('/timeseries?a=1&embed=true')
    expect(String(embedded['content-security-policy'])).toMatch(
      /frame-ancestors 'self' https:\/\/www\.example\.org https:\/\/b\.example$/,
    )
    expect(embedded).not.toHaveProperty('x-frame-options')
    // Only if the page reads the query in the same way: of several values, the first one counts.
    const others = [
      'embed=trueish',
      'embed=false&embed=true',
      'embed&embed=true',
      '%65mbed=0&embed=true',
    ]
    for (const query of others) {
      const alone = await headersAt(`/timeseries?${query}`)
      expect(String(alone['content-security-policy'])).toMatch(/frame-ancestors 'self'$/)
      expect(alone['x-frame-options']).toBe('SAMEORIGIN')
      expect(alone['etag']).not.toBe(embedded['etag'])
    }
    await framed.close()
  })

  it('sends its URL as the referrer only to the hub', async () => {
    const { headers } = await app.inject({ url: '/timeseries' })
    expect(headers['referrer-policy']).toBe('same-origin')
  })

  it('is revalidated each time, and sent only if it has changed', async () => {
    const { headers } = await app.inject({ url: '/' })
    expect(headers['cache-control']).toBe('public, no-cache')
    const again = await app.inject({ url: '/', headers: { 'if-none-match': headers.etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('preloads the files of the requested view, and has its own ETag for that view', async () => {
    const catalogue = await app.inject({ url: '/' })
    expect(catalogue.body).toBe(html)
    const docs = await app.inject({ url: '/docs/quotas' })
    expect(docs.body).toContain('<link rel="modulepreload" crossorigin href="/assets/docs-abc.js">')
    expect(docs.headers.etag).not.toBe(catalogue.headers.etag)
    const headers = { 'if-none-match': docs.headers.etag }
    expect((await app.inject({ url: '/docs/quotas', headers })).statusCode).toBe(304)
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(200)
  })

  it('is served as it was built if the manifest is missing', async () => {
    const older = await mkdtemp(join(tmpdir(), 'hub-page-'))
    await writeFile(join(older, 'index.html'), html)
    expect(loadPage(older)?.htmlOf('docs/DocsView.svelte')).toBe(html)
    await rm(older, { recursive: true })
  })

  it('has assets that are cached forever and compressed at build time', async () => {
    const url = '/assets/main-abc.js'
    const plain = await app.inject({ url })
    expect(plain.body).toBe(script)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toContain('javascript')
    const behind = await app.inject({ url, headers: { range: 'bytes=999999999-' } })
    expect([behind.statusCode, behind.headers['content-range'], behind.json()]).toMatchObject([
      416,
      `bytes */${String(plain.rawPayload.length)}`,
      { errorCode: 'HUB-RTE-009' },
    ])
    for (const [name, value] of [
      ['if-match', '"other"'],
      ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ] as const) {
      const changed = await app.inject({ url, headers: { [name]: value } })
      expect([changed.statusCode, changed.json()]).toMatchObject([
        412,
        { errorCode: 'HUB-RTE-008' },
      ])
    }
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(script)
    expect(String(packed.headers['vary']).toLowerCase()).toContain('accept-encoding')
    const codings = ['*', '*;q=0', 'br;q=0, gzip;q=0, *', 'identity, *;q=0.5'].map(
      async (accepted) => {
        const { headers } = await app.inject({ url, headers: { 'accept-encoding': accepted } })
        return headers['content-encoding']
      },
    )
    expect(await Promise.all(codings)).toEqual(['br', undefined, undefined, undefined])
  })

  it('serves a map style and its ranges from the data folder, and may use its hosts', async () => {
    await mkdir(join(folder, 'map'))
    const tiles = 'https://tiles.example/{z}/{x}/{y}.pbf'
    const sources = {
      own: { type: 'vector', url: 'own.json', attribution: 'http://about.example' },
      roads: { type: 'vector', url: 'https://roads.example/tiles.json' },
    }
    const style = { version: 8, sources, glyphs: 'https://glyphs.example/{fontstack}/{range}.pbf' }
    await writeFile(join(folder, 'map/style.json'), JSON.stringify({ ...style, layers: [] }))
    await writeFile(join(folder, 'map/own.json'), '{"tiles":["https://own.example/{z}/{x}/{y}"]}')
    const load = () => Promise.resolve({ tiles: [tiles], logo: 'http://logo.example' })
    const mapStyle = await loadMapStyle('style.json', {
      ...deps,
      dataDir: relative('', folder),
      load,
    })
    expect(mapStyle).toMatchObject({ address: '/map/style.json', folder: join(folder, 'map') })
    const own = { ...explorer, map: { style: mapStyle.address } }
    const mapped = await createTestApp(
      explorerRoutes({ page: loadPage(folder), explorer: own, mapStyle }),
    )
    const page = await mapped.inject({ url: '/' })
    expect(page.headers['content-security-policy']).toContain(
      "connect-src 'self' http://hub.test https://id.example https://own.example https://roads.example https://tiles.example https://glyphs.example;",
    )
    const headers = { range: 'bytes=0-7' }
    const part = await mapped.inject({ url: '/map/own.json', headers })
    expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([
      ...[206, 'bytes 0-7/45', '{"tiles"'],
    ])
    expect((await mapped.inject({ url: '/map/style.json' })).json()).toMatchObject(style)
    for (const url of ['/map/', '/map/none.json', '/map/../index.html', '/map/%2e%2e/index.html']) {
      expect((await mapped.inject({ url })).statusCode).toBe(404)
    }
    await mapped.close()
  })

  it('accepts a tile archive as a style, and may request the archives in a style', async () => {
    const part = { ...deps, dataDir: folder }
    await mkdir(join(folder, 'map'), { recursive: true })
    await writeFile(join(folder, 'map/region.pmtiles'), 'PMTiles\u0003 and more')
    await writeFile(join(folder, 'map/old.pmtiles'), 'PM')
    expect(await loadMapStyle('region.pmtiles', part)).toEqual({
      ...{ address: '/map/region.pmtiles', requested: [], folder: join(folder, 'map') },
    })
    const elsewhere = 'https://maps.example/region.pmtiles'
    for (const url of [elsewhere, `${elsewhere}?signature=1`]) {
      expect(await loadMapStyle(url, part)).toMatchObject({ requested: [url] })
    }
    const sources = { a: { type: 'vector', url: `pmtiles://${elsewhere}` } }
    const style = { version: 8, sources, layers: [] }
    await writeFile(join(folder, 'map/with-archive.json'), JSON.stringify(style))
    expect(await loadMapStyle('with-archive.json', part)).toMatchObject({ requested: [elsewhere] })
    await expect(loadMapStyle('old.pmtiles', part)).rejects.toThrow(/is not a PMTiles file/)
    await expect(loadMapStyle('none.pmtiles', part)).rejects.toThrow(/does not exist/)
  })

  it('may request a remote style and its URLs, and warns of unreadable documents', async () => {
    const url = 'https://maps.example/a/style.json'
    const tiles = ['https://tiles.example/{z}/{x}/{y}']
    const sources = { base: { type: 'raster', tiles }, more: { type: 'vector', url: '../b.json' } }
    const warned: string[] = []
    const requested = async (documents: Readonly<Record<string, unknown>>) => {
      const load = (address: string) => Promise.resolve(documents[address])
      const warn = (_: unknown, address: string) => warned.push(address)
      return (await loadMapStyle(url, { dataDir: folder, load, warn })).requested
    }
    const style = { version: 8, sources, sprite: [{ id: 'a', url: 'https://icons.example/a' }] }
    const described = { 'https://maps.example/b.json': { tiles: ['https://b.example/{z}'] } }
    expect(await requested({ [url]: style, ...described })).toEqual([
      url,
      ...tiles,
      '../b.json',
      'https://b.example/{z}',
      'https://icons.example/a',
    ])
    expect(warned).toEqual([])
    expect(await requested({ [url]: style })).toContain('https://icons.example/a')
    expect(await requested({ [url]: { version: 7 } })).toEqual([url])
    expect(warned).toEqual(['../b.json', url])
  })

  it('does not start without a valid style file', async () => {
    const own = { ...deps, dataDir: folder }
    await expect(loadMapStyle('no.json', own)).rejects.toThrow('not exist')
    await mkdir(join(folder, 'map'), { recursive: true })
    await writeFile(join(folder, 'map/bad.json'), '{"version": 7}')
    await expect(loadMapStyle('bad.json', own)).rejects.toThrow('MapLibre')
  })

  it('refuses other methods, and lists those that it allows', async () => {
    const { statusCode, headers } = await app.inject({ method: 'POST', url: '/' })
    expect([statusCode, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('has its settings in the public /explorer.json', async () => {
    const { statusCode, headers, body } = await app.inject({ url: '/explorer.json' })
    expect([statusCode, JSON.parse(body)]).toEqual([200, explorer])
    expect(headers['etag']).toBeDefined()
  })

  it('explains how to build it if it is missing, while the rest of the hub works', async () => {
    expect(loadPage(join(folder, 'nowhere'))).toBeUndefined()
    const bare = await createTestApp(explorerRoutes({ page: undefined, explorer }))
    const { statusCode, body } = await bare.inject({ url: '/docs' })
    expect([statusCode, JSON.parse(body)]).toMatchObject([503, { errorCode: 'HUB-WEB-001' }])
    expect(body).toContain('npm run build')
    expect((await bare.inject({ url: '/explorer.json' })).statusCode).toBe(200)
    await bare.close()
  })
})
