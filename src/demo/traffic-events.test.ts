import { describe, expect, it } from 'vitest'
import { toNaming } from '../content/index.ts'
import type { EventState, EventsObject } from './canonical.ts'
import { planRegion } from './index.ts'
import { demoTexts } from './texts.ts'

const day = 86_400_000
const until = new Date('2026-11-20T12:00:00Z')
const plan = { seed: 1, scale: 1, naming: toNaming('Hub'), publicUrl: 'http://localhost:8080' }
const region = planRegion({ ...plan, until })
const messages = [...region.events()]

type SentState = { readonly origin: string; readonly recorded: string; readonly item: EventState }

const statesIn = (objects: readonly EventsObject[]): readonly SentState[] =>
  objects.flatMap(({ origin, recorded, items }) =>
    items.map((item) => ({ origin, recorded, item })),
  )
const told = statesIn(messages)
const series = [...Map.groupBy(told, ({ item }) => item.series).values()]

describe('traffic events of the synthetic region', { timeout: 30_000 }, () => {
  it.each(['PROVINCE_BZ', 'A22'])('have all twelve categories at %s', (origin) => {
    const tags = new Set(told.flatMap((state) => (state.origin === origin ? state.item.tags : [])))
    for (const { tag } of demoTexts.traffic.trafficKinds)
      expect(tags).toContain(`traffic-event:${tag}`)
    expect(demoTexts.traffic.trafficKinds).toHaveLength(12)
  })

  it('are open at the province and closed on the motorway', () => {
    const access = new Set(messages.map(({ origin, closed }) => `${origin} ${String(closed)}`))
    expect(access).toEqual(new Set(['PROVINCE_BZ false', 'A22 true']))
  })

  it('are recorded within the last thirty days', () => {
    const times = told.map(({ recorded }) => Date.parse(recorded))
    expect(Math.max(...times)).toBeLessThanOrEqual(until.getTime())
    expect(Math.min(...times)).toBeGreaterThan(until.getTime() - 30 * day)
  })

  it('have states with unique identifiers, recorded one after the other', () => {
    expect(new Set(told.map(({ item }) => item.uuid)).size).toBe(told.length)
    for (const states of series) {
      const times = states.map(({ recorded }) => recorded)
      expect(times).toEqual([...new Set(times)].sort())
    }
  })

  it('start, change, end or are cancelled', () => {
    const last = series.flatMap((states) => states.at(-1)?.item ?? [])
    expect(series.filter((states) => states.length > 1).length).toBeGreaterThan(series.length / 2)
    expect(last.some(({ cancelled }) => cancelled)).toBe(true)
    expect(last.some(({ end }) => end !== null && Date.parse(end) <= until.getTime())).toBe(true)
    expect(last.some(({ end }) => end === null)).toBe(true)
    expect(last.some(({ start }) => Date.parse(start ?? '') > until.getTime())).toBe(true)
  })

  it('never end before they start', () => {
    for (const { item } of told) {
      if (item.start !== null && item.end !== null) expect(item.end > item.start).toBe(true)
    }
  })

  it('have texts in German, Italian and English', () => {
    for (const { item } of told) {
      expect(Object.keys(item.title)).toEqual(['de', 'it', 'en'])
      expect(Object.keys(item.text)).toEqual(['de', 'it', 'en'])
      expect(Object.values(item.text).join(' ')).not.toMatch(/[{}]|undefined/)
    }
  })

  it('continue live as in a later history', () => {
    const later = new Date(until.getTime() + day)
    const life = [...region.live(until, later)].flatMap((object) =>
      object.kind === 'events' ? [object] : [],
    )
    const history = statesIn([...planRegion({ ...plan, until: later }).events()])
    const lately = history.filter(({ recorded }) => Date.parse(recorded) > until.getTime())
    const texts = (states: readonly SentState[]) =>
      states.map((state) => JSON.stringify(state)).sort()
    expect(texts(statesIn(life))).toEqual(texts(lately))
    expect(lately.length).toBeGreaterThan(10)
  })
})
