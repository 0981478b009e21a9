import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** How a series does, by the age of its newest value that does not lie in the future. */
export const states = ['fresh', 'late', 'stale', 'silent'] as const
export type State = (typeof states)[number]

/** `late` after this many periods: the value that is due now may still be on its way. */
const periodsUntilLate = 2
/** `stale` after this many. */
const periodsUntilStale = 6
/** Of a series with a shorter period, this long counts as one: transport takes its time, too. Seconds. */
const shortestPeriod = 60
/** Taken for the period of a series that declares none and of which none can be observed. Seconds. */
const unknownPeriod = 86_400
/** `silent` after a week, or after the time for `stale` where that is longer. Seconds. */
const silence = 7 * 86_400

/**
 * The state as an expression: one rule for the address and the metrics.
 * @param lag seconds since the newest value; null where there is none
 * @param period expected seconds between values; null where nobody knows
 */
export function stateOf(lag: Sql, period: Sql): Sql {
  const unit = sql`greatest(coalesce(${period}, ${unknownPeriod}::bigint)::bigint, ${shortestPeriod}::bigint)`
  return sql`case
    when ${lag} is null then 'silent'
    when ${lag} <= ${periodsUntilLate}::bigint * ${unit} then 'fresh'
    when ${lag} <= ${periodsUntilStale}::bigint * ${unit} then 'late'
    when ${lag} <= ${silence}::bigint then 'stale'
    else 'silent'
  end`
}

/** Values of which the distances are examined where no period is declared. */
const observed = 21

/**
 * What `latest` and a few probes of an index reveal about each series; `series as x` and `latest as m` stand
 * before it. `offset 0` has each expression evaluated once for a series, not once for each use of it.
 * @param now ISO 8601
 */
export function recencyOf(now: string): Sql {
  return sql`
    cross join lateral (
      select case when m.valid_time <= ${now}::timestamptz then m.valid_time else (
        select past.valid_time from measurement as past
        where past.series_id = m.series_id and past.valid_time <= ${now}::timestamptz
        order by past.valid_time desc limit 1) end as valid_time
      offset 0) as r
    cross join lateral (
      select
        case when x.period > 0 then x.period else (${observedPeriod(now)}) end as period,
        floor(extract(epoch from ${now}::timestamptz - r.valid_time))::bigint as lag
      offset 0) as p
    cross join lateral (
      select p.period, p.lag, make_interval(secs => 1.5 * p.period) as patience offset 0) as e`
}

/** The state, from the columns of `recencyOf`. */
export const state: Sql = stateOf(sql`e.lag`, sql`e.period`)

/** The median distance of the last values up to now, in seconds; null for fewer than two. */
export function observedPeriod(now: string): Sql {
  return sql`
    select case when count(*) > 0 then greatest(1, least(2147483647, round(extract(epoch from
      percentile_disc(0.5) within group (order by distance)))))::integer end
    from (
      select recent.valid_time - lag(recent.valid_time) over (order by recent.valid_time) as distance
      from (
        select past.valid_time from measurement as past
        where past.series_id = m.series_id and past.valid_time <= ${now}::timestamptz
        order by past.valid_time desc limit ${observed}::bigint) as recent) as between_values
    where distance is not null`
}
