import { assert, constantFrom, integer, property, record, string } from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { naiveBeginnings } from '../../../test/fixtures/naive-buckets.ts'
import { LanguageError } from '../../lang/index.ts'
import { readTimeZone } from '../read/plan.ts'
import { bucketWindows, parseBucketLength, timelineOf } from './timeline.ts'
import type { BucketLength } from './timeline.ts'

const letters = 'P T 0 1 5 9 m o h d w y s M H Y D W S . - ä'.split(' ')

const minutes = (count: number): BucketLength => ({ kind: 'clock', milliseconds: count * 60_000 })
const days = (count: number): BucketLength => ({ kind: 'days', days: count })
const months = (count: number): BucketLength => ({ kind: 'months', months: count })

function failureOf(written: string): LanguageError {
  try {
    parseBucketLength(written)
  } catch (error) {
    if (error instanceof LanguageError) return error
    throw error
  }
  throw new Error(`${written} is a length`)
}

describe('Parsing a bucket length', () => {
  it.each([
    ['15m', minutes(15)],
    ['15min', minutes(15)],
    ['90m', minutes(90)],
    ['30s', minutes(0.5)],
    ['1h', minutes(60)],
    ['1d', days(1)],
    ['24h', days(1)],
    ['1440m', days(1)],
    ['1w', days(7)],
    ['1mo', months(1)],
    ['1y', months(12)],
    ['PT15M', minutes(15)],
    ['pt15m', minutes(15)],
    ['PT1H30M', minutes(90)],
    ['PT0H90M', minutes(90)],
    ['PT1H0M1S', { kind: 'clock', milliseconds: 3_601_000 }],
    ['P0DT15M', minutes(15)],
    ['P0Y0M0DT0H15M0S', minutes(15)],
    ['P1DT0H', days(1)],
    ['P1MT0S', months(1)],
    ['P1D', days(1)],
    ['P1W', days(7)],
    ['P1W2D', days(9)],
    ['P1M', months(1)],
    ['P3M', months(3)],
    ['P1Y', months(12)],
    ['P1Y6M', months(18)],
  ] as const)('accepts %s', (written, length) => {
    expect(parseBucketLength(written)).toEqual(length)
  })

  it.each([
    ['', 0],
    ['m', 0],
    ['15', 2],
    ['1.5h', 1],
    ['-1h', 0],
    ['1h30m', 2],
    ['1 h', 1],
    ['1M', 1],
    ['15q', 2],
    ['1234567s', 6],
    ['P', 1],
    ['PT', 2],
    ['P1', 2],
    ['P1H', 2],
    ['PT1D', 3],
    ['P1D1W', 3],
    ['PT1M1H', 5],
    ['PT0.5S', 3],
    ['P1DT', 4],
    ['P1D ', 3],
    ['0m', 0],
    ['P0D', 0],
    ['P0DT0H', 0],
    ['PT25H', 0],
    ['P1DT1H', 4],
    ['P1M1D', 3],
    ['P1Y1W', 3],
    ['1001y', 0],
    ['999999w', 0],
  ])('rejects %j at position %i', (written, position) => {
    expect(failureOf(written).position).toBe(position)
  })

  it('reports a number that is too long', () => {
    expect(failureOf('1000000s').expected).toEqual(['at most 6 digits'])
  })

  it('explains why calendar and clock units cannot be mixed', () => {
    expect(failureOf('P1DT1H').message).toContain('not every day has 24 hours')
  })

  it('agrees with Temporal.Duration if both accept the text', () => {
    const amount = integer({ min: 0, max: 40 })
    const parts = record({ hours: amount, minutes: amount, seconds: amount })
    assert(
      property(parts, (given) => {
        const duration = Temporal.Duration.from(given)
        const total = duration.total('milliseconds')
        const written = duration.toString()
        if (total === 0 || total > 86_400_000) failureOf(written)
        else if (total === 86_400_000) expect(parseBucketLength(written)).toEqual(days(1))
        else {
          expect(parseBucketLength(written)).toEqual({ kind: 'clock', milliseconds: total })
        }
      }),
    )
  })

  it('returns a length or an error position within the text for any input', () => {
    const near = string({ unit: constantFrom(...letters), maxLength: 12 })
    assert(
      property(near, (written) => {
        try {
          const length = parseBucketLength(written)
          const size = Object.values(length).find((value) => typeof value === 'number') ?? 0
          expect(size).toBeGreaterThan(0)
        } catch (error) {
          if (!(error instanceof LanguageError)) throw error
          expect(error.position).toBeGreaterThanOrEqual(0)
          expect(error.position).toBeLessThanOrEqual(written.length)
          expect(error.expected).not.toEqual([])
        }
      }),
      { numRuns: 2000 },
    )
  })
})

