import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { isOutOfRange } from '../../storage/index.ts'
import type { TextRow } from '../../storage/index.ts'
import { partOf, demandOf } from '../read/values/choose-series.ts'
import type { ChosenSeries, Part, RowDemand } from '../read/values/choose-series.ts'
import { arrayOf } from '../read/values/packing.ts'
import { listsOf, unpackBySeries, unpackByTime } from '../read/values/value-rows.ts'
import type { Run, ValueReading } from '../read/values/value-rows.ts'
import { changeOf, expectedValues } from '../read/values/windows.ts'
import { bucketStatement } from './bucket-statement.ts'
import type { ColdMonths } from '../cold/cold-months.ts'
import { isRolled, loadRolledSpan, selectionOf, sourcesOf, toTexts } from './sources.ts'
import type { BucketReading, Buckets, ColdValues, Moments, Sources } from './sources.ts'
import { bucketWindows } from './timeline.ts'
import type { BucketWindow } from './timeline.ts'

/**
 * Finds the time of the first value of some series in a range, in epoch milliseconds; undefined if
 * there is none. Conditions of `where` on values are not tested: possibly no value meets them, but
 * none before this time does.
 */
type FindEarliest = (series: ChosenSeries, range: Moments) => Promise<number | undefined>

/** Maximum number of series per statement. Each needs one probe of the primary key per month. */
const lookedUp = 1000

/**
 * Returns a function that finds the first value. Each statement searches only before the earliest
 * value found so far, so it mostly searches one month.
 */
export function earliestFinder(
  run: Run,
  { values }: ValueReading,
  cold?: ColdMonths,
): FindEarliest {
  return async (series, { from, to }) => {
    const { ids } = series
    let found = await cold?.earliest(selectionOf(series), toTexts({ from, to }))
    for (let start = 0; start < ids.length; start += lookedUp) {
      const some = ids.slice(start, start + lookedUp)
      const statement = earliestStatement(values.relation, some, { from, to: found ?? to })
      const [first = null] = (await run(statement, 0))[0] ?? []
      if (first !== null) found = Number(first)
    }
    return found
  }
}

/** Returns the part of a range that may contain values. It is empty if there are none. */
export async function filledPart(
  run: Run,
  reading: ValueReading,
  cold: ColdMonths | undefined,
): Promise<Moments> {
  const { series, values } = reading
  const { from = '', to = '' } = values.range ?? {}
  const range = { from: Date.parse(from), to: Date.parse(to) }
  const begun = await earliestFinder(run, reading, cold)(series, range)
  if (begun === undefined) return { from: range.from, to: range.from }
  // A value far in the future is not the latest of its series, so it is not in `latest`.
  const [row] = await run(
    sql`
      select ceil(extract(epoch from max(valid_time)) * 1000)::text, count(*), null from (
        select valid_time from latest where series_id = any(${arrayOf(series.ids)}::integer[])
        union all
        select max(valid_time) from measurement
        where series_id = any(${arrayOf(series.ids)}::integer[])
          and valid_time > now() and valid_time < ${to}::timestamptz
      ) as newest`,
    0,
  )
  return { from: begun, to: Math.min(range.to, Number(row?.[0] ?? range.to) + 1) }
}

function earliestStatement(relation: Sql, ids: readonly string[], { from, to }: Moments): Sql {
  return sql`
    select floor(extract(epoch from min(e.valid_time)) * 1000)::text, count(*), null
    from series as x
    cross join lateral (
      select m.valid_time from ${relation} as m
      where m.series_id = x.id
        and m.valid_time >= ${new Date(from).toISOString()}::timestamptz
        and m.valid_time < ${new Date(to).toISOString()}::timestamptz
      order by m.valid_time limit 1) as e
    where x.id = any(${arrayOf(ids)}::integer[])`
}

export type BucketWalk = Buckets & {
  readonly load: LoadBuckets
  readonly earliest: FindEarliest
  /** Average length of buckets in milliseconds. */
  readonly width: number
}

/**
 * Maximum number of values that one statement reads, about a second of work, unless one bucket of
 * one series has more.
 */
const maxValues = 5_000_000

/**
 * Number of rows that each statement after the first should return. They are unpacked at once,
 * which takes some milliseconds.
 */
const maxRows = 24_000

/** Maximum number of rows that a statement may return, unless one bucket of all series has more. */
const maxPossibleRows = 2 * maxRows

/** Number of buckets whose starts are computed at once, which takes some milliseconds. */
const maxBuckets = 15_000

/**
 * Yields buckets sorted by time, then by series. Each statement reads as many as should fill a
 * page. If it finds nothing, everything up to the next value is skipped.
 */
