import { sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import { cellOf } from './grid.ts'
import type { Grid } from './grid.ts'

/** How many have a value, by value; the most frequent first. */
type Tally = ReadonlyMap<string, number>

/** What the stations of a type have in common. All stations are listed to everybody (decision D60). */
export type StationSummary = {
  readonly count: number
  /** Connections of this type between two stations. */
  readonly edges: number
  readonly origins: Tally
  /** Series by data type. */
  readonly dataTypes: Tally
  /** By cell, as `x y`. */
  readonly cells: Tally
}

const mostCells = 20_000

/** The stations of all types, and what they measure. */
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
    select station.type, 'dataTypes', data_type.name, count(*)
    from series
    join station on station.id = series.station_id
    join data_type on data_type.id = series.data_type_id
    where available group by station.type, data_type.name
    union all
    (select type, 'cells', ${cellOf(sql`point`, grid)} as cell, count(*)
    from (
      select type, point from station where available and point is not null
      union all
      select type, (st_dumppoints(geometry)).geom
      from edge join station on station.id = edge.station_id
      where available and geometry is not null) as placed
    group by type, cell order by count(*) desc limit ${mostCells}::bigint)`)
  const types = Map.groupBy(rows, ([type]) => type ?? '')
  return new Map([...types].map(([type, own]) => [type, toSummary(own)]))
}

function toSummary(rows: readonly TextRow[]): StationSummary {
  const kinds = Map.groupBy(rows, ([, kind]) => kind ?? '')
  const numberOf = (kind: string) => Number(kinds.get(kind)?.[0]?.[3] ?? 0)
  const tally = (kind: string): Tally => {
    const counted = (kinds.get(kind) ?? []).flatMap(([, , value, count]) =>
      typeof value === 'string' && value !== '' ? [[value, Number(count)] as const] : [],
    )
    return new Map(counted.sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)))
  }
  return {
    count: numberOf('count'),
    edges: numberOf('edges'),
    origins: tally('origins'),
    dataTypes: tally('dataTypes'),
    cells: tally('cells'),
  }
}
