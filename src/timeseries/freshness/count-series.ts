import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { gapsJoin } from './level.ts'
import { visibleColumns } from '../catalogue/groups.ts'
import { recencyOf, state } from './thresholds.ts'
import { inParts } from './in-parts.ts'

/**
 * Problems of series, each with the `where` of the list of affected series and the condition by
 * which they are counted. Problems that are measured once a day are left out until they have been
 * measured.
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

/** Number of series with a problem, and the `where` of their list. */
export type SeriesFigure = {
  readonly measure: (typeof problems)[number]['measure']
  readonly where: string
  readonly count: number
}

/** Series of a station type and an origin. The origin is empty if stations state none. */
export type SeriesCount = {
  readonly type: string
  readonly origin: string
  readonly series: number
  readonly figures: readonly SeriesFigure[]
}

/**
 * Counts the series whose values the caller may see (decision D60), by station type and origin,
 * from the latest values and from what `measureGaps` has stored. Beyond the index probes of
 * `recencyOf`, no history is read.
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

/** Number of whole days (UTC) that are measured, up to the last midnight. */
const days = 30

const hour = 3600
const day = 86_400

/**
 * Measures for each series how many hours of the last 30 days are missing, unless it was done today
 * already. The times are read from the primary key alone, by statements that take a fraction of a
 * second each.
 */
export async function measureGaps(database: Queryable, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const due = await database.query<Due>(sql`
    select x.id, x.period from series as x
    left join series_gap as g on g.series_id = x.id and g.day = ${today}::date
    where g.series_id is null order by x.id`)
  const parts = inParts(due, { periodOf: ({ period }) => period, span: days * day })
  for (const part of parts)
    await database.execute(
      storeGaps(
        part.map(({ id }) => id),
        now,
      ),
    )
}

type Due = { readonly id: number; readonly period: number }

/**
 * Returns a statement that stores the missing hours of series. Missing values are those of the gaps
 * in a week (`weekOf`): a span of one and a half periods misses one. The time before the first
 * value of a series is not a gap, unless a value exists in the 30 days before, or all values are
 * older: then values are expected in all of it.
 */
function storeGaps(ids: readonly number[], now: Date): Sql {
  const end = Math.floor(now.getTime() / 1000 / day) * day
  const [start, before] = [end - days * day, end - 2 * days * day]
  const written = sql`written.series_id = m.series_id
    and written.valid_time >= ${moment(start)} and written.valid_time < ${moment(end)}`
  return sql`
    insert into series_gap (series_id, day, missing_hours)
    select x.id, ${dateOf(end)}::date, case
      when e.period is not null and (first.valid_time is not null or r.valid_time < ${moment(start)})
      then coalesce(gap.hours, 0) end
    from series as x join latest as m on m.series_id = x.id ${recencyOf(now.toISOString())}
    cross join lateral (
      select min(written.valid_time) as valid_time from measurement as written
      where ${written}) as first
    cross join lateral (
      select floor(sum(floor(extract(epoch from until - since) / e.period - 0.5))
        * e.period / ${hour}::integer)::integer as hours
      from (
        select ${moment(start)} as since, coalesce(first.valid_time, ${moment(end)}) as until
        where r.valid_time < ${moment(start)} or exists (
          select from measurement as past
          where past.series_id = m.series_id
            and past.valid_time >= ${moment(before)} and past.valid_time < ${moment(start)})
        union all
        select written.valid_time,
          coalesce(lead(written.valid_time) over (order by written.valid_time), ${moment(end)})
        from measurement as written where ${written}
      ) as span
      where until > since + e.patience
      offset 0) as gap
    where x.id = any(${ids}::integer[])
    on conflict (series_id) do update set day = excluded.day, missing_hours = excluded.missing_hours`
}

/**
 * Returns a time that the planner can evaluate, so that it reads only the partitions of the range.
 */
function moment(seconds: number): Sql {
  return sql`${new Date(seconds * 1000).toISOString()}::timestamptz`
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
