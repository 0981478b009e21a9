import type { FastifyInstance } from 'fastify'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../src/errors/index.ts'
import { healthRoutes } from '../../src/observe/index.ts'
import { AppError } from '../../src/errors/index.ts'
import { createTestApp, publicUrl } from '../fixtures/test-app.ts'

const large = JSON.stringify({ text: 'x'.repeat(5000) })
const secret = 'select password from users'

/** A database that rejects every statement: these tests are about what surrounds every route. */
const unreachable = () =>
  Promise.reject(
    new AppError('HUB-SRV-002', 'The database does not answer.', {
      headers: { 'retry-after': '5' },
    }),
  )
const noDatabase = {
  engine: 'postgresql' as const,
  query: unreachable,
  texts: unreachable,
  execute: unreachable,
  read: { query: unreachable, texts: unreachable, execute: unreachable },
  heavy: () => ({ query: unreachable, texts: unreachable, execute: unreachable }),
  transaction: unreachable,
  ping: unreachable,
  close: () => Promise.resolve(),
}

describe('every response', () => {
  let app: FastifyInstance
  let pending: readonly string[] = []

  beforeAll(async () => {
    app = await createTestApp(
      (service) => {
        const querystring = Type.Object({ limit: Type.Integer({ default: 5 }) })
        service.get('/things', { schema: { querystring } }, (request) => ({ query: request.query }))
        service.get('/large', (_request, reply) => reply.type('application/json').send(large))
        service.get('/broken', () => {
          throw new Error(secret)
        })
        const parseJson = service.getDefaultJsonParser('error', 'error')
        service.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
        service.post('/things', (request) => ({ body: request.body }))
        service.put('/things', { config: { isRefusal: true } }, (_request, reply) =>
          reply.code(405).send('Things stay.'),
        )
        return Promise.resolve()
      },
      healthRoutes({
        database: noDatabase,
        durability: '',
        pendingMigrations: () => Promise.resolve(pending),
      }),
    )
  })
  afterAll(() => app.close())

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  it('has a request id, which an error states as its instance', async () => {
    const { headers, json } = await get('/nothing')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(json()).toMatchObject({ instance: `urn:uuid:${String(headers['x-request-id'])}` })
  })

  it('allows every origin, even for errors, and exposes custom headers', async () => {
    for (const url of ['/things', '/nothing', '/broken']) {
      const { headers } = await get(url, { origin: 'https://app.example' })
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      const exposed = String(headers['access-control-expose-headers']).split(', ')
      const ofFiles = ['Accept-Ranges', 'Content-Disposition', 'Content-Range']
      expect(exposed).toEqual(expect.arrayContaining(['X-Ignored-Parameters', ...ofFiles]))
    }
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/things',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-max-age']).toBe('86400')
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH')
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,content-type')
  })

  it('is compressed with Brotli or gzip if requested and large enough', async () => {
    const brotli = await get('/large', { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(large)
    const gzip = await get('/large', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(large)
    expect(
      (await get('/things', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined()
    expect((await get('/large')).body).toBe(large)
  })

  it('is the same with a trailing slash, and supports HEAD', async () => {
    expect((await get('/things/?LIMIT=7')).json()).toEqual({ query: { limit: 7 } })
    const head = await app.inject({ method: 'HEAD', url: '/things' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  it('is 404 for an unknown path, and 405 with Allow for another method', async () => {
    expect((await get('/nothing')).json()).toMatchObject({ status: 404, errorCode: 'HUB-RTE-001' })
    const wrong = await app.inject({ method: 'DELETE', url: '/things' })
    expect(wrong.statusCode).toBe(405)
    expect(wrong.headers['allow']).toBe('GET, HEAD, OPTIONS, POST')
    expect(wrong.json()).toMatchObject({ errorCode: 'HUB-RTE-002' })
  })

  it('is 412 if its state is not the one that If-Match requires (RFC 9110, 13.1.1)', async () => {
    const own = String((await get('/things')).headers['etag'])
    const statusWith = async (ifMatch: string, ifNoneMatch?: string) => {
      const condition = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
      const { statusCode, headers } = await get('/things', { 'if-match': ifMatch, ...condition })
      expect(headers['content-type']?.includes('problem') ?? false).toBe(statusCode === 412)
      return statusCode
    }
    expect(await statusWith('"other"')).toBe(412)
    expect([await statusWith(own), await statusWith('*')]).toEqual([200, 200])
    expect([await statusWith('*', own), await statusWith('"other"', own)]).toEqual([304, 412])
    expect((await get('/nothing', { 'if-match': '"other"' })).statusCode).toBe(404)
  })

  it('is 404 or 405 even with an invalid body under strict handling', async () => {
    const headers = { 'content-type': 'application/json', prefer: 'handling=strict' }
    for (const [url, status] of [
      ['/nothing?a=1', 404],
      ['/metrics', 405],
    ] as const) {
      const answer = await app.inject({ method: 'POST', url, payload: '{', headers })
      expect(answer.statusCode).toBe(status)
    }
  })

  it('is 405 for QUERY without a Content-Type, and for an invalid Content-Type', async () => {
    for (const [method, type] of [['QUERY'], ['POST', 'x'], ['QUERY', 'x']] as const) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await app.inject({ method, url: '/large?limit=1', headers })
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('lists allowed methods for OPTIONS without a preflight, except refused ones', async () => {
    expect((await app.inject({ method: 'PUT', url: '/things' })).body).toBe('Things stay.')
    const { statusCode, headers, body } = await app.inject({ method: 'OPTIONS', url: '/things' })
    expect([statusCode, headers['allow'], body]).toEqual([204, 'GET, HEAD, OPTIONS, POST', ''])
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('refuses an invalid path, and states the reason', async () => {
    for (const [url, status, detail] of [
      ['/things/%F', 400, 'The path holds a % that is not followed by two hex digits.'],
      ['/things/%FF?a=%', 400, 'The path holds percent-encoded bytes that are not UTF-8.'],
      [
        `/docs/errors/${'x'.repeat(5001)}`,
        431,
        'A segment of the path has more than 5000 characters.',
      ],
    ] as const) {
      expect((await get(url)).json()).toMatchObject({ status, detail })
    }
  })

  it('hides internal errors, and never shows a message of the database', async () => {
    const { statusCode, body } = await get('/broken')
    expect(statusCode).toBe(500)
    expect(JSON.parse(body)).toMatchObject({ errorCode: 'HUB-SRV-001' })
    expect(body).not.toContain(secret)
  })

  it('refuses an invalid body, path or query', async () => {
    const post = (payload: string, type: string) =>
      app.inject({ method: 'POST', url: '/things', payload, headers: { 'content-type': type } })
    expect((await post('{', 'application/json')).json()).toMatchObject({ errorCode: 'HUB-BDY-001' })
    expect((await post('', 'application/json')).json()).toMatchObject({ errorCode: 'HUB-BDY-001' })
    expect((await post('x', 'image/png')).json()).toMatchObject({
      status: 415,
      errorCode: 'HUB-BDY-003',
    })
    expect((await get('/things?a=%E0%A4%A')).statusCode).toBe(200)
    const unreadable = await get('/v1/%')
    expect(unreadable.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-001' })
    expect(unreadable.headers['access-control-allow-origin']).toBe('*')
    for (const url of ['/things?limit=%00', '/things/%00?a=1', '/things?%00=1']) {
      expect((await get(url)).statusCode).toBe(url.startsWith('/things?') ? 400 : 404)
    }
  })

  it('is 503 with Retry-After if the database is unavailable or not migrated', async () => {
    const health = await get('/health')
    expect([health.statusCode, health.headers['retry-after']]).toEqual([503, '5'])
    expect(health.json()).toMatchObject({ errorCode: 'HUB-SRV-002' })
    pending = ['0009-next.sql']
    const ready = await get('/ready')
    expect([ready.statusCode, ready.headers['retry-after']]).toEqual([503, '5'])
    expect(ready.json()).toMatchObject({
      errorCode: 'HUB-SRV-004',
      detail: expect.stringContaining('0009'),
    })
  })

  it.each(Object.keys(catalogue))('explains %s on the page its type links to', async (code) => {
    const { statusCode, headers, body } = await get(`/docs/errors/${code}`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain(code)
  })

  it('is 404 for the page of an error that does not exist', async () => {
    expect((await get('/docs/errors/constructor')).statusCode).toBe(404)
  })

  it('is counted by route, never by URL', async () => {
    await get('/things?secret=1')
    const { body } = await get('/metrics')
    expect(body).toContain('route="/things"')
    expect(body).not.toContain('secret')
  })

  it('is described in OpenAPI with the public URL as the server', () => {
    expect(app.swagger()).toMatchObject({ openapi: '3.1.0', servers: [{ url: publicUrl }] })
  })
})
