import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askHub, rememberCatalogue } from './ask-hub.ts'
import type { Ask } from './ask-hub.ts'

const publicUrl = 'http://hub.test'

describe('askHub', () => {
  let app: FastifyInstance
  let ask: Ask
  const memory = rememberCatalogue()
  let leaving = new AbortController()
  /**
   * Requests that have arrived. Requests to /slow end when released or when one of them is closed.
   */
  let began: FastifyRequest[] = []
  let closed = 0
  let release = Promise.withResolvers<undefined>()

  beforeEach(async () => {
    app = Fastify()
    began = []
    closed = 0
    release = Promise.withResolvers<undefined>()
    app.addHook('onRequest', (request, _reply, done) => {
      began.push(request)
      done()
    })
    app.get('/slow', async (_request, { raw }) => {
      raw.once('close', () => {
        closed += 1
        release.resolve(undefined)
      })
      await release.promise
      return { done: true }
    })
    app.get('/catalogue', (request, reply) => {
      const tag = request.headers.authorization === undefined ? 'W/"open"' : 'W/"all"'
      void reply.header('etag', tag)
      const known = request.headers['if-none-match']?.split(', ') ?? []
      if (known.includes(tag)) return reply.code(304).send()
      return reply.header('x-withheld', tag).send({ datasets: [{ tag }] })
    })
    app.get('/long', (_request, reply) =>
      reply.code(429).send({ message: 'Too long.', hint: `${publicUrl}/docs/errors/HUB-QTA-001` }),
    )
    leaving = new AbortController()
    ask = askFor({})
    await app.ready()
  })
  afterEach(() => app.close())

  const askFor = (headers: Readonly<Record<string, string>>) => {
    const request = { headers, ip: '127.0.0.1' }
    return askHub({ app, publicUrl, memory }, { request, gone: leaving.signal })
  }

  it('runs at most four requests at a time, and completes all of them', async () => {
    const asked = Array.from({ length: 20 }, () => ask('/slow'))
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    expect(began).toHaveLength(4)
    release.resolve(undefined)
    await Promise.all(asked)
    expect(began).toHaveLength(20)
  })

  it('aborts the requests of a caller that disconnects, and starts no others', async () => {
    const asked = Array.from({ length: 20 }, () => ask('/slow'))
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    leaving.abort()
    const ended = await Promise.allSettled(asked)
    expect(ended.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'))
    await nextTurn()
    expect([began.length, closed]).toEqual([4, 4])
  })

  it('reports the code of an exceeded quota, which is only in the URL of its explanation', async () => {
    await expect(ask('/long')).rejects.toMatchObject({ code: 'HUB-QTA-001', message: 'Too long.' })
  })

  it('reads the catalogue again only if it has changed, for callers with any rights', async () => {
    const [open, all] = [
      await ask('/catalogue'),
      await askFor({ authorization: 'x' })('/catalogue'),
    ]
    expect([open.withheld, all.withheld]).toEqual(['W/"open"', 'W/"all"'])
    expect(await ask('/catalogue')).toBe(open)
    expect(await askFor({ authorization: 'x' })('/catalogue')).toBe(all)
    expect(began.at(-1)?.headers['if-none-match']).toBe('W/"open", W/"all"')
    expect(began).toHaveLength(4)
  })
})
