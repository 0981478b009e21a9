import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** A condition in the language of the time series service, inside of a longer text. */
export type WrittenWhere = {
  /** The text around it from its start on, so that positions of errors are right; it ends with the condition. */
  readonly source: string
  /** Where in the text the condition begins. */
  readonly start: number
}

/** Which stations are requested. */
export type WantedStations = {
  /** Station types; none: all. */
  readonly types: readonly string[]
  /** What holds for the latest value; absent: any value. */
  readonly where: WrittenWhere | undefined
}

type StationReader = {
  readonly database: Queryable
  readonly visibility: Visibility
  /** Whether a type that no station has is an error (decision D3). */
  readonly isStrict: boolean
}

/** Stations with a latest value that matches and that the caller may see, as parts of a statement. */
export type MatchingStations = {
  /** The condition in its canonical form; absent: none was given. */
  readonly canonical: string | undefined
  /**
   * Selects one row for each station that has a position: `near_series`, which names the station and the
   * value, `near_place` as a geography, `near_type` and `near_code`, which identify stations.
   */
  readonly stations: Sql
  /** The JSON object that shows the station and the value of `near_series`, with a distance in metres. */
  readonly toShown: (distance: Sql) => Sql
  /** Prints the versions of the datasets that all this is taken from. */
  readonly versions: Sql
  /** Whether there may be values that the caller does not see (decision D6). */
  readonly isWithheld: boolean
}

/**
 * What the content service requests from the time series service; the composition root hands it in.
 * @throws AppError for conditions that cannot be taken, with `where` as the parameter
 */
export type NearStations = (
  wanted: WantedStations,
  reader: StationReader,
) => Promise<MatchingStations>

/** For a hub that serves content only: without stations. */
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

/** What records are near: stations whose latest values match. */
export type Nearby = {
  readonly matching: MatchingStations
  /** Metres from a station on the globe. */
  readonly within: number
}

/** The field that records get: the nearest of the stations, and its value. */
export const fieldName = '_Near'

type NearestQuery = {
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
export const distanceKey = {
  name: 'near',
  value: sql`near_distance`,
  type: 'double precision',
  direction: 'ascending',
} as const
