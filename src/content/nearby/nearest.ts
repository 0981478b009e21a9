import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** A condition in the language of the time series service, within a longer text. */
export type WrittenWhere = {
  /**
   * The longer text from its start to the end of the condition, so that the positions of errors are
   * right.
   */
  readonly source: string
  /** Offset of the condition in the text. */
  readonly start: number
}

/** The requested stations. */
export type StationSelection = {
  /** Station types; empty for all. */
  readonly types: readonly string[]
  /** Condition on the latest value; undefined for any value. */
  readonly where: WrittenWhere | undefined
}

type StationReader = {
  readonly database: Queryable
  readonly visibility: Visibility
  /** Whether a type that no station has is an error (decision D3). */
  readonly isStrict: boolean
}

/** Stations with a matching latest value that the caller may see, as parts of a statement. */
export type MatchingStations = {
  /** The condition in its canonical form; undefined if none was given. */
  readonly canonical: string | undefined
  /**
   * SQL that selects one row for each station with a position: `near_series`, which identifies the
   * station and the value, `near_place` as a geography, and `near_type` and `near_code`, which
   * identify the station.
   */
  readonly stations: Sql
  /**
   * Returns SQL for the JSON object that shows the station and the value of `near_series`, with a
   * distance in metres.
   */
  readonly toShown: (distance: Sql) => Sql
  /** SQL for the versions of all datasets from which stations and values are read, as text. */
  readonly versions: Sql
  /** Whether there may be values that the caller does not see (decision D6). */
  readonly isWithheld: boolean
}

/**
 * Finds the matching stations. The time series service provides this function, and the composition
 * root passes it in.
 * @throws AppError for an invalid condition, with `where` as the parameter
 */
export type NearStations = (
  wanted: StationSelection,
  reader: StationReader,
) => Promise<MatchingStations>

/** Finds no stations, for a hub that serves content only. */
export const noStations: NearStations = ({ where }) =>
  Promise.resolve({
    canonical: where?.source.slice(where.start),
    stations: sql`
      select null::integer as near_series, null::geography as near_place,
        null::text as near_type, null::text as near_code
      where false`,
    toShown: () => sql`null::json`,
    versions: sql`''`,
    isWithheld: false,
  })

/** The stations that records must be near: those whose latest values match. */
export type Nearby = {
  readonly matching: MatchingStations
  /** Maximum distance from a station on the globe, in metres. */
  readonly within: number
}

/** Field that is added to records: the nearest of the stations, and its value. */
export const fieldName = '_Near'

type NearestQuery = {
  readonly table: Sql
  /** All other conditions on the records, including the caller's rights. */
  readonly where: Sql
  /** Maximum distance, in metres. */
  readonly within: number
}

/**
 * SQL for the records near a matching station, each once, with its nearest station: `id`,
 * `near_distance` in metres and `near_series`. Of equally distant stations, the first by type and
 * code is selected.
 *
 * The join goes from the stations to the records, because few stations match, and the index of
 * positions finds the records around each of them.
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

/** SQL for the identifiers of the records that `nearestOf` selects, each once. */
export function nearIds({ matching }: Nearby, { table, where, within }: NearestQuery): Sql {
  return sql`
    select distinct id
    from (${matching.stations}) as near_station
    join ${table} on st_dwithin(position, near_place, ${within})
    where ${where}`
}

/** The order by distance, nearest first. */
export const distanceKey = {
  name: 'near',
  value: sql`near_distance`,
  type: 'double precision',
  direction: 'ascending',
} as const
