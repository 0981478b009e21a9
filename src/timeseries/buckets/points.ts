import { inSlices } from '../../async/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { Cell } from '../../tables/index.ts'
import type { ColdMonths } from '../cold/cold-months.ts'
import type { Representation } from '../read/representation.ts'
import { pageSize, partOf } from '../read/values/choose-series.ts'
import type { ChosenSeries, Part, RowDemand } from '../read/values/choose-series.ts'
import { at, listsOf } from '../read/values/value-rows.ts'
import type { Run, ValueReading } from '../read/values/value-rows.ts'
import type { Shown } from '../select/resolve.ts'
import type { TimeZone } from '../time.ts'
import { millisecondsOf } from './aggregates.ts'
import type { Bucketing, Reduction } from './aggregates.ts'
import {
  bucketLoader,
  earliestFinder,
  walkBucketsBySeries,
  walkBucketsInTime,
} from './load-buckets.ts'
import type { BucketWalk } from './load-buckets.ts'
import {
  assertPoints,
  assertValues,
  bucketSource,
  largestTriangles,
  valueSource,
} from './point-sources.ts'
import type { LineKind, Source } from './point-sources.ts'
import { aggregatesOf, isAggregate } from './show-buckets.ts'
import { coldValuesOf } from './sources.ts'
import { timelineOf } from './timeline.ts'

/** Number of rows that are merged in one step, which takes less than a millisecond. */
const mergeStep = 2000

/**
 * Merges lists of rows that are each sorted by time. Rows of the same time are in the order of
 * their lists.
 */
export function* mergeByTime(
  lists: readonly (readonly TextRow[])[],
): Generator<undefined, readonly TextRow[]> {
  let left = lists
  while (left.length > 1) {
    const merged: (readonly TextRow[])[] = []
    for (let place = 0; place < left.length; place += 2) {
      merged.push(yield* mergeTwo(left[place] ?? [], left[place + 1] ?? []))
    }
    left = merged
  }
  return left[0] ?? []
}

/**
 * Merges two lists. Times are compared as texts, which works for times of PostgreSQL with
 * four-digit years.
 */
function* mergeTwo(
  first: readonly TextRow[],
  second: readonly TextRow[],
): Generator<undefined, readonly TextRow[]> {
  const merged: TextRow[] = []
  let [one, other] = [0, 0]
  while (one < first.length || other < second.length) {
    const [left, right] = [first[one], second[other]]
    const takesRight =
      left === undefined || (right !== undefined && (right[at.time] ?? '') < (left[at.time] ?? ''))
    merged.push((takesRight ? right : left) ?? [])
    if (takesRight) other++
    else one++
    if (merged.length % mergeStep === 0) yield undefined
  }
  return merged
}

type Drawing = {
  readonly source: Source
  readonly kind: LineKind
  /** Maximum number of points of each series. */
  readonly points: number
  readonly structure: Representation['structure']
}

type Reducing = {
  readonly run: Run
  readonly reading: ValueReading
  readonly wanted: RowDemand
  /** Cold months. Their values have to be brought back before buckets read them. */
  readonly cold: ColdMonths | undefined
}

/**
 * Yields points of lines, sorted by time or list after list of the tree.
 * @throws AppError HUB-QRY-001 for too many series or too many values
 */
async function* walkPoints(
  drawing: Drawing,
  { run, reading, wanted, cold }: Reducing,
): AsyncGenerator<Part, void, undefined> {
  const { series } = reading
  await assertPoints({ run, reading, cold }, drawing.points, drawing.kind)
  const lists = drawing.structure === 'flat' ? [0] : listsOf(series)
  let remaining = wanted.rows
  for (const [place, start] of lists.entries()) {
    const end = lists[place + 1] ?? series.ids.length
    const lines = await linesOf(drawing, partOf(series, start, end))
    const rows = await inSlices(mergeByTime(lines))
    remaining -= rows.length
    const isEnd = end === series.ids.length || remaining <= 0
    for (const page of pagesOf(rows)) {
      yield { rows: page, isLast: isEnd && page.at(-1) === rows.at(-1) }
    }
    if (isEnd) return
  }
}

/**
 * Loads the points of each series. Periods only give the expected number of values, so those that
 * are actually read are counted, too.
 */
async function linesOf({ source, kind, points }: Drawing, series: ChosenSeries) {
  const lines: (readonly TextRow[])[] = []
  let values = 0
  for (let one = 0; one < series.ids.length; one++) {
    const { line, rowsAt } = await source(partOf(series, one, one + 1))
    values += line.times.length
    assertValues(values, kind)
    lines.push(await rowsAt(await inSlices(largestTriangles(line, points))))
  }
  return lines
}

function pagesOf(rows: readonly TextRow[]): readonly (readonly TextRow[])[] {
  const size = pageSize
  const count = Math.max(1, Math.ceil(rows.length / size))
  return Array.from({ length: count }, (_nothing, page) =>
    rows.slice(page * size, (page + 1) * size),
  )
}

type PointLayout = {
  readonly structure: Representation['structure']
  readonly zone: TimeZone
  readonly shown: readonly Shown[]
  /** Position of each shown field in a row. */
  readonly cells: readonly Cell[]
}

/**
 * Yields buckets, or the points that keep the shape of a line, or the points of a line of buckets.
 */
export function walkReduced(
  { bucket, points }: Reduction,
  asked: PointLayout,
  reducing: Reducing,
): AsyncGenerator<Part, void, undefined> {
  const { structure } = asked
  const walk = bucket && toBucketWalk(bucket, asked, reducing)
  if (points !== undefined) {
    const source: Source = walk ? bucketSource(walk, heightOf(asked)) : valueSource(reducing)
    const kind = walk ? 'buckets' : 'values'
    return walkPoints({ source, kind, points, structure }, reducing)
  }
  if (walk === undefined) throw new TypeError('A reduction has buckets or points')
  return (structure === 'flat' ? walkBucketsInTime : walkBucketsBySeries)(walk, reducing.wanted)
}

function toBucketWalk(
  { length }: Bucketing,
  { zone, shown }: PointLayout,
  { run, reading, cold }: Reducing,
): BucketWalk {
  const { from = '', to = '' } = reading.values.range ?? {}
  const buckets = {
    reading: { ...reading, aggregates: aggregatesOf(shown) },
    range: { from: Date.parse(from), to: Date.parse(to) },
    timeline: timelineOf(length, zone),
    width: millisecondsOf(length),
  }
  return {
    ...buckets,
    load: bucketLoader(run, cold && coldValuesOf(cold, buckets)),
    earliest: earliestFinder(run, reading, cold),
  }
}

/** Returns the position in a row of the first shown aggregate, which draws the line. */
function heightOf({ shown, cells }: PointLayout): number {
  return cells[shown.findIndex(isAggregate)]?.index ?? at.packed
}
