import { assert, constantFrom, integer, property } from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { naiveBeginnings } from '../../../test/fixtures/naive-buckets.ts'
import { readTimeZone } from '../read/plan.ts'
import { parseBucketLength } from './bucket-length.ts'
import { timelineOf } from './timeline.ts'

const zones = [
  ...['UTC', 'Europe/Rome', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'],
  // Midnight comes twice, or not at all; a day that was left out; a change within Ramadan.
  ...['America/Havana', 'America/Sao_Paulo', 'Pacific/Apia', 'Africa/Casablanca'],
  ...['+05:45', '-03:30'],
]

const timelineIn = (zone: string, bucket: string) =>
  timelineOf(parseBucketLength(bucket), readTimeZone(zone))

const quarterHour = 900_000

/** A moment of the years 2000 to 2037, at any minute. */
const moments = integer({ min: 946_684_800 / 60, max: 2_145_916_800 / 60 }).map(
  (minute) => minute * 60_000,
)

/** Moments around the last change of clocks before one. */
function aroundChange(zone: string, moment: number): number {
  const given = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
  const change = given.getTimeZoneTransition('previous')
  return change?.epochMilliseconds ?? moment
}

describe('Where buckets begin', () => {
  const bucketNames = Object.keys(naiveBeginnings)

  it('is where Temporal says, anywhere and around the changes of clocks', () => {
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

  it('leaves no gap: a bucket ends where the next one begins', () => {
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

  it('is counted from local midnight, for parts of a day that do not divide it', () => {
    expect(beginning('Europe/Rome', '7h', '2026-11-20T22:30:00Z')).toContain('2026-11-20T21:00')
    expect(beginning('Europe/Rome', '7h', '2026-11-20T23:30:00Z')).toContain('2026-11-21T00:00')
    expect(beginning('Europe/Rome', 'PT90M', '2026-11-20T09:29:00Z')).toContain('T09:00')
  })

  it('is counted from Mondays and the year 0, for many days, months and years', () => {
    expect(beginning('UTC', '2w', '2000-01-16T23:59:00Z')).toContain('2000-01-03')
    expect(beginning('UTC', '7d', '2026-11-22T12:00:00Z')).toContain('2026-11-16')
    expect(beginning('UTC', 'P10Y', '2026-11-22T12:00:00Z')).toContain('2020-01-01')
    expect(beginning('UTC', 'P100Y', '0050-11-22T12:00:00Z')).toContain('0000-01-01')
  })

  it('has the two hours of a doubled one apart, and the longer hour of Lord Howe in one', () => {
    expect(beginning('Europe/Rome', '1h', '2026-10-25T00:59:00Z')).toContain('T02:00:00+02:00')
    expect(beginning('Europe/Rome', '1h', '2026-10-25T01:00:00Z')).toContain('T02:00:00+01:00')
    expect(beginning('Australia/Lord_Howe', '1h', '2026-04-04T15:15:00Z')).toContain(
      'T01:00:00+11:00',
    )
  })
})
