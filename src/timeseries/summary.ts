import { Type } from 'typebox'
import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { readYaml } from '../lang/read-yaml.ts'
import { all, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import { cellOf, mostOfEach, readCounts } from '../tally/index.ts'
import type { Counts, Grid, Tally } from '../tally/index.ts'
import { dataTypes, stationsOf } from './datasets.ts'
import { recencyOf, state, states } from './freshness/thresholds.ts'
import type { State } from './freshness/thresholds.ts'
import { visibleColumns } from './catalogue/groups.ts'

type InLanguages = { readonly de: string; readonly it: string; readonly en: string }

/** Titles of station types that many hubs have, in German, Italian and English. */
const titles = new Map(
  Object.entries(
    readYaml(
      new URL('station-types.yaml', import.meta.url),
      Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String(), Type.String()])),
    ),
  ),
)

/** Returns the title and description of a station type. If no title is known, it is the name. */
export function describeStationType(type: string): {
  readonly title: InLanguages
  readonly description: InLanguages
} {
  const [de, it, en] = titles.get(type) ?? [type, type, type]
  return {
    title: { de, it, en },
    description: {
      de: `Stationen vom Typ ${type}, ihre letzten Werte und deren Verlauf.`,
      it: `Stazioni di tipo ${type}, gli ultimi valori e lo storico.`,
      en: `Stations of the type ${type}, their latest values and history.`,
    },
  }
}

/** Summary of the stations of a type. Everybody may list all stations (decision D60). */
export type StationSummary = {
  readonly count: number
  /** Number of edges of this type, which connect two stations. */
  readonly edges: number
  readonly origins: Tally
  /** Licences as the metadata states them. */
  readonly licences: Tally
  /** Open stations whose metadata states no licence, by origin; `*` for those without an origin. */
  readonly unlicensed: Tally
  /** Number of series by data type. */
  readonly dataTypes: Tally
  /** Number of positions by cell of the map; the key is `x y`. */
  readonly cells: Tally
}

/** Maximum number of cells of a type, more than a map needs. */
const maxCells = 20_000

/**
 * Returns a version that changes whenever a summary of the stations may change. Changes of series
 * are recorded as changes of their stations.
 */
export async function stationsVersion(database: Queryable): Promise<string> {
  const [row] = await database.texts(sql`
    select concat(${versionOfDataset(sql`${dataTypes}`)}, ' ',
      string_agg(concat(type, ' ', ${versionOfDataset(sql`${stationsOf('')} || type`)}), ' ' order by type))
    from station_types() as type`)
  return row?.[0] ?? ''
}

/** Summarizes the stations of all types and what they measure. */
export async function summariseStations(
  database: Queryable,
  grid: Grid,
): Promise<ReadonlyMap<string, StationSummary>> {
  const rows = await database.texts(sql`
    select type, 'count', null, count(*) from station where available group by type
    union all
    select type, 'edges', null, count(*)
    from edge join station on station.id = edge.station_id where available group by type
    union all
    select type, 'origins', origin, count(*) from station where available group by type, origin
    union all
    select type, case when licence is null then 'unlicensed' else 'licences' end,
      coalesce(licence, origin, '*'), count(*)
    from (
      select type, origin, closed, coalesce(${textAt('licence')}, ${textAt('license')}) as licence
      from station where available) as stated
    where licence is not null or not closed
    group by 1, 2, 3
    union all
    select station.type, 'dataTypes', data_type.name, count(*)
    from series
    join station on station.id = series.station_id
    join data_type on data_type.id = series.data_type_id
    where available group by station.type, data_type.name
    union all
    ${mostOfEach(cellsCounted(grid), maxCells)}`)
  return new Map([...readCounts(rows)].map(([type, counts]) => [type, toSummary(counts)]))
}

/** Returns SQL for a metadata field if it is a non-empty text; anything else states nothing. */
function textAt(field: string): Sql {
  const path = `$.${field} ? (@.type() == "string" && @ != "")`
  return sql`jsonb_path_query_first(metadata, ${path}::jsonpath) #>> '{}'`
}

/** Returns SQL that counts the positions of stations and the points of edges by cell. */
function cellsCounted(grid: Grid): Sql {
  return sql`(
    select type as part, 'cells' as kind, ${cellOf(sql`point`, grid)} as value, count(*) as records
    from (
      select type, point from station where available and point is not null
      union all
      select type, (st_dumppoints(geometry)).geom
      from edge join station on station.id = edge.station_id
      where available and geometry is not null) as placed
    group by part, value)`
}

function toSummary({ tally, single }: Counts): StationSummary {
  return {
    count: single('count').count,
    edges: single('edges').count,
    origins: tally('origins'),
    licences: tally('licences'),
    unlicensed: tally('unlicensed'),
    dataTypes: tally('dataTypes'),
    cells: tally('cells'),
  }
}

/** Summary of the latest values of the stations of a type. */
export type ValueSummary = {
  /** Number of series that have a value. */
  readonly series: number
  /** Time of the newest value that is not in the future, in ISO 8601; null if there is none. */
  readonly newest: string | null
  /** Number of series by state. `ahead` counts those whose values are all in the future. */
  readonly states: Readonly<Record<State | 'ahead', number>>
  /** Median of the periods that series declare, in seconds; null if none does. */
  readonly period: number | null
}

type SummaryRequest = {
  /**
   * `open` for open values, or the rights of a caller for the closed values that they include
   * (decision D60).
   */
  readonly part: 'open' | Visibility
  readonly now: Date
}

/**
 * Summarizes the freshness of values by station type. History is read only for series whose latest
 * value is in the future, or that declare no period: a few index probes each.
 */
export async function summariseValues(
  database: Queryable,
  { part, now }: SummaryRequest,
): Promise<ReadonlyMap<string, ValueSummary>> {
  if (!mayHaveValues(part)) return new Map()
  const counts = states.map(
    (one) => sql`count(*) filter (where lag is not null and state = ${one})`,
  )
  const rows = await database.texts(sql`
    select type, count(*),
      to_char(max(valid_time) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      count(*) filter (where lag is null), ${join(counts, ', ')},
      percentile_disc(0.5) within group (order by period)
    from (
      select s.type, r.valid_time, e.lag, nullif(x.period, 0) as period, ${state} as state
      from latest as m
      join series as x on x.id = m.series_id
      join station as s on s.id = x.station_id
      join data_type as t on t.id = x.data_type_id
      ${recencyOf(now.toISOString())}
      where s.available and ${conditionOf(part)}) as found
    group by type`)
  return new Map(
    rows.map(([type, series, newest = null, ahead, fresh, late, stale, silent, period = null]) => [
      type ?? '',
      {
        series: Number(series),
        newest,
        states: {
          ...{ fresh: Number(fresh), late: Number(late), stale: Number(stale) },
          ...{ silent: Number(silent), ahead: Number(ahead) },
        },
        period: period === null ? null : Number(period),
      },
    ]),
  )
}

function conditionOf(part: SummaryRequest['part']): Sql {
  if (part === 'open') return sql`not s.closed`
  return all([sql`s.closed`, visible(part, 'timeseries', visibleColumns)])
}

/**
 * Reports whether there may be such values. A caller without a rule for values sees no closed ones,
 * so no query is needed.
 */
function mayHaveValues(part: SummaryRequest['part']): boolean {
  if (part === 'open' || part.kind === 'everything') return true
  return part.rules.some(({ area }) => area === null || area === 'timeseries')
}
