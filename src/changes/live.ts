import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { jsonType } from '../http/index.ts'
import { isStillValid, read } from './follow.ts'
import type { Following, Reader } from './follow.ts'
import { outdated } from './offsets.ts'
import type { Position } from './offsets.ts'
import type { Page } from './read-page.ts'
import type { Tail } from './tail.ts'

type Live = {
  readonly following: Following
  readonly tail: Tail
  /** Aborted when the hub stops. */
  readonly ended: AbortSignal
}

/** Milliseconds; below the time after which proxies end a request that says nothing. */
const longPoll = 25_000

/** The next page that has messages; 204 when nothing changed in time. */
export async function poll(live: Live, reader: Reader, from: Position): Promise<FastifyReply> {
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

/** A page as it is sent, with its headers. */
export function toAnswer(reader: Reader, page: Page) {
  // Bytes: a text would be turned into them for the tag, and again for the connection.
  const body = Buffer.from(`[${page.messages.join(',\n')}]`)
  return { body, headers: headersOf(reader, page) }
}

export function headersOf(reader: Reader, { next, isUpToDate }: Pick<Page, 'next' | 'isUpToDate'>) {
  return {
    'stream-next-offset': reader.offsets.print(next, reader),
    ...(isUpToDate ? { 'stream-up-to-date': 'true' } : {}),
  }
}

/** Intervals of 20 s since 2024-10-09 (protocol, section 8.1): so caches in between expire. */
function cursorOf({ now }: Following, { cursor = -1 }: Reader): string {
  const current = Math.floor((now().getTime() - 1_728_432_000_000) / 20_000)
  return String(cursor < current ? current : cursor + 1)
}

/** Milliseconds: connections are closed after this (protocol, section 5.8), and say that they live in between. */
const lifetime = 60_000
const heartbeat = 15_000

/** After which a connection is closed that takes nothing, in milliseconds. */
const stalled = 120_000

export function sendEvents(live: Live, reader: Reader, from: Position): FastifyReply {
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
    // At fixed times: a beat that is late would reveal changes that the reader cannot see.
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
