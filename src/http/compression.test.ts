import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { compressAnswers } from './compression.ts'

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
