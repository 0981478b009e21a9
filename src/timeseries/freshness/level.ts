import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Field, Group } from '../catalogue/groups.ts'
import { dataType, groupOf, parent, station } from '../catalogue/groups.ts'
import type { Level } from '../catalogue/levels.ts'
import { dataTypeLevel } from '../catalogue/levels.ts'
import { recencyOf, state } from './thresholds.ts'
import { weekOf } from './week.ts'

/** Fields that are known without reading the history of a series. */
const recency = groupOf('recency', [
  { name: 'mperiod', type: 'integer', expression: sql`x.period` },
  { name: 'kind', type: 'text', expression: sql`x.kind` },
  { name: 'state', type: 'text', expression: sql`(${state})` },
  { name: 'mvalidtime', type: 'time', expression: sql`r.valid_time` },
  { name: 'lag', type: 'bigint', expression: sql`e.lag` },
  { name: 'expectedPeriod', type: 'integer', expression: sql`e.period` },
  {
    name: 'expectedBy',
    type: 'text',
    expression: sql`(case when x.period > 0 then 'declared' when e.period is not null then 'observed' end)`,
  },
])

/**
 * Fields from the values of the last week and from future values. Their SQL must not bind values,
 * because `readsWeek` searches for it in the text of a condition, where placeholders have other
 * numbers.
 */
export const weekFields: readonly Field[] = [
  { name: 'coverageDay', type: 'number', expression: sql`w.coverage_day` },
  { name: 'coverageWeek', type: 'number', expression: sql`w.coverage_week` },
  { name: 'observedPeriod', type: 'integer', expression: sql`w.observed_period` },
  { name: 'gaps', type: 'bigint', expression: sql`w.gaps` },
  { name: 'missing', type: 'bigint', expression: sql`w.missing` },
  { name: 'longestGap', type: 'bigint', expression: sql`w.longest_gap` },
  { name: 'longestGapFrom', type: 'time', expression: sql`w.longest_from` },
  { name: 'longestGapTo', type: 'time', expression: sql`w.longest_to` },
  { name: 'lastGapFrom', type: 'time', expression: sql`w.last_from` },
  { name: 'lastGapTo', type: 'time', expression: sql`w.last_to` },
  { name: 'stuckSince', type: 'time', expression: sql`u.since` },
  { name: 'stuckCount', type: 'bigint', expression: sql`u.count` },
  { name: 'futureCount', type: 'bigint', expression: sql`w.future_count` },
  { name: 'futureUntil', type: 'time', expression: sql`w.future_until` },
]

export const weekGroup = 'week'

/** Join with the missing hours, which the hub measures once a day. */
export const gapsJoin = sql`left join series_gap as g on g.series_id = x.id`

const month: Group = {
  ...groupOf('month', [
    { name: 'missingHours', type: 'integer', expression: sql`g.missing_hours` },
  ]),
  join: gapsJoin,
}

/** Fields shown by default: what identifies the series, and everything about its freshness. */
export const shownByDefault = [
  ...['stype', 'scode', 'sname', 'sorigin', 'tname'],
  ...[...recency.fields, ...weekFields, ...month.fields].map(({ name }) => name),
].join(',')

/**
 * When the fields of the week are computed. `row`: with each row, so that conditions and aggregates
 * can use them. `later`: for the series of a page once it is known; until then, the series id takes
 * their place.
 */
export type WeekComes = 'row' | 'later'

/**
 * Returns the level of the series whose values the caller may see, each with its freshness at a
 * moment (ISO 8601).
 */
export function freshnessLevel(now: string, weekComes: WeekComes): Level {
  const inItsPlace = weekFields.map((field) => ({ ...field, expression: sql`x.id` }))
  const week =
    weekComes === 'row'
      ? { ...groupOf(weekGroup, weekFields), join: weekOf(now) }
      : groupOf(weekGroup, inItsPlace)
  return {
    ...dataTypeLevel,
    groups: [station, parent, dataType, recency, week, month],
    from: () => sql`
      station as s
      join series as x on x.station_id = s.id
      join data_type as t on t.id = x.data_type_id
      join latest as m on m.series_id = x.id
      ${recencyOf(now)}`,
    // The times of withheld values reveal as much as the values (decision D60).
    where: (visible) => [sql`s.available`, visible],
  }
}

/** Reports whether an expression uses fields of the week. */
export function readsWeek({ text }: Sql): boolean {
  return weekFields.some(({ expression }) => text.includes(expression.text))
}

/** Returns a statement for the weeks of some series: the id, then the columns of `weekFields`. */
export function weeksOf(now: string, ids: readonly string[]): Sql {
  return sql`
    select x.id, ${columns}
    from series as x join latest as m on m.series_id = x.id ${recencyOf(now)} ${weekOf(now)}
    where x.id = any(${ids}::integer[])`
}

const columns = weekFields
  .map(({ expression }) => expression)
  .reduce((listed, expression) => sql`${listed}, ${expression}`)
