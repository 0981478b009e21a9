import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { requirePrincipal } from '../access/index.ts'
import type { Every, Principal, Visibility } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import {
  answerRead,
  assertNoneIgnored,
  jsonType,
  reportIgnored,
  setCaching,
  wantsStrictHandling,
  weakEtag,
} from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import type { Feed, FeedCaller, FeedQuery, FeedSource, Reading } from './feed.ts'
import { isLost } from './order.ts'
import { loadEpoch, openOffsets, outdated } from './offsets.ts'
import type { Offsets, Position } from './offsets.ts'
import { beginning, ending, readPage } from './read-page.ts'
import type { Page } from './read-page.ts'
import { feedOperation, feedsOperation } from './schemas.ts'
import type { FeedParameters } from './schemas.ts'
import { createTail } from './tail.ts'
import type { Tail } from './tail.ts'

type Deps = {
  readonly database: Database
  readonly sources: readonly FeedSource[]
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  readonly every: Every
  readonly onError: (error: unknown) => void
}

/** The change feed (decision D69): the read side of Durable Streams. */
export const changeRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, sources, publicUrl } = deps
    const offsets = openOffsets(await loadEpoch(database))
    const tail = createTail(deps)
    const closing = new AbortController()
    app.addHook('preClose', (done) => {
      closing.abort()
      tail.stop()
      done()
    })
    const hub: Hub = { ...deps, offsets, tail, ended: closing.signal, share: shareRunning<Page>() }
    app.get('/changes', { schema: feedsOperation }, async (request, reply) => {
      const run = async () => {
        const feeds = (await Promise.all(sources.map((source) => source.list()))).flat()
        const body = JSON.stringify({ feeds: feeds.map((feed) => describe(feed, publicUrl)) })
        return { body, type: jsonType, etag: weakEtag([body]) }
      }
      return answerRead({ request, reply }, { run })
    })
    app.get('/changes/:feed', { schema: feedOperation }, async (request, reply) =>
      answerFeed(hub, { request, reply }, { name: request.params.feed, parameters: request.query }),
    )
  }

function describe({ name, type, description, needsToken, takes }: Feed, publicUrl: string) {
  const url = `${publicUrl}/changes/${encodeURIComponent(name)}`
  return { name, type, description, url, parameters: takes, needsToken }
}

type Hub = Deps & {
  readonly offsets: Offsets
  readonly tail: Tail
  readonly ended: AbortSignal
  readonly share: ReturnType<typeof shareRunning<Page>>
}

/** A request that was understood. */
type Following = Exchange & {
  readonly feed: Feed
  readonly query: FeedQuery
  readonly caller: FeedCaller
  readonly reading: Reading
  readonly cursor: number | undefined
}

type Wanted = { readonly name: string; readonly parameters: FeedParameters }

async function answerFeed(hub: Hub, exchange: Exchange, wanted: Wanted): Promise<FastifyReply> {
  const { parameters } = wanted
  const following = await toFollowing(hub, exchange, wanted)
  const { request, reply } = exchange
  setCaching(reply, request.principal)
  const written = parameters.offset ?? lastEventId(exchange, parameters) ?? '-1'
  if (request.method === 'HEAD' || (written === 'now' && parameters.live === undefined)) {
    const next = await endOf(hub)
    void reply.headers({
      ...headersOf(hub, following, { next, isUpToDate: true }),
      'cache-control': 'no-store',
    })
    return reply.type(jsonType).send('[]')
  }
  const from = await positionOf(hub, following, written)
  if (parameters.live === 'sse') return sendEvents(hub, following, from)
  if (parameters.live === 'long-poll') return poll(hub, following, from)
  return answerRead(exchange, {
    run: async () => toAnswer(hub, following, await read(hub, following, from)),
  })
}

/** EventSource has no other way to say where it goes on. */
function lastEventId({ request }: Exchange, { live }: FeedParameters): string | undefined {
  const id = request.headers['last-event-id']
  return live === 'sse' && typeof id === 'string' ? id : undefined
}

async function toFollowing(
  { sources, visibilityOf }: Hub,
  exchange: Exchange,
  { name, parameters }: Wanted,
): Promise<Following> {
  const { request, reply } = exchange
  const found = await Promise.all(sources.map((source) => source.find(name)))
  const feed = found.find((one) => one !== undefined)
  if (feed === undefined) {
    throw new AppError('HUB-RTE-003', `There is no feed ${JSON.stringify(name)}.`, {
      hint: 'GET /changes lists all feeds.',
    })
  }
  const { principal, headers } = request
  if (feed.needsToken) requirePrincipal(principal)
  const isStrict = wantsStrictHandling(headers['prefer'])
  const { offset: _offset, live: _live, cursor, ...given } = parameters
  const entries = Object.entries(given)
  const ignored = entries
    .map(([key]) => key)
    .filter((key) => !feed.takes.some((one) => one === key))
  if (isStrict) assertNoneIgnored(ignored, `in the feed ${feed.name}`)
  reportIgnored(reply, ignored)
  const query: FeedQuery = Object.fromEntries(entries.filter(([key]) => !ignored.includes(key)))
  const caller = { principal, visibility: visibilityOf(principal), isStrict }
  return { ...exchange, feed, query, caller, reading: await feed.open(query, caller), cursor }
}

