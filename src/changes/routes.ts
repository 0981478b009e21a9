import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { hash } from 'node:crypto'
import { seesAll } from '../access/index.ts'
import type { Every } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { answerRead, jsonType, setCaching, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Feed } from './feed.ts'
import { positionOf, read, toReader } from './follow.ts'
import type { Following } from './follow.ts'
import { headersOf, poll, sendEvents, toAnswer } from './live.ts'
import { feedOperation, feedsOperation } from './schemas.ts'
import type { FeedParameters } from './schemas.ts'
import { createTail } from './tail.ts'
import type { Tail } from './tail.ts'

type Deps = {
  readonly following: Following
  readonly publicUrl: string
  readonly every: Every
  readonly onError: (error: unknown) => void
  /** How many may wait for changes at once; each caller at most a quarter of them. */
  readonly mostReaders: number
}

/** The change feed (decision D69): the read side of Durable Streams. */
export const changeRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { following, publicUrl, every, onError } = deps
    const { database, sources, visibilityOf } = following
    const tail = createTail({ database, every, onError })
    const closing = new AbortController()
    app.addHook('preClose', (done) => {
      closing.abort()
      tail.stop()
      done()
    })
    const hub = { following, tail, ended: closing.signal, places: createPlaces(deps.mostReaders) }
    app.get('/changes', { schema: feedsOperation }, async (request, reply) => {
      const run = async () => {
        const visibility = visibilityOf(request.principal)
        const feeds = (await Promise.all(sources.map(({ list }) => list(visibility)))).flat()
        const body = JSON.stringify({ feeds: feeds.map((feed) => describe(feed, publicUrl)) })
        return { body, type: jsonType, etag: weakEtag([body]) }
      }
      // Of an origin with closed events alone, others do not learn.
      const isWhole = seesAll(visibilityOf(request.principal), 'event')
      return answerRead({ request, reply }, { run, withheld: isWhole ? [] : ['records'] })
    })
    app.get('/changes/:feed', { schema: feedOperation }, async (request, reply) =>
      answerFeed(hub, { request, reply }, { name: request.params.feed, parameters: request.query }),
    )
  }

function describe({ name, type, description, needsToken, takes }: Feed, publicUrl: string) {
  const url = `${publicUrl}/changes/${encodeURIComponent(name)}`
  return { name, type, description, url, parameters: takes, needsToken }
}

type Hub = {
  readonly following: Following
  readonly tail: Tail
  readonly ended: AbortSignal
  readonly places: Places
}

async function answerFeed(
  hub: Hub,
  exchange: Exchange,
  target: { readonly name: string; readonly parameters: FeedParameters },
): Promise<FastifyReply> {
  const { following } = hub
  const { request, reply } = exchange
  const { live } = target.parameters
  // From the first moment on: who leaves while something is awaited must not keep a place.
  const leaving = new AbortController()
  reply.raw.once('close', () => leaving.abort())
  const reader = await toReader(following, { ...exchange, gone: leaving.signal }, target)
  setCaching(reply, request.principal)
  const offset = offsetOf(exchange, target.parameters)
  if (request.method === 'HEAD' || (offset === 'now' && live === undefined)) {
    const next = await positionOf(following, reader, 'now')
    void reply.headers(headersOf(reader, { next, isUpToDate: true }))
    return reply.header('cache-control', 'no-store').type(jsonType).send('[]')
  }
  const from = await positionOf(following, reader, offset)
  if (live === undefined) {
    return answerRead(exchange, {
      run: async () => {
        const { body, headers } = toAnswer(reader, await read(following, reader, from))
        return {
          body,
          type: jsonType,
          headers,
          etag: weakEtag([...Object.values(headers), hash('sha256', body)]),
        }
      },
    })
  }
  hub.places.take(callerOf(exchange), reader.gone)
  return live === 'sse' ? sendEvents(hub, reader, from) : poll(hub, reader, from)
}

/** EventSource connects again with the address it began with, and says in a header where it is. */
function offsetOf({ request }: Exchange, { live, offset }: FeedParameters): string {
  const id = request.headers['last-event-id']
  if (live === 'sse' && typeof id === 'string' && id !== '') return id
  if (offset !== undefined || live === undefined) return offset ?? '-1'
  throw new AppError('HUB-QRY-001', 'live requires an offset.', {
    issues: [{ parameter: 'offset', detail: 'is missing', expected: ['-1', 'now'] }],
  })
}

function callerOf({ request: { principal, ip } }: Exchange): string {
  return principal.kind === 'anonymous' ? ip : principal.subject
}

type Places = {
  /** Until the signal. @throws AppError HUB-CHG-002 */
  readonly take: (caller: string, signal: AbortSignal) => void
}

function createPlaces(most: number): Places {
  const taken = new Map<string, number>()
  let all = 0
  const change = (caller: string, by: number) => {
    const own = (taken.get(caller) ?? 0) + by
    all += by
    if (own === 0) taken.delete(caller)
    else taken.set(caller, own)
  }
  return {
    take: (caller, signal) => {
      if (all >= most || (taken.get(caller) ?? 0) >= most / 4) {
        throw new AppError('HUB-CHG-002', 'Too many readers are waiting for changes.', {
          headers: { 'retry-after': '10' },
        })
      }
      if (signal.aborted) return
      change(caller, 1)
      signal.addEventListener('abort', () => {
        change(caller, -1)
      })
    },
  }
}
