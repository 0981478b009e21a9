import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { eventsOf, stationsOf } from './datasets.ts'

/** What the time series service serves under one name: a station type, an edge type, an event origin. */
type MobilityDataset = {
  readonly kind: 'node' | 'edge' | 'event'
  readonly name: string
}

/**
 * Every dataset of which something is shown. An origin with nothing but closed events is left out:
 * who may not see them does not learn that they are there (decision D60).
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

/** How many records a caller sees: all stations and edges, and the events that are not withheld (D60). */
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

/** What the version of the dataset is kept under. */
export function versionedAs({ kind, name }: MobilityDataset): string {
  return kind === 'event' ? eventsOf(name) : stationsOf(name)
}
