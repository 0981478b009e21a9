import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  clampWindow,
  day,
  hour,
  pan,
  parseRange,
  printRange,
  rangeCodec,
  usualRange,
  zoom,
  windowOf,
} from './range.ts'

it('reads every range that it writes', () => {
  for (const text of ['1h', '36h', '1d', '1w', '1mo', '1y', 'all', '90m']) {
    expect(printRange(parseRange(text) ?? usualRange)).toBe(text)
  }
  const moment = fc.integer({ min: 0, max: 4_000_000 }).map((minutes) => minutes * 60_000)
  fc.assert(
    fc.property(moment, fc.integer({ min: 2, max: 500_000 }), (from, minutes) => {
      const range = { kind: 'fixed', window: { from, to: from + minutes * 60_000 } } as const
      expect(parseRange(printRange(range))).toEqual(range)
    }),
  )
})

it('uses the default range for an invalid one, and does not write the default', () => {
  expect(rangeCodec.read(['2026-11-02/2026-11-01'])).toEqual(usualRange)
  expect(rangeCodec.read(['nonsense'])).toEqual(usualRange)
  expect(rangeCodec.write(usualRange)).toEqual([])
})

it('zooms around a moment, which keeps its position', () => {
  const closer = zoom({ from: 0, to: 100 * hour }, 0.5, 25 * hour)
  expect(closer).toEqual({ from: 12.5 * hour, to: 62.5 * hour })
})

it('shows at least two minutes and at most two hundred years', () => {
  const { from, to } = zoom({ from: 0, to: 4 * 60_000 }, 0.001)
  expect(to - from).toBe(120_000)
  const wide = clampWindow({ from: -1e15, to: 1e15 })
  expect(wide.to - wide.from).toBe(200 * 365 * day)
})

it('moves by a fraction of the window', () => {
  expect(pan({ from: 0, to: 10 * hour }, -0.5)).toEqual({ from: -5 * hour, to: 5 * hour })
})

it('extends into the future for forecasts, as far as into the past', () => {
  const now = Date.UTC(2026, 10, 22)
  const forecast = { latest: { time: now + 100 * day, value: 1 } }
  const known = { now, extent: undefined, series: [] }
  expect(windowOf(usualRange, known)).toEqual({ from: now - 7 * day, to: now })
  const series = [
    {
      ...forecast,
      type: 'A',
      code: '1',
      dataType: 'x',
      key: 'A/1/x',
      station: '',
      unit: '',
      description: '',
      kind: 'number',
      step: hour,
      state: 'fresh',
    } as const,
  ]
  expect(windowOf(usualRange, { ...known, series }).to).toBe(now + 7 * day)
})

it('stays within years that the hub and every calendar can write', () => {
  for (const text of ['-271821-04-20T00:00:00Z/-271820-04-20T00:00:00Z', '0001-01-01/0001-01-02']) {
    expect(printRange(parseRange(text) ?? usualRange)).toMatch(/^1000-01-01T00:00Z\/100\d-/)
  }
  const late = { from: Date.UTC(12_000, 0), to: Date.UTC(12_000, 1) }
  expect(clampWindow(late).to).toBe(Date.UTC(9000, 0))
})