function readershipOf({ feed, query, caller }: Following) {
  return { feed, query, visibility: caller.visibility }
}

function pageDeps({ database, now, offsets }: Hub) {
  return { database, now, transactionId: offsets.transactionId }
}

const endOf = (hub: Hub) => ending(pageDeps(hub))

/** @throws AppError HUB-CHG-001 for an offset after which changes may be gone */
async function positionOf(hub: Hub, following: Following, written: string): Promise<Position> {
  if (written === '-1') return beginning(pageDeps(hub))
  if (written === 'now') return endOf(hub)
  const position = hub.offsets.parse(written, readershipOf(following))
  const { feed } = following
  if (await isLost(hub.database, feed.datasets, position)) throw outdated(feed)
  return position
}

/** Readers of the same place share one reading. */
function read(hub: Hub, following: Following, from: Position): Promise<Page> {
  const isPublic = following.caller.principal.kind === 'anonymous'
  const run = () => readPage(pageDeps(hub), following, from)
  return isPublic ? hub.share(hub.offsets.print(from, readershipOf(following)), run) : run()
}

function headersOf(
  hub: Hub,
  following: Following,
  { next, isUpToDate }: Pick<Page, 'next' | 'isUpToDate'>,
) {
  return {
    'stream-next-offset': hub.offsets.print(next, readershipOf(following)),
    ...(isUpToDate ? { 'stream-up-to-date': 'true' } : {}),
  }
}

function toAnswer(hub: Hub, following: Following, page: Page) {
  const body = `[${page.messages.join(',\n')}]`
  const headers = headersOf(hub, following, page)
  return { body, type: jsonType, headers, etag: weakEtag([body, headers['stream-next-offset']]) }
}

/** Intervals of 20 s since 2024-10-09 (protocol, section 8.1): so caches in between expire. */
function cursorOf({ now }: Hub, { cursor = -1 }: Following): string {
  const current = Math.floor((now().getTime() - 1_728_432_000_000) / 20_000)
  return String(cursor < current ? current : cursor + 1)
}

/** Below the time after which proxies end a request that says nothing. */
const longPoll = 25_000

async function poll(hub: Hub, following: Following, from: Position): Promise<FastifyReply> {
  const { reply, feed } = following
  const until = performance.now() + longPoll
  const signal = abortedBy(hub, following)
  let page = await read(hub, following, from)
  while (page.messages.length === 0 && page.isUpToDate && !signal.aborted) {
    const patience = until - performance.now()
    if (patience <= 0) break
    const waiting = { datasets: feed.datasets, since: page.horizon }
    await hub.tail.wait(waiting, { patience, signal })
    page = await read(hub, following, page.next)
  }
  const { body, type, headers, etag } = toAnswer(hub, following, page)
  void reply.headers({ ...headers, 'stream-cursor': cursorOf(hub, following) })
  if (page.messages.length === 0) return reply.header('cache-control', 'no-store').code(204).send()
  return reply.header('etag', etag).type(type).send(body)
}

/** Ends with the request, or with the hub. */
function abortedBy({ ended }: Hub, { reply }: Following): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, ended])
}

function sendEvents(hub: Hub, following: Following, from: Position): FastifyReply {
  const { reply } = following
  void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  return reply.type('text/event-stream').send(Readable.from(events(hub, following, from)))
}

/** Milliseconds: connections are closed after this (protocol, section 5.8), and say that they live in between. */
const lifetime = 60_000
const heartbeat = 15_000

async function* events(hub: Hub, following: Following, from: Position): AsyncGenerator<string> {
  const signal = abortedBy(hub, following)
  const until = performance.now() + lifetime
  let isFirst = true
  let position = from
  while (!signal.aborted) {
    const page = await read(hub, following, position)
    position = page.next
    if (page.messages.length > 0)
      yield `event: data\ndata: [${page.messages.join(',\ndata: ')}]\n\n`
    if (page.messages.length > 0 || isFirst) yield control(hub, following, page)
    isFirst = false
    if (performance.now() >= until) return
    if (!page.isUpToDate) continue
    const waiting = { datasets: following.feed.datasets, since: page.horizon }
    const began = performance.now()
    const patience = Math.min(heartbeat, Math.max(0, until - began))
    await hub.tail.wait(waiting, { patience, signal })
    if (performance.now() - began >= patience) yield ': waiting\n\n'
  }
}

function control(hub: Hub, following: Following, page: Page): string {
  const streamNextOffset = hub.offsets.print(page.next, readershipOf(following))
  const upToDate = page.isUpToDate ? { upToDate: true } : {}
  const said = { streamNextOffset, streamCursor: cursorOf(hub, following), ...upToDate }
  return `event: control\nid: ${streamNextOffset}\ndata: ${JSON.stringify(said)}\n\n`
}
