import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTimeZone } from '../read/plan.ts'
import { parseBucketLength } from './bucket-length.ts'
import { bucketWindows } from './bucket-windows.ts'
import { timelineOf } from './timeline.ts'

const rome = readTimeZone('Europe/Rome')
const rangeOf = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) })

function windowsOf(bucket: string, range: ReturnType<typeof rangeOf>, count: number) {
  const take = bucketWindows(timelineOf(parseBucketLength(bucket), rome), range)
  const windows = []
  for (let window = take(count); window !== undefined; window = take(count)) windows.push(window)
  return windows
}

describe('Windows of buckets', () => {
  it('hold equal buckets in one piece, and days on which clocks change in one of their own', () => {
    const [window] = windowsOf('1d', rangeOf('2026-10-20', '2026-10-30T12:00Z'), 100)
    const hours = (width: number) => width / 3_600_000
    expect(window?.pieces.map(({ width }) => hours(width))).toEqual([24, 25, 24])
    expect(window).toMatchObject({ count: 11, isLast: true })
    expect(windowsOf('1h', rangeOf('2026-01-01', '2027-01-01'), 10_000)[0]?.pieces).toHaveLength(1)
  })

  it('cover a range without gap or overlap, by as many buckets as are asked for', () => {
    const lengths = constantFrom('15m', 'PT90M', '7h', '1d', '1w', '1mo', 'P1Y')
    assert(
      property(lengths, integer({ min: 1, max: 500 }), (bucket, count) => {
        const range = rangeOf('2025-02-03T04:05:06Z', '2026-11-20T10:00:00Z')
        const windows = windowsOf(bucket, range, count)
        const pieces = windows.flatMap((window) => window.pieces)
        expect(windows.every((window) => window.count <= count)).toBe(true)
        expect(windows.map(({ isLast }) => isLast).indexOf(true)).toBe(windows.length - 1)
        expect(pieces[0]?.from).toBe(range.from)
        expect(pieces.at(-1)?.until).toBe(range.to)
        for (const [place, { from, until, origin }] of pieces.entries()) {
          expect(until).toBeGreaterThan(from)
          expect(origin).toBeLessThanOrEqual(from)
          if (place > 0) expect(pieces[place - 1]?.until).toBe(from)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('are none of an empty range, and begin no earlier than PostgreSQL can print', () => {
    expect(windowsOf('1d', rangeOf('2026-01-01', '2026-01-01'), 10)).toEqual([])
    const [first] = windowsOf('P1000Y', rangeOf('0001-01-01T12:00Z', '2026-01-01'), 10)
    expect(new Date(first?.pieces[0]?.origin ?? 0).toISOString()).toBe('0001-01-01T00:00:00.000Z')
  })
})
