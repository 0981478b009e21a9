import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { stateOf, states } from '../freshness/thresholds.ts'
import type { State } from '../freshness/thresholds.ts'

/** What the latest values of the stations of a type tell. */
export type ValueSummary = {
  /** Series that have a value. */
  readonly series: number
  /** ISO 8601, of the newest value that does not lie in the future; null where there is none. */
  readonly newest: string | null
  /** Series by state; `ahead`: the newest value lies in the future. */
  readonly states: Readonly<Record<State | 'ahead', number>>
}

type Wanted = {
  /** The values that are open, or the closed ones that a caller may see (decision D60). */
  readonly part: 'open' | Visibility
  readonly now: Date
}

/** Freshness by station type, from the latest values alone: no history is read. */
export async function summariseValues(
  database: Queryable,
  { part, now }: Wanted,
): Promise<ReadonlyMap<string, ValueSummary>> {
  if (!mayHaveValues(part)) return new Map()
  const moment = sql`${now.toISOString()}::timestamptz`
  const lag = sql`extract(epoch from ${moment} - m.valid_time)`
  const counts = states.map((state) => sql`count(*) filter (where lag >= 0 and state = ${state})`)
  const rows = await database.texts(sql`
    select type, count(*),
      to_char(max(valid_time) filter (where lag >= 0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      count(*) filter (where lag < 0), ${join(counts, ', ')}
    from (
      select s.type, m.valid_time, ${lag} as lag,
        ${stateOf(sql`(${lag})`, sql`nullif(x.period, 0)`)} as state
      from latest as m
      join series as x on x.id = m.series_id
      join station as s on s.id = x.station_id
      join data_type as t on t.id = x.data_type_id
      where s.available and ${conditionOf(part)}) as found
    group by type`)
  return new Map(
    rows.map(([type, series, newest = null, ahead, fresh, late, stale, silent]) => [
      type ?? '',
      {
        series: Number(series),
        newest,
        states: {
          ...{ fresh: Number(fresh), late: Number(late), stale: Number(stale) },
          ...{ silent: Number(silent), ahead: Number(ahead) },
        },
      },
    ]),
  )
}

function conditionOf(part: Wanted['part']): Sql {
  if (part === 'open') return sql`not s.closed`
  return all([sql`s.closed`, visible(part, 'timeseries', columns)])
}

const columns = {
  closed: sql`s.closed`,
  origin: sql`s.origin`,
  type: sql`s.type`,
  dataType: sql`t.name`,
  period: sql`x.period`,
}

/** Without a rule for values a caller sees no closed ones: no need to look. */
function mayHaveValues(part: Wanted['part']): boolean {
  if (part === 'open' || part.kind === 'everything') return true
  return part.rules.some(({ area }) => area === null || area === 'timeseries')
}
