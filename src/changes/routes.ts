import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { seesAll } from '../access/index.ts'
import type { Every } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import { answerRead, jsonType, setCaching, weakEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Feed } from './feed.ts'
import { isStillValid, positionOf, read, toReader } from './follow.ts'
import type { Following, Reader } from './follow.ts'
import { feedOperation, feedsOperation } from './schemas.ts'
import type { FeedParameters } from './schemas.ts'
import { createTail } from './tail.ts'
import type { Tail } from './tail.ts'
import { outdated } from './offsets.ts'
import type { Position } from './offsets.ts'
import type { Page } from './read-page.ts'

type Deps = {
  readonly following: Following
  readonly publicUrl: string
  readonly every: Every
  readonly onError: (error: unknown) => void
  /**
   * Maximum number of requests that wait for changes at once. Each caller may have at most a
   * quarter of them.
   */
  readonly maxReaders: number
}

/** Serves the change feed (decision D69): the read side of Durable Streams. */
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
    const hub = { following, tail, ended: closing.signal, places: createPlaces(deps.maxReaders) }
    app.get('/changes', { schema: feedsOperation }, async (request, reply) => {
      const run = async () => {
        const visibility = visibilityOf(request.principal)
        const feeds = (await Promise.all(sources.map(({ list }) => list(visibility)))).flat()
        const body = JSON.stringify({ feeds: feeds.map((feed) => describe(feed, publicUrl)) })
        return { body, type: jsonType, etag: weakEtag([body]) }
      }
      // Other callers must not learn of an origin whose events are all closed.
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
  // From the start: a client that disconnects during one of the awaits must not keep a place.
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

/**
 * Returns the requested offset. EventSource reconnects with its original URL and states its
 * position in the header Last-Event-ID.
 */
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
  /** Takes a place until the signal aborts. @throws AppError HUB-CHG-002 */
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

type Live = {
  readonly following: Following
  readonly tail: Tail
  /** Aborted when the hub stops. */
  readonly ended: AbortSignal
}

/** Milliseconds. Less than the time after which proxies close an idle request. */
const longPoll = 25_000

/** Responds with the next page that has messages, or 204 if nothing changed in time. */
async function poll(live: Live, reader: Reader, from: Position): Promise<FastifyReply> {
  const { following, tail } = live
  const { reply, feed } = reader
  const until = performance.now() + longPoll
  const signal = AbortSignal.any([reader.gone, live.ended])
  let page = await read(following, reader, from)
  while (page.messages.length === 0 && page.isUpToDate && !signal.aborted) {
    const patience = until - performance.now()
    if (patience <= 0) break
    await tail.wait(
      { datasets: reader.reading.datasets, since: page.horizon },
      { patience, signal },
    )
    if (!isStillValid(following, reader)) throw outdated(feed)
    page = await read(following, reader, page.next)
  }
  const { body, headers } = toAnswer(reader, page)
  void reply.headers({ ...headers, 'stream-cursor': cursorOf(following, reader) })
  if (page.messages.length === 0) return reply.header('cache-control', 'no-store').code(204).send()
  return reply.type(jsonType).send(body)
}

/** Returns the body of a page, and its headers. */
function toAnswer(reader: Reader, page: Page) {
  // Bytes, because a string would be encoded once for the ETag and again for the connection.
  const body = Buffer.from(`[${page.messages.join(',\n')}]`)
  return { body, headers: headersOf(reader, page) }
}

function headersOf(reader: Reader, { next, isUpToDate }: Pick<Page, 'next' | 'isUpToDate'>) {
  return {
    'stream-next-offset': reader.offsets.print(next, reader),
    ...(isUpToDate ? { 'stream-up-to-date': 'true' } : {}),
  }
}

/**
 * Returns the cursor: intervals of 20 s since 2024-10-09 (protocol, section 8.1), so that responses
 * in intermediate caches expire.
 */
function cursorOf({ now }: Following, { cursor = -1 }: Reader): string {
  const current = Math.floor((now().getTime() - 1_728_432_000_000) / 20_000)
  return String(cursor < current ? current : cursor + 1)
}

/**
 * Milliseconds. A connection is closed after `lifetime` (protocol, section 5.8), with a keep-alive
 * comment every `heartbeat`.
 */
const lifetime = 60_000
const heartbeat = 15_000

/** A connection that accepts no data for this many milliseconds is closed. */
const stalled = 120_000

function sendEvents(live: Live, reader: Reader, from: Position): FastifyReply {
  const { reply } = reader
  reply.raw.setTimeout(stalled, () => reply.raw.destroy())
  void reply.headers({ 'cache-control': 'no-cache, no-store', 'x-accel-buffering': 'no' })
  return reply.type('text/event-stream').send(Readable.from(events(live, reader, from)))
}

async function* events(live: Live, reader: Reader, from: Position): AsyncGenerator<string> {
  const { following, tail } = live
  const signal = AbortSignal.any([reader.gone, live.ended])
  const began = performance.now()
  const passed = () => performance.now() - began
  let beats = 1
  let isFirst = true
  let position = from
  while (!signal.aborted && isStillValid(following, reader)) {
    const page = await read(following, reader, position)
    position = page.next
    if (page.messages.length > 0)
      yield `event: data\ndata: [${page.messages.join(',\ndata: ')}]\n\n`
    if (page.messages.length > 0 || isFirst) yield control(following, reader, page)
    isFirst = false
    if (passed() >= lifetime) return
    if (!page.isUpToDate) continue
    // Heartbeats come at fixed times: a late one would reveal changes that the reader cannot see.
    const patience = Math.min(beats * heartbeat, lifetime) - passed()
    const waiting = { datasets: reader.reading.datasets, since: page.horizon }
    await tail.wait(waiting, { patience: Math.max(0, patience), signal })
    if (passed() < beats * heartbeat) continue
    beats = Math.floor(passed() / heartbeat) + 1
    yield ': waiting\n\n'
  }
}

function control(following: Following, reader: Reader, page: Page): string {
  const streamNextOffset = reader.offsets.print(page.next, reader)
  const upToDate = page.isUpToDate ? { upToDate: true } : {}
  const data = { streamNextOffset, streamCursor: cursorOf(following, reader), ...upToDate }
  return `event: control\ndata:${JSON.stringify(data)}\nid: ${streamNextOffset}\n\n`
}
