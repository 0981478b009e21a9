import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { observedPeriod } from './thresholds.ts'

const day = 86_400
/** Seconds of history that are examined for each series. */
export const week = 7 * day

/**
 * How many seconds before the week to search for the value since which a gap at its start lasts.
 */
const lookBack = 30 * day

/** Number of equal values in a row from which a series counts as stuck. */
const stuckFrom = 10

/** Maximum up to which future values are counted. */
const maxCounted = 10_000

/**
 * Returns joins for statistics of a week of values of each series, to be placed after those of
 * `recencyOf`. They use the times in a range of the primary key, in its order, which are read from
 * the index alone.
 *
 * Each value ends a span that started with the value before it; the last span ends now. A span of
 * one and a half periods misses one value, one of two and a half misses two, and so on: values need
 * not be exactly on time, and more values than declared never make up for missing ones.
 * @param now ISO 8601
 */
export function weekOf(now: string): Sql {
  return sql`
    ${stuckOf(now)}
    cross join lateral (
      select
        (${observedPeriod(now)}) as observed_period,
        ${coverageOf(now, day)} as coverage_day,
        ${coverageOf(now, week)} as coverage_week,
        count(since) as gaps,
        coalesce(sum(${missing(sql`since`)}) filter (where since is not null), 0)::bigint as missing,
        floor(extract(epoch from max(until - since)))::bigint as longest_gap,
        (array_agg(since order by until - since desc, until) filter (where since is not null))[1]
          as longest_from,
        (array_agg(ended order by until - since desc, until) filter (where since is not null))[1]
          as longest_to,
        max(since) as last_from,
        (array_agg(ended order by until desc) filter (where since is not null))[1] as last_to,
        (${countFuture(now)}) as future_count,
        (select max(ahead.valid_time) from ${futureOf(now)}) as future_until
      from (${holesOf(now)}) as hole
      offset 0) as w`
}

/**
 * Returns SQL for spans with missing values: between two values, since the last one, and up to the
 * first one of all, for which it is unknown since when it was expected.
 */
function holesOf(now: string): Sql {
  const start = before(now, week)
  return sql`
    select since, until, ended from (
      select
        coalesce(lag(valid_time) over (order by valid_time), (
          select past.valid_time from measurement as past
          where past.series_id = m.series_id and past.valid_time <= ${start}
            and past.valid_time > ${before(now, week + lookBack)}
          order by past.valid_time desc limit 1)) as since,
        valid_time as until,
        valid_time as ended
      from measurement as written
      where written.series_id = m.series_id
        and written.valid_time > ${start} and written.valid_time <= ${now}::timestamptz
      union all
      select r.valid_time, ${now}::timestamptz, null
    ) as span
    where until > coalesce(since, ${start}) + e.patience`
}

/** Returns SQL for the number of values missing from `since` to the end of a span. */
function missing(since: Sql): Sql {
  return sql`greatest(0, floor(extract(epoch from until - ${since}) / e.period - 0.5))`
}

/**
 * Returns SQL for the share of the expected values that exist, in a window that ends now; null if
 * not a single value is expected in it. Values before the first value of a series count as missing,
 * too.
 * @param window in seconds
 */
function coverageOf(now: string, window: number): Sql {
  const start = before(now, window)
  const lacking = missing(sql`greatest(coalesce(since, ${start}), ${start})`)
  return sql`case
    when e.period is null or e.period > ${window}::bigint then null
    when r.valid_time is null or r.valid_time <= ${start} then 0
    else round(greatest(0, 1 - coalesce(sum(${lacking}) filter (where until > ${start}), 0)
      * e.period / ${window}::numeric), 4)::double precision
  end`
}

/**
 * Returns a join for the time since which the newest number has not changed, and the number of
 * values since then. It reads from the newest value back, so that of a series that changes only the
 * last values are read.
 */
function stuckOf(now: string): Sql {
  const start = before(now, week)
  return sql`
    cross join lateral (
      select
        case when count(*) >= ${stuckFrom}::bigint then min(same.valid_time) end as since,
        case when count(*) >= ${stuckFrom}::bigint then count(*) end as count
      from measurement as same
      where x.kind = 'number' and same.series_id = m.series_id
        and same.valid_time > ${start} and same.valid_time <= r.valid_time
        and same.valid_time > coalesce((
          select other.valid_time from measurement as other
          where other.series_id = m.series_id
            and other.valid_time > ${start} and other.valid_time <= r.valid_time
            and other.number <> (
              select newest.number from measurement as newest
              where newest.series_id = m.series_id and newest.valid_time = r.valid_time)
          order by other.valid_time desc limit 1), ${start})
      offset 0) as u`
}

function countFuture(now: string): Sql {
  return sql`
    select count(*) from (select from ${futureOf(now)} limit ${maxCounted}::bigint) as counted`
}

function futureOf(now: string): Sql {
  return sql`
    measurement as ahead where ahead.series_id = m.series_id and ahead.valid_time > ${now}::timestamptz`
}

/**
 * Returns a time that the planner can evaluate, so that it reads only the partitions of the range,
 * and in order.
 */
function before(now: string, seconds: number): Sql {
  return sql`${new Date(Date.parse(now) - seconds * 1000).toISOString()}::timestamptz`
}
