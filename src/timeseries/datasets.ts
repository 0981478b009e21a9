import type { Geometry } from 'geojson'
import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { join, sql, unestimated } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import { latestLevel } from './catalogue/levels.ts'
import type { Level } from './catalogue/levels.ts'
import type { Names } from './read/members.ts'
import type { Representation } from './read/representation.ts'

/**
 * Datasets: everything that has a version of its own in the change record. Every response is
 * labelled with the versions of the datasets that it shows.
 */

/**
 * Returns the dataset of the stations and edges of a type, and of what their responses show of
 * other stations.
 */
export const stationsOf = (type: string): string => `stations/${type}`

/** Returns the dataset of the values of the stations of a type. */
export const measurementsOf = (stationType: string): string => `timeseries/${stationType}`

/**
 * Returns the dataset of the past values of the stations of a type. A change is recorded only if a
 * value older than a day is written or any value is deleted. Responses for a range that ended two
 * days ago have this version, so new values leave them as they are.
 */
export const pastOf = (stationType: string): string => `past/${stationType}`

export const dataTypes = 'dataTypes'

export const eventsOf = (origin: string): string => `events/${origin}`

/** Returns the dataset of the newest states of the events of an origin. */
export const trafficOf = (origin: string): string => `traffic/${origin}`

/** Area under which changes of these datasets are recorded. */
export const area = 'timeseries'

/** A dataset of the time series service: a station type, an edge type or an event origin. */
type MobilityDataset = {
  readonly kind: 'node' | 'edge' | 'event'
  readonly name: string
}

/**
 * Loads every dataset with visible data. An origin with only closed events is left out, so that a
 * caller who cannot see them does not learn that they exist (decision D60).
 */
export async function loadMobilityDatasets(
  database: Queryable,
): Promise<readonly MobilityDataset[]> {
  return database.query<MobilityDataset>(sql`
    select 'node' as kind, type as name from station_types() as type
    where exists (select from station where station.type = type.type and available)
    union all
    select 'edge', type from station_types() as type
    where exists (
      select from edge join station on station.id = edge.station_id
      where station.type = type.type and available)
    union all
    select 'event', origin from mobility_event where not closed group by origin
    order by kind, name`)
}

/**
 * Counts the records that a caller sees: all stations and edges, and the events that are not
 * withheld (decision D60).
 */
export async function countMobilityDataset(
  database: Queryable,
  { kind, name }: MobilityDataset,
  visibility: Visibility,
): Promise<{ readonly open: number; readonly closed: number }> {
  const [row] = await database.texts(counting[kind](name, visibility))
  return { open: Number(row?.[0] ?? 0), closed: Number(row?.[1] ?? 0) }
}

type Kind = MobilityDataset['kind']

const counting: Readonly<Record<Kind, (name: string, visibility: Visibility) => Sql>> = {
  node: (name) => sql`select count(*), 0 from station where type = ${name} and available`,
  edge: (name) => sql`
    select count(*), 0 from edge join station on station.id = edge.station_id
    where type = ${name} and available`,
  event: (name, visibility) => sql`
    select count(*) filter (where not closed), count(*) filter (where closed)
    from mobility_event
    where origin = ${name} and ${visible(visibility, 'event', {
      closed: sql`closed`,
      origin: sql`origin`,
      type: sql`category`,
    })}`,
}

/** Returns the name under which the version of a dataset is stored. */
export function versionedAs({ kind, name }: MobilityDataset): string {
  return kind === 'event' ? eventsOf(name) : stationsOf(name)
}

/** Texts by language code. */
export type Texts = Readonly<Record<string, string>>

/**
 * One state of a mobility event (interface 2.5, decision D50). A series is what happens on the
 * road; each state of it, with its own uuid, is a version. Missing facts are null, never invented.
 */
