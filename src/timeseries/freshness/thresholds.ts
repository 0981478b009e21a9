import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** States of a series, by the age of its newest value that is not in the future. */
export const states = ['fresh', 'late', 'stale', 'silent'] as const
export type State = (typeof states)[number]

/** `late` after this many periods: the value that is due now may still be on its way. */
const periodsUntilLate = 2
/** `stale` after this many periods. */
const periodsUntilStale = 6
/**
 * Minimum period in seconds. A shorter one counts as this long, because transport takes time, too.
 */
const minPeriod = 60
/** Assumed period in seconds of a series that declares none and of which none can be observed. */
const unknownPeriod = 86_400
/** `silent` after a week, or after `periodsUntilStale` periods if that is longer. In seconds. */
const silence = 7 * 86_400

/**
 * Returns SQL for the state of a series. The endpoint and the metrics share this rule.
 * @param lag seconds since the newest value; null if there is none
 * @param period expected seconds between values; null if unknown
 */
export function stateOf(lag: Sql, period: Sql): Sql {
  const unit = sql`greatest(coalesce(${period}, ${unknownPeriod}::bigint)::bigint, ${minPeriod}::bigint)`
  return sql`case
    when ${lag} is null then 'silent'
    when ${lag} <= ${periodsUntilLate}::bigint * ${unit} then 'fresh'
    when ${lag} <= ${periodsUntilStale}::bigint * ${unit} then 'late'
    when ${lag} <= ${silence}::bigint then 'stale'
    else 'silent'
  end`
}

/** Number of last values whose distances are examined if no period is declared. */
const observed = 21

/**
 * Returns joins for what `latest` and a few index probes reveal about each series. `series as x`
 * and `latest as m` must come before them. `offset 0` makes PostgreSQL evaluate each expression
 * once per series, not once per use. No alias may be one of `catalogue/groups.ts`, such as `p` of the
 * parent, because the joins of its groups follow.
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
      offset 0) as age
    cross join lateral (
      select age.period, age.lag, make_interval(secs => 1.5 * age.period) as patience offset 0) as e`
}

/** SQL for the state, from the columns of `recencyOf`. */
export const state: Sql = stateOf(sql`e.lag`, sql`e.period`)

/** Returns SQL for the median distance of the last values, in seconds; null for fewer than two. */
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
