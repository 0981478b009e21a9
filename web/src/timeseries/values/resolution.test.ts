import { expect, it } from 'vitest'
import { day, hour, minute } from '../range/range.ts'
import { toFetchWindow } from './plan.ts'
import { chooseResolution, gapAfter } from './resolution.ts'

const wish = {
  window: { from: 0, to: 7 * day },
  room: 1000,
  kind: 'number',
  step: 5 * minute,
  historyDays: null,
} as const

it('shows raw values if there are no more of them than pixels', () => {
  expect(chooseResolution({ ...wish, window: { from: 0, to: 3 * day } })).toEqual({ kind: 'raw' })
})

it('requests about as many buckets as pixels, finer for shorter periods', () => {
  const bucketOf = (days: number) => {
    const resolution = chooseResolution({ ...wish, window: { from: 0, to: days * day } })
    return resolution.kind === 'raw' ? 'raw' : resolution.bucket
  }
  expect([365, 90, 30, 7].map(bucketOf)).toEqual(['12h', '3h', '1h', '15m'])
})

it('never makes buckets shorter than the interval of the values', () => {
  const slow = chooseResolution({ ...wish, step: 2 * day, window: { from: 0, to: 9000 * day } })
  expect(slow).toMatchObject({ bucket: '1mo' })
})

it('uses daily buckets if the caller may not request so much in fine steps', () => {
  const bounded = { ...wish, historyDays: 5 }
  expect(chooseResolution(bounded)).toMatchObject({ bucket: '1d' })
  expect(chooseResolution({ ...bounded, window: { from: 0, to: 3 * day } }).kind).toBe('raw')
})

it('counts a gap as the hub does: from one and a half steps', () => {
  expect(gapAfter({ kind: 'raw' }, 10 * minute)).toBe(15 * minute)
  expect(gapAfter({ kind: 'bucket', bucket: '1h', length: hour }, 10 * minute)).toBe(1.5 * hour)
  expect(gapAfter({ kind: 'raw' }, undefined)).toBe(0)
})

it('requests a little more than the window, the same for small moves, within the limit', () => {
  const window = { from: 1_000_000_000, to: 1_000_000_000 + 7 * day }
  const moved = { from: window.from + 5 * minute, to: window.to + 5 * minute }
  const wide = toFetchWindow(window, null)
  expect(wide.from).toBeLessThanOrEqual(window.from)
  expect(wide.to).toBeGreaterThanOrEqual(window.to)
  expect(wide.to - wide.from).toBeLessThan(1.5 * 7 * day)
  expect(toFetchWindow(moved, null)).toEqual(wide)
  expect(toFetchWindow(window, 7)).toEqual(window)
})
