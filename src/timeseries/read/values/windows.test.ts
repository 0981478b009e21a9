import { describe, expect, it } from 'vitest'
import type { ChosenSeries } from './choose-series.ts'
import { expectedLength, expectedValues, windowAfter, windowFrom, windowWithin } from './windows.ts'

const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const hour = 3_600_000

const seriesOf = (...periods: readonly string[]): ChosenSeries => ({
  ids: periods.map((_period, index) => String(index + 1)),
  stations: periods,
  dataTypes: periods,
  periods,
  placeOf: new Map(),
  kinds: { text: false, json: false },
  share: { kind: 'most' },
  catalogue: '',
})

describe('The length of a window', () => {
  it('depends on how often values are expected', () => {
    expect(expectedLength(seriesOf('3600', '3600'), 10)).toBe(5 * hour)
    expect(expectedValues(seriesOf('3600', '1800'), range)).toBeCloseTo(31 * 24 * 3)
  })

  it('lasts at least until the next expected value of a series', () => {
    expect(expectedLength(seriesOf('3600', '3600'), 1)).toBe(hour)
  })

  it('treats a period of 0 as one second', () => {
    expect(expectedLength(seriesOf('0'), 10)).toBe(10_000)
  })

  it('expects one value per series without a range', () => {
    expect(expectedValues(seriesOf('60', '60', '60'), undefined)).toBe(3)
  })
})

describe('The windows of a range', () => {
  it('never end after the range', () => {
    expect(windowFrom(range, '2026-01-31T23:00:00.000Z', 2 * hour).until).toBe(range.to)
  })

  it('follow each other without a gap', () => {
    const first = windowFrom(range, range.from, hour)
    const second = windowAfter(range, first, { found: 100, wanted: 100 })
    expect(second).toEqual({
      from: '2026-01-01T01:00:00.000Z',
      until: '2026-01-01T02:00:00.000Z',
      length: hour,
    })
  })

  it('gradually become longer for rare values and shorter for frequent ones', () => {
    const first = windowFrom(range, range.from, 8 * hour)
    expect(windowAfter(range, first, { found: 0, wanted: 100 })?.length).toBe(64 * hour)
    expect(windowAfter(range, first, { found: 0, wanted: 1 })?.length).toBe(64 * hour)
    expect(windowAfter(range, first, { found: 50, wanted: 100 })?.length).toBe(16 * hour)
    expect(windowAfter(range, first, { found: 10_000, wanted: 100 })?.length).toBe(hour)
  })

  it('stop when one reaches the end of the range', () => {
    const last = windowFrom(range, range.from, 32 * 24 * hour)
    expect(windowAfter(range, last, { found: 0, wanted: 100 })).toBeUndefined()
  })

  it('skip ten thousand empty years in a few steps', () => {
    const years = { from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T00:00:00.000Z' }
    let window: ReturnType<typeof windowAfter> = windowFrom(years, years.from, 60_000)
    let steps = 0
    while (window !== undefined) {
      window = windowAfter(years, window, { found: 0, wanted: 100 })
      steps++
    }
    expect(steps).toBeLessThan(20)
  })

  it('continue at the exact microsecond at which a full one was cut', () => {
    const first = windowFrom(range, range.from, 24 * hour)
    const next = windowWithin(range, first, '2026-01-01 06:00:00.123456+00')
    expect(next.from).toBe('2026-01-01 06:00:00.123456+00')
    expect(next.until).toBe('2026-01-01T12:00:00.246Z')
  })
})
