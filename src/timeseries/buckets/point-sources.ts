import { AppError } from '../../errors/index.ts'
import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { ColdMonths } from '../cold/cold-months.ts'
import { demandOf } from '../read/values/choose-series.ts'
import type { ChosenSeries } from '../read/values/choose-series.ts'
import { unpackPlain, unpackTimes } from '../read/values/packing.ts'
import { at, unpackBySeries, valueColumns } from '../read/values/value-rows.ts'
import type { Run, ValueReading } from '../read/values/value-rows.ts'
import { filledPart, walkBucketsInTime } from './load-buckets.ts'
import type { BucketWalk } from './load-buckets.ts'
import type { Moments } from './sources.ts'

/** Points of a line sorted by time, with one height for each time. */
type Line = { readonly times: Float64Array; readonly heights: Float64Array }

/** Number of points that are examined in one step. */
const stepSize = 10_000

/**
 * Returns the indexes of the points that keep the shape of a line, by "largest triangle, three
 * buckets" (Sveinn Steinarsson, Downsampling Time Series for Visual Representation, 2013, section
 * 4.2). The first and the last point are kept. From each part between them it chooses the point
 * that makes the largest triangle with the point chosen before and the mean of the next part; of
 * equal ones, the earliest. It yields after steps of about 0.1 ms.
 * @param count at least 3; a line with no more points is returned whole
 */
export function* largestTriangles(
  line: Line,
  count: number,
): Generator<undefined, readonly number[]> {
  const total = line.times.length
  if (total <= count) return Array.from({ length: total }, (_nothing, place) => place)
  // Multiply before dividing, so that only the result is rounded.
  const startOf = (part: number) => Math.floor((part * (total - 2)) / (count - 2)) + 1
  const places = [0]
  let [last, steps] = [0, 0]
  for (let part = 0; part < count - 2; part++) {
    const [start, end, next] = [startOf(part), startOf(part + 1), startOf(part + 2)]
    const mean = meanOf(line, end, Math.min(next, total))
    last = largestFrom(line, { start, end, last }, mean)
    places.push(last)
    steps += next - start
    if (steps < stepSize) continue
    steps = 0
    yield undefined
  }
  return [...places, total - 1]
}

type Point = { readonly time: number; readonly height: number }

function meanOf({ times, heights }: Line, start: number, end: number): Point {
  let [time, height] = [0, 0]
  for (let place = start; place < end; place++) {
    time += times[place] ?? 0
    height += heights[place] ?? 0
  }
  const count = end - start
  return { time: time / count, height: height / count }
}

type Stretch = { readonly start: number; readonly end: number; readonly last: number }

/**
 * Returns the index of the point that makes the largest triangle. Twice the areas are compared; NaN
 * is never larger.
 */
function largestFrom({ times, heights }: Line, { start, end, last }: Stretch, mean: Point): number {
  const [time, height] = [times[last] ?? 0, heights[last] ?? 0]
  let [found, largest] = [start, -1]
  for (let place = start; place < end; place++) {
    const area = Math.abs(
      (time - mean.time) * ((heights[place] ?? 0) - height) -
        (time - (times[place] ?? 0)) * (mean.height - height),
    )
    if (area <= largest || Number.isNaN(area)) continue
    largest = area
    found = place
  }
  return found
}

/** What points are chosen from: values read one by one, or buckets computed by the database. */
export type LineKind = 'values' | 'buckets'

/**
 * Maximum number of points of all series together. To be sorted by time, they are held in memory.
 */
const maxPoints = 100_000

/**
 * Maximum number of values of all series together: half a minute of work, most of which is done
 * before the first row is sent.
 */
const maxValues: Readonly<Record<LineKind, number>> = {
  values: 30_000_000,
  buckets: 100_000_000,
}

/** Maximum number of values of one series, which are held in memory while its points are chosen. */
const maxPerSeries = 1_000_000

/**
 * Minimum number of values that a series counts as. It has statements of its own, which take as
 * long as reading this many values.
 */
const minPerSeries = 3000

/**
 * Rejects points that would take too much memory, or too much time for the expected number of
 * values in the range.
 * @throws AppError HUB-QRY-001
 */
