import { assert, constantFrom, integer, property, record, string } from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { LanguageError } from '../../lang/index.ts'
import { parseBucketLength } from './bucket-length.ts'
import type { BucketLength } from './bucket-length.ts'

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

describe('The length of buckets', () => {
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
  ] as const)('may be written %s', (written, length) => {
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
  ])('is not %j: the fault stands at %i', (written, position) => {
    expect(failureOf(written).position).toBe(position)
  })

  it('tells why calendar and clock do not mix', () => {
    expect(failureOf('P1DT1H').message).toContain('not every day has 24 hours')
  })

  it('is that of Temporal.Duration, wherever both take it', () => {
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

  it('fails with a position in the text, whatever is written', () => {
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
