import Fastify from 'fastify'
import { gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { anEvent } from '../../test/contract/datex/an-event.ts'
import { anonymous } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { identifyCallers } from '../http/index.ts'
import { TrafficFeed } from './feed.ts'
import { trafficRoutes } from './routes.ts'

const feedPath = '/traffic/v1/situation-publication/province-bz'

type Options = { readonly ignoreTrailingSlash?: boolean; readonly hasClosedEvents?: boolean }

async function anApp(options: Options = {}) {
  const { ignoreTrailingSlash = false } = options
  const app = Fastify({ routerOptions: { ignoreTrailingSlash } })
  app.addSchema(Type.Object({}, { $id: 'ProblemDetails', additionalProperties: true }))
  app.setErrorHandler((error, _request, reply) =>
    error instanceof AppError
      ? reply
          .code(error.status)
          .send({ errorCode: error.code, detail: error.message, hint: error.hint })
      : reply.code(500).send({ detail: String(error) }),
  )
  const feed = new TrafficFeed({
    country: 'it',
    language: 'it',
    titleEnd: '. ',
    source: {
      version: () => Promise.resolve('1'),
      isSettled: () => Promise.resolve(true),
      loadOrigins: () => Promise.resolve(['PROVINCE_BZ']),
      loadEvents: () => Promise.resolve([anEvent()]),
    },
  })
  const clock = () => new Date('2026-06-01T12:00:00Z')
  identifyCallers(app, ({ authorization }) =>
    Promise.resolve(authorization === undefined ? anonymous : { ...anonymous, rejected: 'Bad' }),
  )
  const hasClosedEvents = () => options.hasClosedEvents ?? true
  const publicUrl = 'https://hub.example'
  await app.register(trafficRoutes({ feed, publicUrl, clock, hasClosedEvents }))
  return app
}

describe('discovery', () => {
  it.each(['/traffic/datex/2/', '/traffic/datex/2'])(
    '%s lists the feed URL of each provider',
    async (url) => {
      const app = await anApp()
      const answer = await app.inject(url)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json()).toEqual({
        'province-bz': { 'situation-publication': `https://hub.example${feedPath}` },
      })
    },
  )

  it('also works in an app that ignores trailing slashes', async () => {
    const app = await anApp({ ignoreTrailingSlash: true })
    expect((await app.inject('/traffic/datex/2/')).statusCode).toBe(200)
    expect((await app.inject('/traffic/datex/2')).statusCode).toBe(200)
  })
})

