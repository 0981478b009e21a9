import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { gapsJoin } from './level.ts'
import { visibleColumns } from '../catalogue/groups.ts'
import { recencyOf, state } from './thresholds.ts'

/**
 * What can be the matter with a series, each as `where` of its list writes it and as it is counted. What is measured
 * once a day is left out until it has been.
 */
const problems = [
  {
    measure: 'stale',
    isDaily: false,
    where: 'state.in.("stale","silent")',
    condition: sql`(${state}) in ('stale', 'silent')`,
  },
  {
    measure: 'missingHour',
    isDaily: true,
    where: 'missingHours.gteq.1',
    condition: sql`g.missing_hours >= 1`,
  },
  {
    measure: 'missingDay',
    isDaily: true,
    where: 'missingHours.gteq.24',
    condition: sql`g.missing_hours >= 24`,
  },
] as const

export const seriesMeasures = problems.map(({ measure }) => measure)

/** How many series something is the matter with, and the `where` of their list. */
export type SeriesFigure = {
  readonly measure: (typeof problems)[number]['measure']
  readonly where: string
  readonly count: number
}

/** The series of a station type and an origin, which is empty where none is stated. */
export type SeriesCount = {
  readonly type: string
  readonly origin: string
  readonly series: number
  readonly figures: readonly SeriesFigure[]
}

/**
 * Counts the series whose values may be seen (decision D60), by station type and origin: from the latest values
 * and from what `measureGaps` has stored. No history is read.
 */
export async function countSeries(
  database: Queryable,
  visibility: Visibility,
  now: Date,
): Promise<readonly SeriesCount[]> {
  const counts = problems
    .map(({ condition }) => sql`count(*) filter (where ${condition})`)
    .reduce((listed, count) => sql`${listed}, ${count}`)
  const rows = await database.texts(sql`
    select s.type, coalesce(s.origin, ''), count(*), count(g.day), ${counts}
    from station as s
    join series as x on x.station_id = s.id
    join data_type as t on t.id = x.data_type_id
    join latest as m on m.series_id = x.id
    ${recencyOf(now.toISOString())} ${gapsJoin}
    where s.available and ${visible(visibility, 'timeseries', visibleColumns)}
    group by s.type, coalesce(s.origin, '')
    order by s.type, coalesce(s.origin, '')`)
  return rows.map(([type, origin, series, measured, ...found]) => ({
    type: type ?? '',
    origin: origin ?? '',
    series: Number(series),
    figures: problems.flatMap(({ measure, where, isDaily }, place) =>
      isDaily && measured === '0' ? [] : [{ measure, where, count: Number(found[place]) }],
    ),
  }))
}
