import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { ChosenSeries } from '../read/values/choose-series.ts'
import { arrayOf } from '../read/values/packing.ts'
import type { Run, ValueReading } from '../read/values/value-statement.ts'

/** A range of time, in epoch milliseconds. */
export type Moments = { readonly from: number; readonly to: number }

/**
 * When some series have their first value in a range, in epoch milliseconds; undefined where they have
 * none. What `where` says of values is not asked: there may be none that passes, but there is none before.
 */
export type FindEarliest = (series: ChosenSeries, range: Moments) => Promise<number | undefined>

/** Series that one statement looks up: one probe of the primary key for each in each month. */
const lookedUp = 1000

/** Series are only looked up before what was found of others, mostly in one month. */
export function earliestFinder(run: Run, { values }: ValueReading): FindEarliest {
  return async ({ ids }, { from, to }) => {
    let found: number | undefined
    for (let start = 0; start < ids.length; start += lookedUp) {
      const some = ids.slice(start, start + lookedUp)
      const statement = earliestStatement(values.relation, some, { from, to: found ?? to })
      const [first = null] = (await run(statement, 0))[0] ?? []
      if (first !== null) found = Number(first)
    }
    return found
  }
}

/** The part of its range in which a reading may find values at all; of no length where there are none. */
export async function filledPart(run: Run, reading: ValueReading): Promise<Moments> {
  const { series, values } = reading
  const { from = '', to = '' } = values.range ?? {}
  const range = { from: Date.parse(from), to: Date.parse(to) }
  const begun = await earliestFinder(run, reading)(series, range)
  if (begun === undefined) return { from: range.from, to: range.from }
  // What lies far ahead is the latest of no series.
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
