import { yieldToEventLoop } from '../../async/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { renewed } from '../cold/cold-months.ts'
import type { ColdMonths, ColdRange } from '../cold/cold-months.ts'
import type { ChosenSeries } from '../read/values/choose-series.ts'
import { arrayOf, areNumbers } from '../read/values/packing.ts'
import type { Run, ValueReading } from '../read/values/value-rows.ts'
import { isRolledByHour } from '../rollups/rollup-tables.ts'
import type { RollupUnit } from '../rollups/rollup-tables.ts'
import type { BucketAggregate } from './aggregates.ts'
import { bucketWindows } from './timeline.ts'
import type { BucketWindow, Piece, Timeline } from './timeline.ts'

/** A range of time, in epoch milliseconds. */
export type Moments = { readonly from: number; readonly to: number }

/** A read of values, with the aggregates of the buckets that are made of them. */
export type BucketReading = ValueReading & { readonly aggregates: readonly BucketAggregate[] }

/** The buckets of a request: what is read, in which range, and where buckets start. */
export type Buckets = {
  readonly reading: BucketReading
  readonly range: Moments
  readonly timeline: Timeline
}

/** Part of a piece that rollups serve, because its buckets consist of whole hours or days. */
export type Rolled = Moments & { readonly piece: Piece; readonly unit: RollupUnit }

/**
 * What the buckets of a window are computed from: values in some parts of it, rollups in the rest.
 */
export type Sources = {
  readonly values: readonly Piece[]
  readonly rolled: readonly Rolled[]
}

const lengths: Readonly<Record<RollupUnit, number>> = { hour: 3_600_000, day: 86_400_000 }

/** Reports whether each rollup is a whole bucket, so that nothing has to be merged. */
export function areBuckets(rolled: readonly Rolled[]): boolean {
  return rolled.every(({ piece, unit }) => piece.width === lengths[unit])
}

/**
 * Reports whether rollups can be used. They cover all numbers of a series, so a request with
 * conditions on values has to read the values.
 */
export function isRolled({ series, values }: ValueReading): boolean {
  const isUntested = values.where.text === all([]).text && values.joins.text === ''
  return isUntested && areNumbers(series.kinds) && values.range !== undefined
}

/** Loads the span of days that have rollups. */
export async function loadRolledSpan(run: Run): Promise<Moments | undefined> {
  const [row] = await run(
    sql`
      select (extract(epoch from since) * 1000)::bigint::text, 1::bigint,
        (extract(epoch from until) * 1000)::bigint::text
      from rollup_span`,
    0,
  )
  return row && { from: Number(row[0]), to: Number(row[2]) }
}

/** Divides a window into parts that rollups cover and parts that they do not. */
export function sourcesOf(
  { pieces }: BucketWindow,
  series: ChosenSeries,
  span: Moments | undefined,
): Sources {
  const rolled: Rolled[] = []
  const values = pieces.flatMap((piece) => {
    const found = span && rolledPart(piece, series, span)
    if (found === undefined) return [piece]
    rolled.push(found)
    const { from, to } = found
    return [
      { ...piece, until: from },
      { ...piece, from: to },
    ].filter((one) => one.from < one.until)
  })
  return { values, rolled }
}

/** Returns the whole hours or days of a piece within the span, if its buckets consist of them. */
function rolledPart(piece: Piece, series: ChosenSeries, span: Moments): Rolled | undefined {
  const isMadeOf = (unit: RollupUnit) =>
    piece.origin % lengths[unit] === 0 && piece.width % lengths[unit] === 0
  const isByHour = () => isMadeOf('hour') && series.periods.every(isRolledByHour)
  const unit = isMadeOf('day') ? 'day' : isByHour() ? 'hour' : undefined
  if (unit === undefined) return undefined
  const length = lengths[unit]
  const from = Math.ceil(Math.max(piece.from, span.from) / length) * length
  const to = Math.floor(Math.min(piece.until, span.to) / length) * length
  return from < to ? { piece, unit, from, to } : undefined
}

export function toTexts({ from, to }: Moments): ColdRange {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/** Returns SQL that selects the ids of chosen series. */
export function selectionOf({ ids }: ChosenSeries): Sql {
  return sql`select unnest(${arrayOf(ids)}::integer[])`
}

/** Brings back values of cold months that are read in addition to rollups. */
export type ColdValues = {
  /** @param span the days of which there are rollups */
  readonly bringBack: (span: Moments | undefined) => Promise<void>
  /** Brings back all values, for requests that turn out to have no rollups. */
  readonly bringBackAll: () => Promise<void>
}

/**
 * Returns functions that bring back values of cold months. All values that a request needs are
 * brought back before its first statement, so that a request for too many is rejected before its
 * response starts.
 */
export function coldValuesOf(cold: ColdMonths, buckets: Buckets): ColdValues {
  const { reading, range } = buckets
  const selection = { range: toTexts(range), series: selectionOf(reading.series) }
  let again: (() => Promise<void>) | undefined
  return {
    bringBack: (span) => {
      const values = () => readRanges(buckets, span)
      again ??= renewed(() => cold.ensure({ ...selection, values }))
      return again()
    },
    bringBackAll: () => cold.ensure(selection),
  }
}

/** Number of buckets whose starts are computed at once, which takes some milliseconds. */
const atOnce = 5000

/**
 * Returns the ranges whose values are read. With the first or last value of buckets, that is the
 * whole range, because these are looked up among the values.
 */
async function readRanges(
  { reading, range, timeline }: Buckets,
  span: Moments | undefined,
): Promise<readonly ColdRange[]> {
  const { aggregates, series } = reading
  if (span === undefined || aggregates.includes('first') || aggregates.includes('last'))
    return [toTexts(range)]
  const ranges: ColdRange[] = []
  const take = bucketWindows(timeline, range)
  for (let window = take(atOnce); window !== undefined; window = take(atOnce)) {
    const { values } = sourcesOf(window, series, span)
    for (const { from, until } of values) ranges.push(toTexts({ from, to: until }))
    await yieldToEventLoop()
  }
  return ranges
}
