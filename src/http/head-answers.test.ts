import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { compressAnswers } from './compression.ts'

it.each(['identity', 'gzip'])(
  'answers HEAD without reading a stream, packed as %s',
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
