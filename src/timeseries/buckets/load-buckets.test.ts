import { describe, expect, it } from 'vitest'
import { sql } from '../../sql/index.ts'
import type { TextRow } from '../../storage/index.ts'
import { readTimeZone } from '../read/plan.ts'
import { demandOf } from '../read/values/choose-series.ts'
import type { ChosenSeries } from '../read/values/choose-series.ts'
import { millisecondsOf } from './aggregates.ts'
import { walkBucketsInTime } from './load-buckets.ts'
import type { BucketWalk } from './load-buckets.ts'
import { parseBucketLength, timelineOf } from './timeline.ts'
import type { BucketWindow } from './timeline.ts'

function seriesOf(count: number, period: number): ChosenSeries {
  const ids = Array.from({ length: count }, (_nothing, place) => String(place + 1))
  return {
    ids,
    stations: ids,
    dataTypes: ids,
    periods: ids.map(() => String(period)),
    placeOf: new Map(ids.map((id, place) => [id, place])),
    kinds: { text: false, json: false },
    share: { kind: 'few' },
    catalogue: '',
  }
}

type Given = {
  readonly bucket: string
  readonly range: readonly [from: string, to: string]
  readonly series: ChosenSeries
  /** Period in which each bucket of each series has values. */
  readonly filled: readonly [from: string, until: string]
  /** Whether values exist everywhere else, too, but do not match `where`. */
  readonly isTested?: boolean
}

const row: TextRow = []

/**
 * Walks through the buckets of a fake database. Returns how much each statement might have found.
 */
async function walked({ bucket, range, series, filled, isTested }: Given, limit = Infinity) {
  const [from, to] = range.map((time) => Date.parse(time))
  const [begun, ended] = filled.map((time) => Date.parse(time))
  const asked: { readonly rows: number; readonly values: number }[] = []
  const stretches: number[] = []
  const length = parseBucketLength(bucket)
  const width = millisecondsOf(length)
  const perMillisecond = 1 / 1000 / Number(series.periods[0])
  const load: BucketWalk['load'] = ({ series: some }, { pieces, count }) => {
    const [start, end] = [pieces[0]?.from ?? 0, pieces.at(-1)?.until ?? 0]
    asked.push({
      rows: count * some.ids.length,
      values: (end - start) * perMillisecond * some.ids.length,
    })
    return Promise.resolve(rowsIn(pieces, some.ids.length))
  }
  const rowsIn = (pieces: BucketWindow['pieces'], times: number) => {
    const found = pieces.flatMap((piece) => {
      const [first, end] = [Math.max(piece.from, begun ?? 0), Math.min(piece.until, ended ?? 0)]
      return new Array<TextRow>(Math.max(0, Math.ceil((end - first) / piece.width))).fill(row)
    })
    return Array.from({ length: times }, () => found).flat()
  }
  const walk: BucketWalk = {
    load,
    earliest: (_series, { from: start, to: end }) => {
      stretches.push(start)
      const first = isTested === true ? start : Math.max(start, begun ?? 0)
      return Promise.resolve(
        first < (isTested === true ? end : Math.min(end, ended ?? 0)) ? first : undefined,
      )
    },
    reading: {
      values: { relation: sql`measurement`, joins: sql``, range: undefined, where: sql`true` },
      series,
      packed: [],
      aggregates: ['avg'],
    },
    range: { from: from ?? 0, to: to ?? 0 },
    timeline: timelineOf(length, readTimeZone('UTC')),
    width,
  }
  let found = 0
  const ends: boolean[] = []
  for await (const part of walkBucketsInTime(walk, demandOf(0, limit))) {
    found += part.rows.length
    ends.push(part.isLast)
  }
  expect(ends.indexOf(true)).toBe(ends.length - 1)
  return { asked, stretches, found }
}

const most = (numbers: readonly number[]) => Math.max(0, ...numbers)
const year = ['2026-01-01T00:00Z', '2027-01-01T00:00Z'] as const
const never = ['2100-01-01T00:00Z', '2100-01-01T00:00Z'] as const

describe('A walk through buckets', () => {
  it('never requests many more rows than a page holds, even after an empty stretch', async () => {
    const { asked, found } = await walked({
      ...{ bucket: '15m', range: year, series: seriesOf(1000, 900) },
      filled: ['2026-12-30T00:00Z', '2027-01-01T00:00Z'],
    })
    expect(found).toBe(192 * 1000)
    expect(most(asked.map(({ rows }) => rows))).toBeLessThanOrEqual(48_000)
    expect(asked.length).toBeLessThan(12)
  })

  it('limits the rows of each statement even if hardly any value matches where', async () => {
    const { asked } = await walked({
      ...{ bucket: '1h', range: year, series: seriesOf(1000, 3600) },
      ...{ filled: ['2026-01-01T00:00Z', '2026-01-01T01:00Z'], isTested: true },
    })
    expect(asked.reduce((sum, { rows }) => sum + rows, 0)).toBe(8760 * 1000)
    expect(most(asked.map(({ rows }) => rows))).toBeLessThanOrEqual(48_000)
  })

  it('never reads more values than a statement may, even after an empty stretch', async () => {
    const { asked, found } = await walked({
      ...{ bucket: '1d', range: ['2000-01-01T00:00Z', '2026-01-01T00:00Z'] },
      ...{ series: seriesOf(300, 300), filled: ['2024-01-01T00:00Z', '2026-01-01T00:00Z'] },
    })
    expect(found).toBe(731 * 300)
    expect(most(asked.map(({ values }) => values))).toBeLessThanOrEqual(5_000_000)
    expect(asked.length).toBeLessThan(20)
  })

  it('reads one bucket of each series if even that exceeds the row limit', async () => {
    const { asked } = await walked(
      {
        ...{ bucket: '1h', range: year, series: seriesOf(50_000, 3600) },
        filled: ['2026-12-31T20:00Z', '2027-01-01T00:00Z'],
      },
      100_000,
    )
    expect(asked.map(({ rows }) => rows)).toEqual([50_000, 50_000, 50_000])
  })

  it('skips an empty century in one step and stops when no values follow', async () => {
    const range = ['1900-01-01T00:00Z', '2027-01-01T00:00Z'] as const
    const series = seriesOf(20, 60)
    const late = await walked({
      ...{ bucket: '1d', range, series },
      filled: ['2026-12-01T00:00Z', '2027-01-01T00:00Z'],
    })
    expect(late).toMatchObject({ found: 31 * 20, asked: { length: 2 }, stretches: { length: 1 } })
    const empty = await walked({ bucket: '1d', range, series, filled: never })
    expect(empty).toMatchObject({ found: 0, asked: { length: 1 }, stretches: { length: 1 } })
  })
})
