import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { OrderKey } from '../list/order.ts'
import type { MatchingStations } from './stations.ts'

/** What records are near: stations whose latest values match. */
export type Nearby = {
  readonly matching: MatchingStations
  /** Metres from a station on the globe. */
  readonly within: number
}

/** The member that records get: the nearest of the stations, and its value. */
export const memberName = '_Near'

type NearestQuery = {
  /** The table of the records. */
  readonly table: Sql
  /** What else holds for the records, the caller's rights among it. */
  readonly where: Sql
  /** Metres. */
  readonly within: number
}

/**
 * Selects the records that are near a matching station, each once, with the nearest one: `id`,
 * `near_distance` in metres and `near_series`. Of stations equally far it is the first by type and code.
 *
 * From the stations to the records: of stations few match, and the index of positions finds the records
 * around each.
 */
export function nearestOf({ matching }: Nearby, { table, where, within }: NearestQuery): Sql {
  return sql`
    select distinct on (id) id, near_distance, near_series
    from (
      select id, st_distance(position, near_place) as near_distance,
        near_series, near_type, near_code
      from (${matching.stations}) as near_station
      join ${table} on st_dwithin(position, near_place, ${within})
      where ${where}) as near_pair
    order by id, near_distance, near_type, near_code`
}

/** Selects the identifiers of the same records, each once. */
export function nearIds({ matching }: Nearby, { table, where, within }: NearestQuery): Sql {
  return sql`
    select distinct id
    from (${matching.stations}) as near_station
    join ${table} on st_dwithin(position, near_place, ${within})
    where ${where}`
}

/** Nearest first. */
export const distanceKey: OrderKey = {
  name: 'near',
  value: sql`near_distance`,
  type: 'double precision',
  direction: 'ascending',
}
