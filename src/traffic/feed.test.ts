import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { toSlug } from '../timeseries/index.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import { anEvent } from '../../test/contract/datex/an-event.ts'
import { TrafficFeed } from './feed.ts'
import type { Build } from './feed.ts'

const at = (time: string) => new Date(`2026-06-01T${time}:00Z`)

/** Creates a feed of events in memory that collects its builds. */
function aFeed(events: MobilityEvent[]) {
  const state = { version: '1', rights: '', failures: 0, ticks: 0, pace: 1000, away: false }
  const asked: number[] = []
  const builds: Build[] = []
  const feed = new TrafficFeed({
    country: 'it',
    language: 'it',
    titleEnd: '. ',
    onBuild: (build) => builds.push(build),
    ticks: () => (state.ticks += state.pace),
    source: {
      version: () => {
        asked.push(state.ticks)
        return state.away
          ? Promise.reject(new Error('database away'))
          : Promise.resolve(state.version)
      },
      rights: () => state.rights,
      isSettled: () => Promise.resolve(true),
      loadOrigins: () => Promise.resolve([...new Set(events.map(({ origin }) => origin))]),
      loadEvents: (origin) =>
        state.failures-- > 0
          ? Promise.reject(new Error('database away'))
          : Promise.resolve(events.filter((event) => event.origin === origin)),
    },
  })
  return { feed, state, builds, asked }
}