export async function assertPoints(
  { run, reading, cold }: Reading & { readonly cold?: ColdMonths | undefined },
  points: number,
  kind: LineKind,
): Promise<void> {
  const count = reading.series.ids.length
  if (count * points > maxPoints) {
    throw refusal(
      `${inWords(points)} points of ${inWords(count)} series are more than ${inWords(maxPoints)}.`,
      'Choose fewer stations in where, or fewer points.',
    )
  }
  assertValues(count * minPerSeries, kind)
  const { from = '', to = '' } = reading.values.range ?? {}
  const range = { from: Date.parse(from), to: Date.parse(to) }
  if (expectedOf(reading.series, range, kind) <= maxValues[kind]) return
  // A range may be far longer than the time from the first value to the last.
  const filled = await filledPart(run, reading, cold)
  assertValues(expectedOf(reading.series, filled, kind), kind)
}

/**
 * Asserts that the number of values is not too large for choosing points.
 * @param values number of values of all series, expected or found
 * @throws AppError HUB-QRY-001
 */
export function assertValues(values: number, kind: LineKind): void {
  const most = maxValues[kind]
  if (values <= most) return
  const longer = kind === 'values' ? ', or request points of buckets (bucket=1h)' : ''
  throw refusal(
    `The series count as about ${inWords(Math.ceil(values / 1e6))} million values in this range, each as at least ${inWords(minPerSeries)}; points are chosen from at most ${inWords(most)}.`,
    `Choose fewer stations in where, or a shorter range${longer}.`,
  )
}

/**
 * Returns the expected number of values of all series. A series without a declared period counts as
 * the minimum.
 */
function expectedOf({ periods }: ChosenSeries, { from, to }: Moments, kind: LineKind): number {
  const seconds = (to - from) / 1000
  const most = kind === 'values' ? maxPerSeries : Number.POSITIVE_INFINITY
  return periods.reduce((sum, period) => {
    const expected = Number(period) > 0 ? seconds / Number(period) : 0
    return sum + Math.max(minPerSeries, Math.min(expected, most))
  }, 0)
}

function refusal(detail: string, hint: string): AppError {
  return new AppError('HUB-QRY-001', detail, {
    hint,
    issues: [{ parameter: 'points', detail: 'covers too many values' }],
  })
}

function inWords(count: number): string {
  return count.toLocaleString('en')
}

/** The line of one series, and a function that loads the rows at some of its points. */
type Drawn = {
  readonly line: Line
  readonly rowsAt: (places: readonly number[]) => Promise<readonly TextRow[]>
}

/**
 * Loads the line of a series.
 * @param series exactly one
 */
export type Source = (series: ChosenSeries) => Promise<Drawn>

/** Maximum number of buckets of one series, which are held in memory like values. */
const maxBuckets = 100_000

/** Returns a source of lines of buckets. `height` is the position in a row of the drawn value. */
export function bucketSource(walk: BucketWalk, height: number): Source {
  return async (series) => {
    const part = { ...walk, reading: { ...walk.reading, series } }
    const rows: TextRow[] = []
    for await (const found of walkBucketsInTime(part, demandOf(0, Number.POSITIVE_INFINITY))) {
      for (const row of found.rows) rows.push(row)
      if (rows.length > maxBuckets) throw tooMany('buckets', maxBuckets)
    }
    const line = {
      times: Float64Array.from(rows, (row) => secondsOf(row[at.time] ?? '')),
      heights: Float64Array.from(rows, (row) => Number(row[height] ?? Number.NaN)),
    }
    return {
      line,
      rowsAt: (places) => Promise.resolve(places.map((place) => rows[place] ?? [])),
    }
  }
}

/**
 * Parses a time that PostgreSQL printed in UTC, such as `2026-11-20 12:00:00+00`, to epoch seconds.
 */
function secondsOf(time: string): number {
  return Date.parse(`${time.slice(0, 10)}T${time.slice(11, -3)}Z`) / 1000
}

type Reading = { readonly run: Run; readonly reading: ValueReading }

/**
 * Returns a source of lines of the values themselves. The rows of the chosen points are read again,
 * with all shown fields.
 */
export function valueSource({ run, reading }: Reading): Source {
  return async (series) => {
    const part = { ...reading, series }
    const pages = await loadLine(run, part)
    const line = {
      times: joined(pages.map(({ seconds }) => seconds)),
      heights: joined(pages.map(({ heights }) => heights)),
    }
    return { line, rowsAt: (places) => loadRows(run, part, timesAt(pages, places)) }
  }
}

