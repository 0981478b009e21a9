import { setImmediate as othersRan } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { anEvent } from '../../test/contract/datex/an-event.ts'
import { TrafficFeed, keepCurrent } from './feed.ts'

const at = (time: string) => new Date(`2026-06-01T${time}Z`)

/** Creates a feed that is kept current by timers that the test runs. */
async function aKeptFeed() {
  const state = { version: '1', time: at('12:00:00'), away: false, ticks: 0 }
  const events = [anEvent({ end: at('12:10:00') })]
  const timers = new Set<{ readonly milliseconds: number; readonly work: () => void }>()
  const builds: string[] = []
  const errors: unknown[] = []
  const feed = new TrafficFeed({
    country: 'it',
    language: 'it',
    titleEnd: '. ',
    ticks: () => (state.ticks += 10_000),
    onBuild: ({ document }) => builds.push(document.publicationTime.toISOString().slice(11, 19)),
    source: {
      version: () =>
        state.away ? Promise.reject(new Error('away')) : Promise.resolve(state.version),
      isSettled: () => Promise.resolve(true),
      loadOrigins: () => Promise.resolve(['PROVINCE_BZ']),
      loadEvents: () => Promise.resolve(events),
    },
  })
  const stop = keepCurrent(feed, {
    now: () => state.time,
    every: (milliseconds, work) => {
      const timer = { milliseconds, work }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    onError: (error) => errors.push(error),
  })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await othersRan()
  }
  const run = async (milliseconds: number) => {
    for (const timer of timers) if (timer.milliseconds === milliseconds) timer.work()
    await settle()
  }
  const waits = () => [...timers].map(({ milliseconds }) => milliseconds)
  await settle()
  return { state, events, builds, errors, run, waits, stop }
}

describe('keepCurrent', () => {
  it('builds immediately, before the first request', async () => {
    expect((await aKeptFeed()).builds).toHaveLength(1)
  })

  it('builds on time when an event ends, and sets the timer for the next change', async () => {
    const { state, builds, run, waits } = await aKeptFeed()
    const minute = 60_000
    expect(waits()).toEqual([2000, 10 * minute])
    state.time = at('12:10:00')
    await run(10 * minute)
    expect(builds.at(-1)).toBe('12:10:00')
    expect(waits()).toEqual([2000, 60 * minute])
  })

  it('builds soon after an event is written', async () => {
    const { state, events, builds, run } = await aKeptFeed()
    events.push(anEvent({ series: 'b', recorded: at('12:00:30') }))
    state.version = '2'
    await run(2000)
    expect(builds.at(-1)).toBe('12:00:30')
  })

  it('reports a failure, and retries', async () => {
    const { state, builds, errors, run } = await aKeptFeed()
    Object.assign(state, { away: true, version: '2' })
    await run(2000)
    expect(errors).toHaveLength(1)
    state.away = false
    await run(2000)
    expect(builds).toHaveLength(2)
  })

  it('leaves no timer behind when it stops', async () => {
    const { waits, stop } = await aKeptFeed()
    stop()
    expect(waits()).toEqual([])
  })
})
