import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import type { Copy, Progress } from './copy.ts'
import { runMirror } from './run-mirror.ts'

const url = 'http://hub.test'

/** Creates a hub whose feeds only grow: the offset of a feed is its number of records. */
function fakeHub(names: readonly string[]) {
  const counts = new Map(names.map((name) => [name, 1]))
  const outdated = new Set<string>()
  let waiting = 0
  const requests: string[] = []
  const seen = { maxWaiting: 0, requests }
  const page = (name: string, from: number) => {
    const count = counts.get(name) ?? 0
    const messages = Array.from({ length: count - from }, (_, place) => ({
      ...{ type: name, key: String(from + place), value: {} },
      headers: { operation: 'insert' },
    }))
    const headers = { 'stream-next-offset': String(count), 'stream-up-to-date': 'true' }
    return Response.json(messages, { headers })
  }
  const answer: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted()
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    seen.requests.push(`${pathname}?${searchParams.toString()}`)
    if (pathname === '/changes') {
      return Response.json({ feeds: [...counts.keys()].map((name) => ({ name })) })
    }
    if (pathname.startsWith('/exports/')) return new Response('', { status: 404 })
    const name = decodeURIComponent(pathname.replace('/changes/', ''))
    if (!counts.has(name)) return new Response('', { status: 404 })
    const offset = searchParams.get('offset') ?? ''
    if (offset !== '-1' && outdated.delete(name)) return new Response('', { status: 410 })
    if (searchParams.has('live')) {
      waiting += 1
      seen.maxWaiting = Math.max(seen.maxWaiting, waiting)
      await pause(30, undefined, { signal: init?.signal ?? undefined }).finally(() => {
        waiting -= 1
      })
    }
    return page(name, Math.max(0, Number(offset)))
  }
  return { fetch: answer, counts, outdated, seen }
}

/** Creates a copy in memory that throws each of the failures once. */
function memory(failures: Error[] = []) {
  const keys = new Map<string, Map<string, number>>()
  const copy: Copy = {
    folder: tmpdir(),
    open: async (feed) => {
      const records = new Map<string, number>()
      keys.set(feed, records)
      return {
        progress: undefined,
        apply: async (messages, { generation }: Progress) => {
          const failure = failures.pop()
          if (failure !== undefined) throw failure
          for (const { key } of messages) records.set(key, generation)
        },
        sweep: async ({ generation }) => {
          for (const [key, former] of records) if (former < generation) records.delete(key)
        },
        close: async () => undefined,
      }
    },
    close: async () => undefined,
  }
  return { copy, sizeOf: (feed: string) => keys.get(feed)?.size ?? 0 }
}

type Made = ReturnType<typeof fakeHub>

function start(hub: Made, copy: Copy, until: 'current' | 'stopped') {
  const stop = new AbortController()
  const lines: string[] = []
  const ended = runMirror({
    ...{ url, copy, until, token: undefined, fetch: hub.fetch, feeds: [], signal: stop.signal },
    now: () => new Date('2026-11-25T12:00:00Z'),
    random: () => 0,
    // Time runs 100 times as fast, and no pause takes longer than half a second.
    sleep: (milliseconds, signal) =>
      pause(Math.min(500, milliseconds / 100), undefined, { signal }),
    every: () => () => undefined,
    report: (text) => lines.push(text),
  })
  return { ended, lines, stop }
}

const names = Array.from({ length: 30 }, (_, place) => `feed.${String(place)}`)

it('Eight feeds at a time wait at the hub in turn, and all changes arrive', async () => {
  const hub = fakeHub(names)
  const { copy, sizeOf } = memory()
  const { ended, stop } = start(hub, copy, 'stopped')
  for (let count = 2; count < 5; count++) {
    for (const name of names) hub.counts.set(name, count)
    const sizes = () => names.map(sizeOf)
    await expect.poll(sizes).toEqual(names.map(() => count))
  }
  stop.abort()
  expect(await ended).toBe(0)
  expect(hub.seen.maxWaiting).toBe(8)
  const waited = hub.seen.requests.filter((path) => path.includes('live=long-poll'))
  expect(new Set(waited.map((path) => path.split('?')[0])).size).toBeGreaterThan(8)
})

it('A new feed is followed, and one that disappears is reported', async () => {
  const hub = fakeHub(['old', 'other'])
  const { copy, sizeOf } = memory()
  const { ended, lines, stop } = start(hub, copy, 'stopped')
  await expect.poll(() => sizeOf('old')).toBe(1)
  hub.counts.delete('old')
  hub.counts.set('new', 3)
  await expect.poll(() => sizeOf('new')).toBe(3)
  expect(lines).toContain(
    'old: the hub does not have this feed any more (404); its copy stays as it is.',
  )
  stop.abort()
  expect(await ended).toBe(0)
})

it('A temporarily unavailable target is retried; any other fault ends the mirror', async () => {
  const away = () =>
    new AppError('HUB-SRV-002', 'The database is not responding at the moment.', {
      headers: { 'Retry-After': '5' },
    })
  const patient = memory([away(), away(), away()])
  const { ended, lines } = start(fakeHub(['a']), patient.copy, 'current')
  expect(await ended).toBe(0)
  expect(patient.sizeOf('a')).toBe(1)
  expect(lines.join('\n')).toContain('is not responding at the moment. The mirror tries again')
  const full = memory([new Error('The disk is full')])
  const { ended: failed } = start(fakeHub(names), full.copy, 'stopped')
  await expect(failed).rejects.toThrow('The disk is full')
})

it('After 410 a new list is read, and records that it does not have are removed', async () => {
  const hub = fakeHub(['a'])
  hub.counts.set('a', 9)
  const { copy, sizeOf } = memory()
  const { ended, lines, stop } = start(hub, copy, 'stopped')
  await expect.poll(() => sizeOf('a')).toBe(9)
  hub.counts.set('a', 4)
  hub.outdated.add('a')
  await expect.poll(() => sizeOf('a')).toBe(4)
  expect(lines).toContain('a: the offset is outdated (410); its copy begins again.')
  stop.abort()
  await ended
})

it('A token that is no longer valid ends the mirror without removing records', async () => {
  const hub = fakeHub(['a'])
  hub.counts.set('a', 9)
  let isValid = true
  // A hub serves open data even for an invalid token, and reports the token in a header.
  const fetch: typeof hub.fetch = async (...request) => {
    const response = await hub.fetch(...request)
    const challenge = 'Bearer realm="hub", error="invalid_token", error_description="Expired"'
    if (!isValid) response.headers.set('www-authenticate', challenge)
    return response
  }
  const { copy, sizeOf } = memory()
  const { ended, lines } = start({ ...hub, fetch }, copy, 'stopped')
  await expect.poll(() => sizeOf('a')).toBe(9)
  expect(lines).toContain('Copying 1 feed.')
  hub.counts.set('a', 4)
  hub.outdated.add('a')
  isValid = false
  await expect(ended).rejects.toThrow('the hub does not accept the token')
  expect(sizeOf('a')).toBe(9)
})