const zones = [
  ...['UTC', 'Europe/Rome', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  // Midnight occurs twice or not at all; a day was skipped; clocks change around Ramadan.
  ...['America/Havana', 'America/Sao_Paulo', 'Pacific/Apia', 'Africa/Casablanca'],
  ...['+05:45', '-03:30'],
]

const timelineIn = (zone: string, bucket: string) =>
  timelineOf(parseBucketLength(bucket), readTimeZone(zone))

const quarterHour = 900_000

/** Moments of the years 2000 to 2037, at any minute. */
const moments = integer({ min: 946_684_800 / 60, max: 2_145_916_800 / 60 }).map(
  (minute) => minute * 60_000,
)

/** Returns the last change of clocks before a moment, or the moment itself if there is none. */
function aroundChange(zone: string, moment: number): number {
  const given = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
  const change = given.getTimeZoneTransition('previous')
  return change?.epochMilliseconds ?? moment
}

describe('The start of a bucket', () => {
  const bucketNames = Object.keys(naiveBeginnings)

  it('matches Temporal, including around clock changes', () => {
    const offsets = integer({ min: -200, max: 200 })
    const anyBucket = constantFrom(...bucketNames)
    assert(
      property(constantFrom(...zones), anyBucket, moments, offsets, (zone, bucket, any, near) => {
        const timeline = timelineIn(zone, bucket)
        for (const moment of [any, aroundChange(zone, any) + near * quarterHour]) {
          const local = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
          const naive = naiveBeginnings[bucket]?.(local).epochMilliseconds
          expect(timeline.beginningOf(moment), `${local.toString()} ${bucket}`).toBe(naive)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is the end of the previous bucket, without a gap', () => {
    const lengths = [...bucketNames, 'PT90M', '7h', '25m', '1s', '2d', 'P10Y']
    assert(
      property(constantFrom(...zones), constantFrom(...lengths), moments, (zone, bucket, any) => {
        const timeline = timelineIn(zone, bucket)
        const change = aroundChange(zone, any)
        for (const moment of [any, change - 1, change, change + quarterHour]) {
          const beginning = timeline.beginningOf(moment)
          const next = timeline.after(beginning)
          expect(beginning).toBeLessThanOrEqual(moment)
          expect(next).toBeGreaterThan(moment)
          expect(timeline.beginningOf(beginning)).toBe(beginning)
          expect(timeline.beginningOf(next - 1)).toBe(beginning)
          expect(timeline.beginningOf(next)).toBe(next)
        }
      }),
      { numRuns: 500 },
    )
  })

  const beginning = (zone: string, bucket: string, time: string) => {
    const moment = timelineIn(zone, bucket).beginningOf(Date.parse(time))
    return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toString()
  }

  it('is counted from local midnight for lengths such as 7 hours or 90 minutes', () => {
    expect(beginning('Europe/Rome', '7h', '2026-11-20T22:30:00Z')).toContain('2026-11-20T21:00')
    expect(beginning('Europe/Rome', '7h', '2026-11-20T23:30:00Z')).toContain('2026-11-21T00:00')
    expect(beginning('Europe/Rome', 'PT90M', '2026-11-20T09:29:00Z')).toContain('T09:00')
  })

  it('is counted from a Monday for days and weeks, from year 0 for years', () => {
    expect(beginning('UTC', '2w', '2000-01-16T23:59:00Z')).toContain('2000-01-03')
    expect(beginning('UTC', '7d', '2026-11-22T12:00:00Z')).toContain('2026-11-16')
    expect(beginning('UTC', 'P10Y', '2026-11-22T12:00:00Z')).toContain('2020-01-01')
    expect(beginning('UTC', 'P100Y', '0050-11-22T12:00:00Z')).toContain('0000-01-01')
  })

  it('differs for a repeated hour, but not within the longer hour of Lord Howe', () => {
    expect(beginning('Europe/Rome', '1h', '2026-10-25T00:59:00Z')).toContain('T02:00:00+02:00')
    expect(beginning('Europe/Rome', '1h', '2026-10-25T01:00:00Z')).toContain('T02:00:00+01:00')
    expect(beginning('Australia/Lord_Howe', '1h', '2026-04-04T15:15:00Z')).toContain(
      'T01:00:00+11:00',
    )
  })
})

const rome = readTimeZone('Europe/Rome')
const rangeOf = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) })

function windowsOf(bucket: string, range: ReturnType<typeof rangeOf>, count: number) {
  const take = bucketWindows(timelineOf(parseBucketLength(bucket), rome), range)
  const windows = []
  for (let window = take(count); window !== undefined; window = take(count)) windows.push(window)
  return windows
}

describe('Windows of buckets', () => {
  it('keep equal buckets in one piece and days of clock changes in their own', () => {
    const [window] = windowsOf('1d', rangeOf('2026-10-20', '2026-10-30T12:00Z'), 100)
    const hours = (width: number) => width / 3_600_000
    expect(window?.pieces.map(({ width }) => hours(width))).toEqual([24, 25, 24])
    expect(window).toMatchObject({ count: 11, isLast: true })
    expect(windowsOf('1h', rangeOf('2026-01-01', '2027-01-01'), 10_000)[0]?.pieces).toHaveLength(1)
  })

  it('cover a range without gaps or overlaps, by at most the requested buckets', () => {
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

  it('do not exist for an empty range and start no earlier than year 1', () => {
    expect(windowsOf('1d', rangeOf('2026-01-01', '2026-01-01'), 10)).toEqual([])
    const [first] = windowsOf('P1000Y', rangeOf('0001-01-01T12:00Z', '2026-01-01'), 10)
    expect(new Date(first?.pieces[0]?.origin ?? 0).toISOString()).toBe('0001-01-01T00:00:00.000Z')
  })
})