describe('TrafficFeed', () => {
  it('lists providers by slug', async () => {
    const { feed } = aFeed([anEvent(), anEvent({ origin: 'A22' })])
    expect(await feed.providers()).toEqual(['a22', 'province-bz'])
    expect(toSlug('PROVINCE_BZ')).toBe('province-bz')
    expect(await feed.document('nobody', at('12:00'))).toBeUndefined()
  })

  it('serves one of the origins that share a URL, and counts what the others lose', async () => {
    const events = [anEvent({ origin: 'LP_ORG', series: 'first' })]
    events.push(
      anEvent({ origin: 'lp-org', series: 'a' }),
      anEvent({ origin: 'Lp_Org', series: 'b' }),
    )
    const { feed, builds } = aFeed(events)
    expect(await feed.providers()).toEqual(['lp-org'])
    expect((await feed.document('lp-org', at('12:00')))?.xml).toContain('LP_ORG')
    expect(builds.map(({ others }) => others)).toEqual([
      { origins: ['Lp_Org', 'lp-org'], situations: 2 },
    ])
  })

  it('builds once for all callers until something changes', async () => {
    const { feed, builds } = aFeed([anEvent()])
    const asked = Array.from({ length: 5 }, () => feed.document('province-bz', at('12:00')))
    expect(new Set(await Promise.all(asked)).size).toBe(1)
    await feed.document('province-bz', at('18:00'))
    expect(builds).toHaveLength(1)
    expect(builds[0]?.document.situations).toBe(1)
  })

  it('rebuilds after an event is written, once for all callers', async () => {
    const events = [anEvent()]
    const { feed, state, builds } = aFeed(events)
    const before = await feed.document('province-bz', at('12:00'))
    events.push(anEvent({ series: 'another', recorded: at('12:01') }))
    state.version = '2'
    const asked = Array.from({ length: 5 }, () => feed.document('province-bz', at('12:02')))
    const after = (await Promise.all(asked))[0]
    expect(builds).toHaveLength(2)
    expect(after?.situations).toBe(2)
    expect(after?.etag('identity')).not.toBe(before?.etag('identity'))
  })

  it('lists a provider as soon as it has its first event', async () => {
    const events = [anEvent()]
    const { feed, state } = aFeed(events)
    await feed.providers()
    events.push(anEvent({ origin: 'A22' }))
    state.version = '2'
    expect(await feed.providers()).toEqual(['a22', 'province-bz'])
  })

  it('rebuilds when a start or end has passed, and uses it as the publication time', async () => {
    const { feed, builds } = aFeed([anEvent({ end: at('15:00') })])
    await feed.document('province-bz', at('14:59'))
    const ended = await feed.document('province-bz', at('15:00'))
    expect(ended?.publicationTime).toEqual(at('15:00'))
    expect(ended?.xml).toContain('<end>true</end>')
    expect(builds).toHaveLength(2)
  })

  it('keeps the ETag if a write changes nothing in the document', async () => {
    const { feed, state } = aFeed([anEvent()])
    const before = await feed.document('province-bz', at('12:00'))
    state.version = '2'
    const after = await feed.document('province-bz', at('13:00'))
    expect(after).not.toBe(before)
    expect(after?.etag('gzip')).toBe(before?.etag('gzip'))
  })

  it('returns the same ETag from another node or after a restart', async () => {
    const [one, other] = [aFeed([anEvent()]), aFeed([anEvent()])]
    const first = await one.feed.document('province-bz', at('12:00'))
    const second = await other.feed.document('province-bz', at('18:30'))
    expect(second?.etag('br')).toBe(first?.etag('br'))
  })

  it('updates the publication time when a series disappears', async () => {
    const events = [anEvent({ series: 'a' }), anEvent({ series: 'b', recorded: at('11:00') })]
    const { feed, state } = aFeed(events)
    await feed.document('province-bz', at('12:00'))
    events.pop()
    state.version = '2'
    expect((await feed.document('province-bz', at('12:00')))?.publicationTime).toEqual(at('12:00'))
  })

  it('sets different Last-Modified times on documents from the same second', async () => {
    const events = [anEvent({ recorded: at('11:00') })]
    const { feed, state } = aFeed(events)
    const first = await feed.document('province-bz', at('12:00'))
    events.push(anEvent({ series: 'b', recorded: new Date(at('11:00').getTime() + 300) }))
    state.version = '2'
    const second = await feed.document('province-bz', at('12:00'))
    expect([first, second].map((document) => document?.lastModified)).toEqual([
      at('11:00').getTime(),
      at('11:00').getTime() + 1000,
    ])
    state.version = '3'
    const same = await feed.document('province-bz', at('12:00'))
    expect(same?.lastModified).toBe(second?.lastModified)
  })

  it('reports a failed build to its caller, and retries for the next one', async () => {
    const { feed, state } = aFeed([anEvent()])
    state.failures = 1
    await expect(feed.document('province-bz', at('12:00'))).rejects.toThrow('database away')
    expect((await feed.document('province-bz', at('12:00')))?.situations).toBe(1)
  })

  it('checks the version only at intervals, for any number of requests', async () => {
    const { feed, state, asked } = aFeed([anEvent()])
    state.pace = 0
    const first = await feed.document('province-bz', at('12:00'))
    for (let count = 0; count < 100; count++) await feed.document('province-bz', at('12:00'))
    expect(feed.ready('province-bz', at('12:00'))).toBe(first)
    expect(asked).toHaveLength(1)
    state.ticks += 20
    expect(feed.ready('province-bz', at('12:00'))).toBeUndefined()
    await feed.document('province-bz', at('12:00'))
    expect(asked).toHaveLength(2)
  })

  it('has nothing ready after a boundary, or for a provider that does not exist', async () => {
    const { feed, state } = aFeed([anEvent({ end: at('15:00') })])
    state.pace = 0
    await feed.document('province-bz', at('12:00'))
    expect(feed.ready('province-bz', at('14:59'))).toBeDefined()
    expect(feed.ready('province-bz', at('15:00'))).toBeUndefined()
    expect(feed.ready('nobody', at('12:00'))).toBeUndefined()
  })

  it('serves the last document for at most five seconds if the database is down', async () => {
    const { feed, state } = aFeed([anEvent()])
    state.pace = 0
    const first = await feed.document('province-bz', at('12:00'))
    state.away = true
    state.ticks += 3999
    expect(await feed.document('province-bz', at('12:00'))).toBe(first)
    state.ticks += 1001
    await expect(feed.document('province-bz', at('12:00'))).rejects.toThrow('away')
  })

  it('rebuilds immediately when access rights change', async () => {
    const { feed, state, builds } = aFeed([anEvent()])
    state.pace = 0
    await feed.document('province-bz', at('12:00'))
    state.rights = 'fewer'
    expect(feed.ready('province-bz', at('12:00'))).toBeUndefined()
    await feed.document('province-bz', at('12:00'))
    expect(builds).toHaveLength(2)
  })

  it('refreshes all changed documents, and drops those of providers without events', async () => {
    const events = [anEvent(), anEvent({ origin: 'A22', end: at('15:00') })]
    const { feed, state, builds } = aFeed(events)
    await feed.refresh(at('12:00'))
    await feed.refresh(at('12:00'))
    expect(builds.map(({ provider }) => provider)).toEqual(['a22', 'province-bz'])
    expect(feed.nextBoundary(at('12:00'))).toEqual(at('15:00'))
    events.pop()
    state.version = '2'
    await feed.refresh(at('12:00'))
    expect(builds).toHaveLength(3)
    expect(feed.nextBoundary(at('12:00'))).toBeUndefined()
  })

  it('compresses the same document for every encoding, each with its own strong ETag', async () => {
    const { feed } = aFeed([anEvent()])
    const document = await feed.document('province-bz', at('12:00'))
    const [plain, gzip, br] = await Promise.all([
      document?.bytes('identity'),
      document?.bytes('gzip'),
      document?.bytes('br'),
    ])
    expect(plain?.toString()).toBe(document?.xml)
    expect(gzip && gunzipSync(gzip).toString()).toBe(document?.xml)
    expect(br && brotliDecompressSync(br).toString()).toBe(document?.xml)
    expect(await document?.bytes('br')).toBe(br)
    const tags = [document?.etag('identity'), document?.etag('gzip'), document?.etag('br')]
    expect(new Set(tags).size).toBe(3)
    expect(tags.every((tag) => /^"[\w-]+"$/.test(tag ?? ''))).toBe(true)
  })
})