describe('the publication', () => {
  it.each([
    feedPath,
    '/traffic/v1/Announcement/province-bz',
    '/traffic/datex/2/province-bz/situation-publication.xml',
  ])('%s returns the document', async (url) => {
    const answer = await (await anApp()).inject(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('public, max-age=20')
    expect(answer.headers['last-modified']).toBe('Sun, 10 May 2026 22:05:00 GMT')
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.body).toContain('<d2LogicalModel ')
  })

  it.each([
    ['application/geo+json', 'application/geo+json'],
    ['application/geo+json;q=0.9, application/xml', 'application/xml; charset=utf-8'],
    ['application/geo+json;q=0.5, */*', 'application/xml; charset=utf-8'],
    ['application/geo+json;q=0.5, application/*;q=0.8', 'application/xml; charset=utf-8'],
    ['application/geo+json, */*;q=0.8', 'application/geo+json'],
    ['application/geo+json; q=0.9, */*;q=0.8', 'application/geo+json'],
    ['application/geo+json;q=0, */*', 'application/xml; charset=utf-8'],
    ['application/xml;q=0.5, application/geo+json', 'application/geo+json'],
    ['text/html, */*;q=0.1', 'application/xml; charset=utf-8'],
  ])('Accept: %s → %s', async (accept, type) => {
    const answer = await (await anApp()).inject({ url: feedPath, headers: { accept } })
    expect(answer.headers['content-type']).toBe(type)
  })

  it('is GeoJSON with its own ETag on request', async () => {
    const app = await anApp()
    const headers = { accept: 'application/geo+json' }
    const answer = await app.inject({ url: feedPath, headers })
    const { series: id, geometry, title, text } = anEvent()
    expect(answer.json()).toMatchObject({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id,
          geometry,
          properties: {
            type: 'MaintenanceWorks',
            severity: 'medium',
            status: 'active',
            title,
            text,
          },
        },
      ],
    })
    const etag = String(answer.headers['etag'])
    expect(etag).not.toBe((await app.inject(feedPath)).headers['etag'])
    const held = { ...headers, 'if-none-match': etag }
    expect((await app.inject({ url: feedPath, headers: held })).statusCode).toBe(304)
    const other = { 'if-none-match': etag }
    expect((await app.inject({ url: feedPath, headers: other })).statusCode).toBe(200)
  })

  it('is compressed if the client accepts it', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const answer = await (await anApp()).inject({ url: feedPath, headers })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['vary']).toContain('Accept-Encoding')
    expect(gunzipSync(answer.rawPayload).toString()).toContain('<d2LogicalModel ')
  })

  it('returns the headers of GET for HEAD, without a body', async () => {
    const app = await anApp()
    const [get, head] = [
      await app.inject(feedPath),
      await app.inject({ method: 'HEAD', url: feedPath }),
    ]
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    for (const name of [
      'etag',
      'last-modified',
      'content-length',
      'content-type',
      'cache-control',
    ]) {
      expect(head.headers[name]).toBe(get.headers[name])
    }
  })

  it('is 304 for a client that has cached it in any encoding', async () => {
    const app = await anApp()
    const { headers: held } = await app.inject({
      url: feedPath,
      headers: { 'accept-encoding': 'br' },
    })
    const etag = String(held['etag'])
    for (const accepted of ['br', 'identity']) {
      const headers = { 'if-none-match': `"x", W/${etag}`, 'accept-encoding': accepted }
      const answer = await app.inject({ url: feedPath, headers })
      expect(answer.statusCode).toBe(304)
      expect(answer.body).toBe('')
      expect(answer.headers['etag']).toBe(etag)
    }
  })

  it.each([
    [
      'If-Modified-Since its own date',
      { 'if-modified-since': 'Sun, 10 May 2026 22:05:00 GMT' },
      304,
    ],
    ['If-Modified-Since before', { 'if-modified-since': 'Sun, 10 May 2026 22:04:59 GMT' }, 200],
    [
      'If-Modified-Since in an old form',
      { 'if-modified-since': 'Sunday, 10-May-26 22:05:00 GMT' },
      304,
    ],
    ['If-Modified-Since in C', { 'if-modified-since': 'Sun May 10 22:05:00 2026' }, 304],
    ['If-Modified-Since in C', { 'if-modified-since': 'Sun May 10 22:04:59 2026' }, 200],
    ['If-Modified-Since nonsense', { 'if-modified-since': 'lately' }, 200],
    ['If-Modified-Since in ISO 8601', { 'if-modified-since': '2099-01-01' }, 200],
    [
      'If-None-Match, which outweighs If-Modified-Since',
      { 'if-none-match': '"other"', 'if-modified-since': 'Sun, 10 May 2026 22:05:00 GMT' },
      200,
    ],
  ])('%s: %o → %i', async (_name, headers, status) => {
    const answer = await (await anApp()).inject({ url: feedPath, headers })
    expect(answer.statusCode).toBe(status)
  })

  it('is 304 for any cached document with the tag of the accepted encoding', async () => {
    const app = await anApp()
    for (const accepted of ['identity', 'gzip', 'br']) {
      const accept = { 'accept-encoding': accepted }
      const { etag } = (await app.inject({ url: feedPath, headers: accept })).headers
      const headers = { ...accept, 'if-none-match': '*' }
      const answer = await app.inject({ url: feedPath, headers })
      expect([answer.statusCode, answer.headers.etag]).toEqual([304, etag])
    }
  })

  it.each([
    ['/traffic/v1/situation-publication/nobody', 'province-bz'],
    ['/traffic/v1/situation-publication/PROVINCE_BZ', 'province-bz'],
    ['/traffic/v1/Event/province-bz', 'situation-publication'],
    ['/traffic/datex/2/nobody/situation-publication.xml', 'province-bz'],
  ])('%s returns 404 with a hint', async (url, hint) => {
    const answer = await (await anApp()).inject(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ errorCode: 'HUB-RTE-003' })
    expect(answer.body).toContain(hint)
  })
})

describe('records withheld from the feed', () => {
  it.each(['/traffic/datex/2/', feedPath, '/traffic/v1/Announcement/nobody'])(
    'are reported by %s, in the same way to every caller',
    async (url) => {
      const app = await anApp()
      for (const headers of [{}, { authorization: 'Bearer bad' }]) {
        const answer = await app.inject({ url, headers })
        expect(answer.headers['x-withheld']).toBe('records;reason=public-feed')
      }
    },
  )

  it('are reported with 304, too', async () => {
    const app = await anApp()
    const etag = String((await app.inject(feedPath)).headers['etag'])
    const answer = await app.inject({ url: feedPath, headers: { 'if-none-match': etag } })
    expect(answer.statusCode).toBe(304)
    expect(answer.headers['x-withheld']).toBe('records;reason=public-feed')
  })

  it('are not reported if rules open all events to the public', async () => {
    const app = await anApp({ hasClosedEvents: false })
    expect((await app.inject(feedPath)).headers).not.toHaveProperty('x-withheld')
  })

  it.each(['/traffic/datex/2/', feedPath])(
    'let shared caches keep %s, but not the response to an invalid token',
    async (url) => {
      const app = await anApp()
      expect((await app.inject(url)).headers['cache-control']).toBe('public, max-age=20')
      const bad = await app.inject({ url, headers: { authorization: 'Bearer bad' } })
      expect(bad.headers['cache-control']).toBe('private, max-age=20')
      expect(bad.headers['www-authenticate']).toContain('error="invalid_token"')
    },
  )
})