type LinePage = {
  /** Times as they were received, still packed, because few of them are needed in the end. */
  readonly times: string
  readonly seconds: Float64Array
  readonly heights: Float64Array
}

/** Number of values that are unpacked at once, which takes some milliseconds. */
const pageSize = 20_000

async function loadLine(run: Run, reading: ValueReading): Promise<readonly LinePage[]> {
  const pages: LinePage[] = []
  let after: string | null | undefined
  for (let values = 0; ;) {
    const [row] = await run(lineStatement(reading, after), 2)
    const [last, count, times, seconds, heights] = row ?? []
    if (times && seconds && heights) {
      pages.push({ times, seconds: numbersOf(seconds), heights: numbersOf(heights) })
    }
    values += Number(count)
    if (values > maxPerSeries) throw tooMany('values', maxPerSeries)
    if (Number(count) < pageSize) return pages
    after = last
  }
}

function lineStatement(reading: ValueReading, after: string | null | undefined): Sql {
  const further = after ? [sql`m.valid_time > ${after}::timestamptz`] : []
  return sql`
    select max(m.valid_time)::text, count(*), array_agg(m.valid_time)::text,
      array_agg(date_part('epoch', m.valid_time))::text, array_agg(m.number)::text
    from (${ofOne(reading, further)} order by m.valid_time limit ${pageSize}::bigint) as m`
}

function ofOne({ values, series }: ValueReading, further: readonly Sql[]): Sql {
  const { relation, joins, range, where } = values
  const { from = '-infinity', to = 'infinity' } = range ?? {}
  const conditions = [
    sql`m.series_id = ${series.ids[0] ?? null}::integer`,
    sql`m.valid_time >= ${from}::timestamptz`,
    sql`m.valid_time < ${to}::timestamptz`,
    where,
    ...further,
  ]
  return sql`select ${valueColumns} from ${relation} as m ${joins} where ${all(conditions)}`
}

/** Number of times that one statement looks up. Their bounds limit it to few partitions. */
const lookedUp = 500

async function loadRows(
  run: Run,
  reading: ValueReading,
  times: readonly string[],
): Promise<readonly TextRow[]> {
  const { series, packed } = reading
  const columns = join(
    [sql`array_agg(m.valid_time)::text`, ...packed.map((one) => one.column)],
    ', ',
  )
  const rows: TextRow[] = []
  for (let start = 0; start < times.length; start += lookedUp) {
    const some = times.slice(start, start + lookedUp)
    const exactly = [
      sql`m.valid_time >= ${some[0] ?? null}::timestamptz`,
      sql`m.valid_time <= ${some.at(-1) ?? null}::timestamptz`,
      sql`m.valid_time = any(${some}::timestamptz[])`,
    ]
    const groups = await run(
      sql`
        select m.series_id::text, count(*), ${columns}
        from (${ofOne(reading, exactly)} order by m.valid_time) as m group by m.series_id`,
      packed.length,
    )
    rows.push(...unpackBySeries(series, packed)(groups))
  }
  return rows
}

/**
 * Returns the times at some indexes of a line.
 * @param places in ascending order
 */
function timesAt(pages: readonly LinePage[], places: readonly number[]): readonly string[] {
  const times: string[] = []
  let [start, next] = [0, 0]
  for (const page of pages) {
    const end = start + page.seconds.length
    const isHere = (place: number | undefined) => place !== undefined && place < end
    const unpacked = isHere(places[next]) ? unpackTimes(page.times) : []
    for (; isHere(places[next]); next++) times.push(unpacked[(places[next] ?? 0) - start] ?? '')
    start = end
  }
  return times
}

function numbersOf(array: string): Float64Array {
  return Float64Array.from(unpackPlain(array), Number)
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0))
  let start = 0
  for (const part of parts) {
    whole.set(part, start)
    start += part.length
  }
  return whole
}

function tooMany(what: string, most: number): AppError {
  const detail = `A series has more than ${most.toLocaleString('en')} ${what} in this range.`
  return new AppError('HUB-QRY-001', detail, {
    hint: 'Request longer buckets (bucket=1h), or a shorter range.',
    issues: [{ parameter: 'points', detail: 'covers too many values or buckets' }],
  })
}
