import type { FastifyInstance } from 'fastify'
import { request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { geoConverterRoutes } from '../../src/content/geo-converter/index.ts'
import { outsideWith } from '../fixtures/files-outside.ts'
import type { FileOutside } from '../fixtures/files-outside.ts'
import { createTestApp } from '../fixtures/test-app.ts'

const kmlPath = '/v1/GeoConverter/KmlToGeoJson'
const gpxPath = '/v1/GeoConverter/GpxToGeoJson'
const kml = '<kml><Placemark><Point><coordinates>11,46.5</coordinates></Point></Placemark></kml>'
const gpx =
  '<gpx><wpt lat="46.5" lon="11"/><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>'
const point = { type: 'Point', coordinates: [11, 46.5] }
const mebibyte = 1_048_576

/** File by URL. All other URLs return 404. */
const files = new Map<string, FileOutside>([
  ['http://example.org/a.kml', kml],
  ['http://example.org/a.gpx', gpx],
  ['http://example.org/bad.kml', '<kml>'],
  ['http://example.org/slow.kml', () => slow()],
  ['http://example.org/large.kml', () => large()],
])

async function* slow(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(kml.slice(0, 20))
  await pause(400)
  yield Buffer.from(kml.slice(20))
}

async function* large(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<kml><a>')
  for (let sent = 0; sent < 11; sent++) yield await Promise.resolve(Buffer.alloc(mebibyte, ' '))
}

const outside = outsideWith(files)

function formOf(parts: readonly (readonly [disposition: string, content: string])[]) {
  const boundary = 'b0und4ry'
  const inner = parts.map(
    ([disposition, content]) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`,
  )
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return { headers, payload: `${inner.join('')}--${boundary}--\r\n` }
}

describe('/v1/GeoConverter', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(geoConverterRoutes({ outside, patience: 2000 }))
  })
  afterAll(() => app.close())
  const post = (url: string, payload: string | Buffer, type?: string) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: type === undefined ? {} : { 'content-type': type },
    })

  it.each([
    'application/vnd.google-earth.kml+xml',
    'application/xml; charset=utf-8',
    'text/xml',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'image/svg+xml',
  ])('accepts a file as %s', async (type) => {
    const response = await post(kmlPath, kml, type)
    expect([response.statusCode, response.json()]).toEqual([200, point])
    expect(response.headers['content-type']).toBe('application/geo+json; charset=utf-8')
  })

  it('respects the charset of the body', async () => {
    const written = kml.replace('<Point>', '<name>ö</name><Point>')
    const latin = Buffer.from(written, 'latin1')
    expect((await post(kmlPath, latin, 'text/xml; charset=iso-8859-1')).json()).toEqual(point)
    expect((await post(kmlPath, latin, 'text/xml')).statusCode).toBe(400)
  })

  it.each([
    ['a file', [['name="file"; filename="a.kml"', kml]]],
    [
      'a file behind other parts',
      [
        ['name="note"', ' '],
        ['name="any"; filename="b"', kml],
      ],
    ],
    [
      'a file behind a text',
      [
        ['name="note"', 'The path to the lake'],
        ['name="file"; filename="a.kml"', kml],
      ],
    ],
    ['a text', [['name="file"', kml]]],
    [
      'several texts, of which the first counts',
      [
        ['name="file"', kml],
        ['name="note"', 'The path to the lake'],
      ],
    ],
  ] as const)('accepts a form with %s', async (_title, parts) => {
    const response = await app.inject({ method: 'POST', url: kmlPath, ...formOf(parts) })
    expect([response.statusCode, response.json()]).toEqual([200, point])
  })

  it('refuses forms without a file, malformed forms, and other media types', async () => {
    const empty = await app.inject({ method: 'POST', url: kmlPath, ...formOf([['name="a"', '']]) })
    expect([empty.statusCode, empty.json().errorCode]).toEqual([400, 'HUB-GEO-001'])
    const broken = await post(kmlPath, 'nothing of the kind', 'multipart/form-data; boundary=x')
    expect(broken.statusCode).toBe(400)
    const unbounded = await post(kmlPath, 'x', 'multipart/form-data')
    expect(unbounded.statusCode).toBeLessThan(500)
    for (const type of ['application/json', 'application/vnd.google-earth.kmz', 'image/png']) {
      const response = await post(kmlPath, kml, type)
      expect([response.statusCode, response.json().errorCode]).toEqual([415, 'HUB-BDY-003'])
      expect(response.json().hint).toContain('application/gpx+xml')
    }
    expect((await post(kmlPath, 'PK\u0003\u0004', 'application/octet-stream')).statusCode).toBe(415)
    expect((await app.inject({ method: 'POST', url: kmlPath })).statusCode).toBe(400)
  })

  it('refuses forms with several files', async () => {
    const file = (name: string) => [`name="file"; filename="${name}"`, kml] as const
    const form = formOf([file('a.kml'), file('b.kml')])
    const response = await app.inject({ method: 'POST', url: kmlPath, ...form })
    expect([response.statusCode, response.json().errorCode]).toEqual([400, 'HUB-GEO-001'])
  })

  it('refuses files of more than 10 MiB, raw and in a form', async () => {
    const much = `<kml>${' '.repeat(10 * mebibyte)}</kml>`
    const raw = await post(kmlPath, much, 'text/xml')
    expect([raw.statusCode, raw.json().errorCode]).toEqual([413, 'HUB-GEO-004'])
    const form = formOf([['name="file"; filename="a.kml"', much]])
    const inForm = await app.inject({ method: 'POST', url: kmlPath, ...form })
    expect(inForm.statusCode).toBe(413)
    const fits = `<kml>${' '.repeat(10 * mebibyte - kml.length - 100)}${kml.slice(5)}`
    expect((await post(kmlPath, fits, 'text/xml')).json()).toEqual(point)
  })

  it('reports the line and the column of an error', async () => {
    const response = await post(kmlPath, '<kml>\n <a></b>\n</kml>', 'text/xml')
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toMatch(/^Line 2, column \d+: This is not well-formed XML/)
  })

  it('converts a file at a URL, and returns 304 if it has not changed', async () => {
    const url = `${kmlPath}?url=${encodeURIComponent('http://example.org/a.kml')}`
    const response = await app.inject({ url })
    expect([response.statusCode, response.json()]).toEqual([200, point])
    expect(response.headers['cache-control']).toBe('public, no-cache')
    const { etag = '' } = response.headers
    const again = await app.inject({ url, headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it.each([
    ['', 400, 'HUB-QRY-001'],
    ['?url=', 400, 'HUB-QRY-001'],
    ['?url=no', 400, 'HUB-GEO-002'],
    ['?url=http://inside.test/a.kml', 400, 'HUB-GEO-002'],
    ['?url=http://example.org/none.kml', 404, 'HUB-GEO-003'],
    ['?url=http://example.org/bad.kml', 400, 'HUB-GEO-001'],
    ['?url=http://example.org/large.kml', 413, 'HUB-GEO-004'],
    ['?url=http://a.org&url=http://b.org', 400, 'HUB-QRY-002'],
  ])('refuses %s', async (query, status, code) => {
    const response = await app.inject(`${kmlPath}${query}`)
    expect([response.statusCode, response.json().errorCode]).toEqual([status, code])
  })

  it('returns 504 after its timeout', async () => {
    const hasty = await createTestApp(geoConverterRoutes({ outside, patience: 50 }))
    const response = await hasty.inject(`${kmlPath}?url=http://example.org/slow.kml`)
    expect([response.statusCode, response.json().errorCode]).toEqual([504, 'HUB-GEO-005'])
    await hasty.close()
  })

  it('fetches at most four files at a time', async () => {
    const url = `${kmlPath}?url=http://example.org/slow.kml`
    const all = await Promise.all(Array.from({ length: 6 }, () => app.inject(url)))
    expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 503, 503])
    const refused = all.find(({ statusCode }) => statusCode === 503)
    expect(refused?.json().errorCode).toBe('HUB-GEO-006')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await app.inject(url)).statusCode).toBe(200)
  })

  it('converts the selected parts of a GPX file', async () => {
    expect((await post(gpxPath, gpx, 'application/gpx+xml')).json()).toEqual(point)
    const track = await post(`${gpxPath}?parts=tracks`, gpx, 'application/gpx+xml')
    expect(track.json()).toEqual({ type: 'Point', coordinates: [2, 1] })
    const both = await app.inject(`${gpxPath}?url=http://example.org/a.gpx&parts=tracks,waypoints`)
    expect(both.json()).toEqual({
      type: 'MultiPoint',
      coordinates: [
        [11, 46.5],
        [2, 1],
      ],
    })
    expect((await post(`${gpxPath}?parts=legs`, gpx, 'text/xml')).statusCode).toBe(400)
    const strict = await app.inject({
      method: 'POST',
      url: gpxPath,
      payload: gpx,
      headers: { 'content-type': 'text/xml', prefer: 'handling=strict' },
    })
    expect([strict.statusCode, strict.json().errorCode]).toEqual([400, 'HUB-QRY-003'])
  })

  it('responds to an invalid file that is still being sent, and continues to work', async () => {
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: kmlPath, method: 'POST' }
      const sending = httpRequest({ ...options, headers: { 'content-type': 'text/xml' } })
      sending.on('response', ({ statusCode }) => {
        resolve(statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.write(`<kml></oops>${' '.repeat(100_000)}`)
    })
    expect(status).toBe(400)
    expect((await post(kmlPath, kml, 'text/xml')).statusCode).toBe(200)
  })

  it('is described in OpenAPI', async () => {
    const { paths } = (await app.inject('/openapi.json')).json()
    for (const path of [kmlPath, gpxPath]) {
      expect(Object.keys(paths[path])).toEqual(['get', 'post'])
      expect(Object.keys(paths[path].post.requestBody.content)).toContain('multipart/form-data')
    }
  })
})
