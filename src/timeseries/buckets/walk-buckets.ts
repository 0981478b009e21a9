import { partOf } from '../read/values/choose-series.ts'
import type { ChosenSeries } from '../read/values/choose-series.ts'
import { wantedOf } from '../read/values/part.ts'
import type { Part, Wanted } from '../read/values/part.ts'
import { listsOf } from '../read/values/value-rows.ts'
import { changeOf, expectedValues } from '../read/values/windows.ts'
import type { BucketReading } from './bucket-statement.ts'
import { bucketWindows } from './bucket-windows.ts'
import type { BucketWindow } from './bucket-windows.ts'
import type { FindEarliest } from './earliest-value.ts'
import type { LoadBuckets } from './load-buckets.ts'
import type { Timeline } from './timeline.ts'

export type BucketWalk = {
  readonly load: LoadBuckets
  readonly earliest: FindEarliest
  readonly reading: BucketReading
  /** Epoch milliseconds. */
  readonly range: { readonly from: number; readonly to: number }
  readonly timeline: Timeline
  /** How long buckets are on average, in milliseconds. */
  readonly width: number
}

/** Values that one statement reads, if it can do with so few: a second or so. */
const mostValues = 5_000_000

/** Rows of a statement after the first one: unpacked at once, some milliseconds. */
const mostRows = 24_000

/** Rows that a statement may find at most, wherever one bucket of all series has no more. */
const mostPossible = 2 * mostRows

/** Buckets whose beginnings are worked out at once, some milliseconds. */
const mostBuckets = 15_000

/**
 * Buckets in the order of time, then of series: as many at once as should fill a page. Where nothing is
 * found, everything is passed over up to the next value.
 */
export async function* walkBucketsInTime(
  walk: BucketWalk,
  wanted: Wanted,
): AsyncGenerator<Part, void, undefined> {
  const { load, reading, timeline, range } = walk
  const take = bucketWindows(timeline, range)
  let [remaining, count, start] = [wanted.rows, bucketsFor(walk, wanted.first), range.from]
  for (let window = take(count); window !== undefined; window = take(count, start)) {
    let found = 0
    const parts = seriesAtOnce(walk, window)
    for (const [place, series] of parts.entries()) {
      const rows = await load({ ...reading, series }, window, 'byTime')
      found += rows.length
      remaining -= rows.length
      const isLast = remaining <= 0 || (window.isLast && place === parts.length - 1)
      yield { rows, isLast }
      if (isLast) return
    }
    count = nextCount(walk, window.count, { found, size: Math.min(mostRows, remaining) })
    if (found > 0) continue
    const next = await nextValue(walk, window)
    if (next === undefined) break
    start = next
  }
  yield { rows: [], isLast: true }
}

/** Buckets of all series that have so many rows, if each has values; no more than one statement reads. */
function bucketsFor(walk: BucketWalk, rows: number): number {
  const { ids } = walk.reading.series
  const most = Math.min(rows / ids.length, mostValues / valuesOfBucket(walk), mostBuckets)
  return Math.max(1, Math.floor(most))
}

/** Whatever was found before: after an empty stretch each bucket may have values again. */
function nextCount(
  walk: BucketWalk,
  count: number,
  { found, size }: { readonly found: number; readonly size: number },
): number {
  const changed = Math.max(1, count * changeOf(found, size))
  return Math.min(changed, bucketsFor(walk, mostPossible))
}

/** The time of the next value after a window, in epoch milliseconds. */
async function nextValue(
  { earliest, reading, range }: BucketWalk,
  { pieces }: BucketWindow,
): Promise<number | undefined> {
  const from = pieces.at(-1)?.until ?? range.to
  return earliest(reading.series, { from, to: range.to })
}

/** Within one long bucket, series after series; the order is that of the series anyway. */
function seriesAtOnce(walk: BucketWalk, { count }: BucketWindow): readonly ChosenSeries[] {
  const { series } = walk.reading
  const total = series.ids.length
  const step = Math.floor((total * mostValues) / (valuesOfBucket(walk) * count))
  if (count > 1 || step >= total) return [series]
  return everyNth(total, Math.max(1, step)).map((place) =>
    partOf(series, place, place + Math.max(1, step)),
  )
}

function everyNth(total: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(total / step) }, (_nothing, index) => index * step)
}

/** How many values a bucket of all series should have. */
function valuesOfBucket({ reading: { series }, range, width }: BucketWalk): number {
  const length = Math.max(1, range.to - range.from)
  return Math.max(1, (expectedValues(series, toTexts(range)) * width) / length)
}

/**
 * Buckets in the order of stations and data types, then of time: list after list of the tree. A statement
 * reads as many lists as should fill a page; where one does not fit into a page, each is read in time.
 */
export async function* walkBucketsBySeries(
  walk: BucketWalk,
  wanted: Wanted,
): AsyncGenerator<Part, void, undefined> {
  const { load, reading, timeline, range } = walk
  const { series } = reading
  const whole = bucketWindows(timeline, range)(mostBuckets)
  const lists = listsOf(series)
  const atOnce = whole?.isLast === true ? listsAtOnce(walk, whole.count) : 1
  let remaining = wanted.rows
  for (let list = 0; list < lists.length && remaining > 0; list += atOnce) {
    const some = partOf(series, lists[list], lists[list + atOnce])
    const isEnd = list + atOnce >= lists.length
    const part = { ...walk, reading: { ...reading, series: some } }
    const parts =
      whole?.isLast === true && atOnce > 1
        ? [{ rows: await load(part.reading, whole, 'bySeries'), isLast: true }]
        : walkBucketsInTime(part, wantedOf(0, remaining))
    for await (const { rows, isLast } of parts) {
      remaining -= rows.length
      yield { rows, isLast: isLast && (isEnd || remaining <= 0) }
    }
  }
}

/** So many lists fill a page and have no more values than a statement should read. */
function listsAtOnce(walk: BucketWalk, buckets: number): number {
  const { ids } = walk.reading.series
  const values = (valuesOfBucket(walk) * buckets) / ids.length
  return Math.max(1, Math.floor(Math.min(mostRows / buckets, mostValues / values)))
}

function toTexts({ from, to }: BucketWalk['range']) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
