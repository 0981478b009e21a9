import { describe, expect, it } from 'vitest'
import { AppError } from '../../../errors/index.ts'
import { sql } from '../../../sql/index.ts'
import type { Run, ValueReading } from '../../read/values/value-statement.ts'
import { assertPoints } from './assert-points.ts'
import type { LineKind } from './assert-points.ts'

function readingOf(count: number, period: number, to: string): ValueReading {
  const ids = Array.from({ length: count }, (_nothing, place) => String(place + 1))
  const range = { from: '2026-01-01T00:00:00Z', to }
  return {
    values: { relation: sql`measurement`, joins: sql``, range, where: sql`true` },
    series: {
      ids,
      stations: ids,
      dataTypes: ids,
      periods: ids.map(() => String(period)),
      placeOf: new Map(),
      kinds: { text: false, json: false },
      share: { kind: 'few' },
      versions: '',
      catalogue: '',
    },
    packed: [],
  }
}

const year = '2027-01-01T00:00:00Z'
const day = '2026-01-02T00:00:00Z'

type Refusing = {
  readonly kind: LineKind
  readonly points?: number
  /** When the first and the latest value of all series are; far beyond the range when it is left out. */
  readonly filled?: readonly [first: string, latest: string] | readonly [] | undefined
}

async function refusalOf(reading: ValueReading, { kind, points = 3, filled }: Refusing) {
  const [first, latest] = filled ?? [reading.values.range?.from ?? '', '2100-01-01T00:00:00Z']
  const run: Run = ({ text }) => {
    const time = text.includes('from latest') ? latest : first
    return Promise.resolve([[time === undefined ? null : String(Date.parse(time)), '1']])
  }
  try {
    await assertPoints({ run, reading }, points, kind)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return error instanceof AppError ? `${error.code} ${error.message}` : ''
  }
  return ''
}

describe('Points', () => {
  it('are refused where all series together have too many', async () => {
    const refusal = (count: number) =>
      refusalOf(readingOf(count, 3600, day), { kind: 'values', points: 500 })
    expect(await refusal(200)).toBe('')
    expect(await refusal(201)).toMatch(/HUB-QRY-001.*100,000/)
  })

  it('are refused where too many values would have to be read, and say how many', async () => {
    const refusal = (count: number, kind: LineKind) =>
      refusalOf(readingOf(count, 300, year), { kind })
    expect(await refusal(100, 'values')).toBe('')
    expect(await refusal(290, 'values')).toMatch(/about 31 million.*30,000,000/)
    expect(await refusal(290, 'buckets')).toBe('')
    expect(await refusal(1000, 'buckets')).toMatch(/about 106 million.*100,000,000/)
  })

  it('are chosen in a range that is far longer than there are values', async () => {
    const reading = readingOf(290, 300, '2126-01-01T00:00:00Z')
    const refusal = (filled: Refusing['filled']) => refusalOf(reading, { kind: 'buckets', filled })
    expect(await refusal(['2027-01-01T00:00:00Z', '2029-01-01T00:00:00Z'])).toBe('')
    expect(await refusal([])).toBe('')
    expect(await refusal(['2027-01-01T00:00:00Z', '2067-01-01T00:00:00Z'])).not.toBe('')
  })

  it('are refused of so many series that each costs its statements', async () => {
    const refusal = (count: number) => refusalOf(readingOf(count, 3600, day), { kind: 'values' })
    expect(await refusal(10_000)).toBe('')
    expect(await refusal(33_333)).not.toBe('')
  })

  it('expect no more of a series than its line may have, and little without a period', async () => {
    const refusal = (count: number, period: number) =>
      refusalOf(readingOf(count, period, year), { kind: 'values' })
    expect(await refusal(30, 1)).toBe('')
    expect(await refusal(31, 1)).not.toBe('')
    expect(await refusal(1000, 0)).toBe('')
  })
})
