import { fastify } from 'fastify'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressAnswers, setCommonHeaders } from './request-hooks.ts'

it('sets the security headers on responses and errors, and allows other origins', async () => {
  const app = fastify()
  setCommonHeaders(app)
  app.get('/fine', () => 'fine')
  app.get('/broken', () => {
    throw new Error('broken')
  })
  for (const url of ['/fine', '/broken', '/nowhere']) {
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'cross-origin',
    })
  }
})

it.each(['identity', 'gzip'])(
  'responds to HEAD without reading a stream, encoded as %s',
  async (coding) => {
    let read = 0
    function* pieces() {
      for (let piece = 0; piece < 1000; piece += 1) {
        read += 1
        yield 'x'.repeat(10_000)
      }
    }
    const app = fastify()
    await compressAnswers(app)
    app.get('/', (_request, reply) => reply.type('text/csv').send(Readable.from(pieces())))
    const headers = { 'accept-encoding': coding }
    const head = await app.inject({ method: 'HEAD', url: '/', headers })
    await pause(20)
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200,
      'text/csv',
      '',
    ])
    expect(read).toBe(0)
    const whole = await app.inject({ method: 'GET', url: '/', headers })
    expect([whole.headers['content-encoding'], read]).toEqual([
      coding === 'gzip' ? coding : undefined,
      1000,
    ])
  },
)

it.each([
  ['gzip;q=0, *', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, gzip;q=0, *', 'identity'],
])('sends no encoding that the caller refuses: %s', async (accepted, coding) => {
  const app = fastify()
  await compressAnswers(app)
  app.get('/', (_request, reply) => reply.type('text/plain').send('x'.repeat(2000)))
  const { headers } = await app.inject({ url: '/', headers: { 'accept-encoding': accepted } })
  expect(headers['content-encoding'] ?? 'identity').toBe(coding)
})

const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

it.each([
  ['text', 'br', 'a text'],
  ['a text that begins as zlib does', 'identity', '80 rows'],
  ['bytes that begin as zlib does', 'identity', Buffer.from([0x78, 0x9c])],
  ['bytes that begin as gzip does', 'identity', Buffer.from([0x1f, 0x8b, 0x08])],
] as const)('sends %s as %s', async (_what, coding, start) => {
  const body = Buffer.concat([Buffer.from(start), Buffer.alloc(2000, 'x')])
  const app = fastify()
  await compressAnswers(app)
  app.get('/bytes', (_request, reply) => reply.type('text/plain').send(body))
  app.get('/text', (_request, reply) => reply.type('text/plain').send(body.toString('latin1')))
  const headers = { 'accept-encoding': 'br, gzip' }
  const answer = await app.inject({ url: '/bytes', headers })
  expect(answer.headers['content-encoding'] ?? 'identity').toBe(coding)
  expect(unpack[coding](answer.rawPayload)).toEqual(body)
  if (typeof start !== 'string') return
  const text = await app.inject({ url: '/text', headers })
  expect(unpack[coding](text.rawPayload)).toEqual(body)
})
