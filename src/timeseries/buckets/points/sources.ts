import { AppError } from '../../../errors/index.ts'
import { all, join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { TextRow } from '../../../storage/index.ts'
import type { ChosenSeries } from '../../read/values/choose-series.ts'
import { unpackPlain, unpackTimes } from '../../read/values/packing.ts'
import { wantedOf } from '../../read/values/part.ts'
import { at, unpackBySeries } from '../../read/values/value-rows.ts'
import { valueColumns } from '../../read/values/value-statement.ts'
import type { Run, ValueReading } from '../../read/values/value-statement.ts'
import { walkBucketsInTime } from '../walk-buckets.ts'
import type { BucketWalk } from '../walk-buckets.ts'
import { mostOfSeries } from './assert-points.ts'
import type { Line } from './largest-triangles.ts'

/** The line of one series, and the rows at some places of it. */
export type Drawn = {
  readonly line: Line
  readonly rowsAt: (places: readonly number[]) => Promise<readonly TextRow[]>
}

/** @param series of which there is one */
export type Source = (series: ChosenSeries) => Promise<Drawn>

/** Of one series at most, held in memory as its values are. */
const mostBuckets = 100_000

/** A line of buckets; `height` is the place in a row that draws it. */
export function bucketSource(walk: BucketWalk, height: number): Source {
  return async (series) => {
    const part = { ...walk, reading: { ...walk.reading, series } }
    const rows: TextRow[] = []
    for await (const found of walkBucketsInTime(part, wantedOf(0, Number.POSITIVE_INFINITY))) {
      for (const row of found.rows) rows.push(row)
      if (rows.length > mostBuckets) throw tooMany('buckets', mostBuckets)
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

/** `2026-11-20 12:00:00+00`, as PostgreSQL prints a time in UTC. */
function secondsOf(time: string): number {
  return Date.parse(`${time.slice(0, 10)}T${time.slice(11, -3)}Z`) / 1000
}

type Reading = { readonly run: Run; readonly reading: ValueReading }

/** A line of the values themselves; its rows are read again, with all that is shown of them. */
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
  /** Packed, as they came: few of them are wanted in the end. */
  readonly times: string
  readonly seconds: Float64Array
  readonly heights: Float64Array
}

/** Values that are unpacked at once, some milliseconds. */
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
    if (values > mostOfSeries) throw tooMany('values', mostOfSeries)
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

/** Times that one statement looks up; its bounds leave few partitions to be looked into. */
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

/** @param places in their order */
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
    hint: 'Ask for longer buckets (bucket=1h), or for a shorter range.',
    issues: [{ parameter: 'points', detail: 'cannot be chosen of so many' }],
  })
}