export async function* walkBucketsInTime(
  walk: BucketWalk,
  wanted: RowDemand,
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
    count = nextCount(walk, window.count, { found, size: Math.min(maxRows, remaining) })
    if (found > 0) continue
    const next = await nextValue(walk, window)
    if (next === undefined) break
    start = next
  }
  yield { rows: [], isLast: true }
}

/**
 * Returns how many buckets of all series have about this many rows if each has values, limited to
 * what one statement may read.
 */
function bucketsFor(walk: BucketWalk, rows: number): number {
  const { ids } = walk.reading.series
  const most = Math.min(rows / ids.length, maxValues / valuesOfBucket(walk), maxBuckets)
  return Math.max(1, Math.floor(most))
}

/**
 * Returns the number of buckets for the next statement. It is limited regardless of what was found
 * before, because after an empty stretch every bucket may have values again.
 */
function nextCount(
  walk: BucketWalk,
  count: number,
  { found, size }: { readonly found: number; readonly size: number },
): number {
  const changed = Math.max(1, count * changeOf(found, size))
  return Math.min(changed, bucketsFor(walk, maxPossibleRows))
}

/** Returns the time of the next value after a window in epoch milliseconds, or undefined. */
async function nextValue(
  { earliest, reading, range }: BucketWalk,
  { pieces }: BucketWindow,
): Promise<number | undefined> {
  const from = pieces.at(-1)?.until ?? range.to
  return earliest(reading.series, { from, to: range.to })
}

/**
 * Divides the series of a window of one long bucket into parts that one statement each can read.
 * Rows of one bucket are sorted by series anyway.
 */
function seriesAtOnce(walk: BucketWalk, { count }: BucketWindow): readonly ChosenSeries[] {
  const { series } = walk.reading
  const total = series.ids.length
  const step = Math.floor((total * maxValues) / (valuesOfBucket(walk) * count))
  if (count > 1 || step >= total) return [series]
  return everyNth(total, Math.max(1, step)).map((place) =>
    partOf(series, place, place + Math.max(1, step)),
  )
}

function everyNth(total: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(total / step) }, (_nothing, index) => index * step)
}

/** Returns the expected number of values in one bucket of all series. */
function valuesOfBucket({ reading: { series }, range, width }: BucketWalk): number {
  const length = Math.max(1, range.to - range.from)
  return Math.max(1, (expectedValues(series, toTexts(range)) * width) / length)
}

/**
 * Yields buckets sorted by station and data type, then by time: list after list of the tree. A
 * statement reads as many lists as should fill a page. If a list does not fit into a page, each
 * list is read in the order of time.
 */
export async function* walkBucketsBySeries(
  walk: BucketWalk,
  wanted: RowDemand,
): AsyncGenerator<Part, void, undefined> {
  const { load, reading, timeline, range } = walk
  const { series } = reading
  const whole = bucketWindows(timeline, range)(maxBuckets)
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
        : walkBucketsInTime(part, demandOf(0, remaining))
    for await (const { rows, isLast } of parts) {
      remaining -= rows.length
      yield { rows, isLast: isLast && (isEnd || remaining <= 0) }
    }
  }
}

/** Returns how many lists fill a page with no more values than a statement should read. */
function listsAtOnce(walk: BucketWalk, buckets: number): number {
  const { ids } = walk.reading.series
  const values = (valuesOfBucket(walk) * buckets) / ids.length
  return Math.max(1, Math.floor(Math.min(maxRows / buckets, maxValues / values)))
}

/** Loads the buckets of a window, sorted by time or by series, as rows like those of values. */
type LoadBuckets = (
  reading: BucketReading,
  window: BucketWindow,
  order: 'byTime' | 'bySeries',
) => Promise<readonly TextRow[]>

/**
 * Returns a function that loads buckets. If rollups turn out not to reach as far as they did
 * before, it reads everything from the values.
 */
export function bucketLoader(run: Run, cold?: ColdValues): LoadBuckets {
  let span: Promise<Moments | undefined> | undefined
  return async (reading, window, order) => {
    const { series, packed } = reading
    // Packed by time, the buckets of one series would need one pack each.
    const grouping = series.ids.length === 1 ? 'bySeries' : order
    const load = (sources: Sources) =>
      run(bucketStatement(reading, sources, grouping), packed.length)
    const known = isRolled(reading) ? await (span ??= loadRolledSpan(run)) : undefined
    const sources = sourcesOf(window, series, known)
    await cold?.bringBack(known)
    const groups = await load(sources).catch(async (error: unknown) => {
      if (sources.rolled.length === 0 || !isOutOfRange(error)) throw error
      await cold?.bringBackAll()
      return load(sourcesOf(window, series, undefined))
    })
    return (grouping === 'bySeries' ? unpackBySeries : unpackByTime)(series, packed)(groups)
  }
}
