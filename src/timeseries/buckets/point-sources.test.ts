import { assert, double, integer, property, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import { inSlices } from '../../async/index.ts'
import { sql } from '../../sql/index.ts'
import type { Run, ValueReading } from '../read/values/value-rows.ts'
import { assertPoints, largestTriangles } from './point-sources.ts'
import type { LineKind } from './point-sources.ts'

/** Implements the method as it is published, on pairs and without optimization. */
function naive(points: readonly (readonly [x: number, y: number])[], count: number): number[] {
  const total = points.length
  if (total <= count) return points.map((_point, place) => place)
  const startOf = (part: number) =>
    Number((BigInt(part) * BigInt(total - 2)) / BigInt(count - 2)) + 1
  const chosen = [0]
  for (let part = 0; part < count - 2; part++) {
    const next = points.slice(startOf(part + 1), startOf(part + 2))
    const x = next.reduce((sum, [value]) => sum + value, 0) / next.length
    const y = next.reduce((sum, [, value]) => sum + value, 0) / next.length
    const [ax, ay] = points[chosen.at(-1) ?? 0] ?? [0, 0]
    const [start, end] = [startOf(part), startOf(part + 1)]
    const areas = points
      .slice(start, end)
      .map(([px, py]) => Math.abs((ax - x) * (py - ay) - (ax - px) * (y - ay)))
    chosen.push(start + areas.indexOf(Math.max(...areas)))
  }
  return [...chosen, total - 1]
}

const chosenOf = (times: readonly number[], heights: readonly number[], count: number) =>
  inSlices(
    largestTriangles(
      { times: Float64Array.from(times), heights: Float64Array.from(heights) },
      count,
    ),
  )

describe('The points that keep the shape of a line', () => {
  it('match the published method', () => {
    const counts = integer({ min: 3, max: 40 })
    const times = uniqueArray(integer({ min: 0, max: 100_000 }), { maxLength: 300 })
    const height = double({ noNaN: true, min: -1e6, max: 1e6 })
    assert(
      property(times, counts, height, (unordered, count, factor) => {
        const xs = unordered.toSorted((one, other) => one - other)
        const ys = xs.map((x) => Math.sin(x) * factor)
        const line = { times: Float64Array.from(xs), heights: Float64Array.from(ys) }
        const steps = largestTriangles(line, count)
        let step = steps.next()
        while (step.done !== true) step = steps.next()
        const points = xs.map((x, place) => [x, ys[place] ?? 0] as const)
        expect(step.value).toEqual(naive(points, count))
      }),
    )
  })

  it('match the published method where doubles would misplace a boundary', async () => {
    const [total, count] = [19_996, 301]
    const xs = Array.from({ length: total }, (_nothing, place) => place)
    const ys = xs.map((x) => Math.sin(x / 50) * (x % 97))
    const points = xs.map((x, place) => [x, ys[place] ?? 0] as const)
    expect(await chosenOf(xs, ys, count)).toEqual(naive(points, count))
  })

  it('are all points if there are no more than requested', async () => {
    expect(await chosenOf([], [], 3)).toEqual([])
    expect(await chosenOf([1], [1], 3)).toEqual([0])
    expect(await chosenOf([1, 2, 3], [1, 1, 1], 3)).toEqual([0, 1, 2])
  })

  it('are as many as requested, in order, with both ends and an isolated peak', async () => {
    const times = Array.from({ length: 100_000 }, (_nothing, place) => place)
    const heights = times.map((time) => (time === 54_321 ? 1000 : Math.sin(time / 1000)))
    const chosen = await chosenOf(times, heights, 500)
    expect(chosen).toHaveLength(500)
    expect([chosen[0], chosen.at(-1)]).toEqual([0, 99_999])
    expect(chosen).toContain(54_321)
    expect(chosen).toEqual([...new Set(chosen)].toSorted((one, other) => one - other))
  })

  it('exist for lines without numbers and for lines whose areas overflow', async () => {
    const times = [1, 2, 3, 4, 5, 6]
    expect(
      await chosenOf(
        times,
        times.map(() => Number.NaN),
        3,
      ),
    ).toEqual([0, 1, 5])
    expect(await chosenOf(times, [1e308, -1e308, 1e308, -1e308, 0, 1], 4)).toHaveLength(4)
  })
})

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
  /** Times of the first and the latest value of all series. The default is far beyond the range. */
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
  it('are refused if all series together would have too many', async () => {
    const refusal = (count: number) =>
      refusalOf(readingOf(count, 3600, day), { kind: 'values', points: 500 })
    expect(await refusal(200)).toBe('')
    expect(await refusal(201)).toMatch(/HUB-QRY-001.*100,000/)
  })

  it('are refused with a count if too many values would have to be read', async () => {
    const refusal = (count: number, kind: LineKind) =>
      refusalOf(readingOf(count, 300, year), { kind })
    expect(await refusal(100, 'values')).toBe('')
    expect(await refusal(290, 'values')).toMatch(/about 31 million.*30,000,000/)
    expect(await refusal(290, 'buckets')).toBe('')
    expect(await refusal(1000, 'buckets')).toMatch(/about 106 million.*100,000,000/)
  })

  it('are limited by the period that has values, not by a longer range', async () => {
    const reading = readingOf(290, 300, '2126-01-01T00:00:00Z')
    const refusal = (filled: Refusing['filled']) => refusalOf(reading, { kind: 'buckets', filled })
    expect(await refusal(['2027-01-01T00:00:00Z', '2029-01-01T00:00:00Z'])).toBe('')
    expect(await refusal([])).toBe('')
    expect(await refusal(['2027-01-01T00:00:00Z', '2067-01-01T00:00:00Z'])).not.toBe('')
  })

  it('are refused if the number of series alone requires too many statements', async () => {
    const refusal = (count: number) => refusalOf(readingOf(count, 3600, day), { kind: 'values' })
    expect(await refusal(10_000)).toBe('')
    expect(await refusal(33_333)).not.toBe('')
  })

  it('expect a limited number of values per series, and few without a period', async () => {
    const refusal = (count: number, period: number) =>
      refusalOf(readingOf(count, period, year), { kind: 'values' })
    expect(await refusal(30, 1)).toBe('')
    expect(await refusal(31, 1)).not.toBe('')
    expect(await refusal(1000, 0)).toBe('')
  })
})