export type MobilityEvent = {
  readonly uuid: string
  readonly series: string
  /** The provider, such as `PROVINCE_BZ`. */
  readonly origin: string
  readonly name: string
  readonly description: string | null
  readonly category: string | null
  /** From the general to the specific; for traffic, such as `traffic-event:closure`. */
  readonly tags: readonly string[]
  readonly severity: string | null
  readonly start: Date | null
  readonly end: Date | null
  readonly cancelled: boolean
  readonly title: Texts
  readonly text: Texts
  /** GeoJSON in EPSG:4326, longitude first. */
  readonly geometry: Geometry | null
  readonly locationDescription: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** Overrides the record type and fields of the DATEX II record. */
  readonly datex: Readonly<Record<string, unknown>> | null
  /** When this state was stored: the version time. */
  readonly recorded: Date
  /** When the first state of the series was stored: the creation time. */
  readonly firstRecorded: Date
  /** 1 for the first state of the series, 2 for the next … */
  readonly version: number
}

/**
 * Returns a subquery that prints the versions of all datasets of a response, from which its ETag is
 * made. It depends on no row, so a statement that contains it evaluates it once.
 */
export function versionsOf(
  type: Representation['type'],
  { dataType, range }: Pick<Level, 'dataType' | 'range'>,
  names: Names,
): Sql {
  const { prefix, everyName } = datasets[type]
  const stations = versionOfNamed(prefix)
  const versions = [stations, ...(dataType === undefined ? [] : [versionOfValues(range)])]
  const wanted = names.kind === 'all' ? everyName : rowsOf(names.names)
  return sql`(
    select concat(
      ${dataType === undefined ? sql`''` : versionOfDataset(sql`${dataTypes}`)}, ' ',
      string_agg(concat_ws(' ', ${join(versions, ', ')}), ' ' order by name))
    from (${wanted}) as wanted (name))`
}

const versionOfNamed = (prefix: string) => versionOfDataset(sql`${prefix} || name`)

/**
 * Returns SQL for the version of the values in a range, or of all values if there is no range.
 * Writers record values as past if they are older than 24 hours when the transaction starts, and a
 * range is past after 48 hours, so a transaction has 24 hours to commit. The word `past` keeps
 * these versions apart from those that the range had before. The epoch ends them when a backup is
 * restored, because values may be missing from the backup that were never recorded as past.
 */
function versionOfValues(range: Level['range']): Sql {
  const all = versionOfNamed(measurementsOf(''))
  if (range === undefined) return all
  return sql`
    case when ${range.to}::timestamptz <= now() - interval '48 hours'
      then concat('past ', (select epoch from feed_epoch), ' ', ${versionOfNamed(pastOf(''))})
      else ${all} end`
}

const rowsOf = (names: readonly string[]) =>
  sql`select unnest(${unestimated(sql`${names}::text[]`)})`

/**
 * Returns SQL for the versions of the latest values of stations of these types, or of all types.
 */
export function versionsOfLatest(types?: readonly string[]): Sql {
  const names =
    types === undefined ? ({ kind: 'all' } as const) : { kind: 'some' as const, names: types }
  return versionsOf('node', latestLevel, names)
}

/** Returns SQL that selects the names of the datasets of values, one per row. */
export function valueDatasetsOf(names: Names): Sql {
  return names.kind === 'all'
    ? sql`select ${measurementsOf('')} || type from station_types() as type`
    : rowsOf(names.names.map(measurementsOf))
}

/**
 * Called in `from`, the function is inlined into the statement; elsewhere it would be planned again
 * at each call.
 */
const everyStationType = sql`select type from station_types() as type`

const datasets: Readonly<
  Record<Representation['type'], { readonly prefix: string; readonly everyName: Sql }>
> = {
  node: { prefix: stationsOf(''), everyName: everyStationType },
  edge: { prefix: stationsOf(''), everyName: everyStationType },
  event: { prefix: eventsOf(''), everyName: sql`select distinct origin from mobility_event` },
}
