import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { cellOf, mostOfEach, readCounts } from '../../tally/index.ts'
import type { Counts, Grid, Tally } from '../../tally/index.ts'
import { dataTypes, stationsOf } from '../datasets.ts'

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

/** More than a map of a type needs. */
const mostCells = 20_000

/** Changes whenever a summary of the stations may. Series are written down as changes of their stations. */
export async function stationsVersion(database: Queryable): Promise<string> {
  const [row] = await database.texts(sql`
    select concat(dataset_version(${dataTypes}), ' ',
      string_agg(concat(type, ' ', dataset_version(${stationsOf('')} || type)), ' ' order by type))
    from station_types() as type`)
  return row?.[0] ?? ''
}

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
    ${mostOfEach(cellsCounted(grid), mostCells)}`)
  return new Map([...readCounts(rows)].map(([type, counts]) => [type, toSummary(counts)]))
}

/** Where stations stand, and where edges run. */
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
    dataTypes: tally('dataTypes'),
    cells: tally('cells'),
  }
}
