import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** How a series does, by the age of its newest value that does not lie in the future. */
export const states = ['fresh', 'late', 'stale', 'silent'] as const
export type State = (typeof states)[number]

/** `late` after so many periods: the value that is due now may still be on its way. */
const periodsUntilLate = 2
/** `stale` after so many. */
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
