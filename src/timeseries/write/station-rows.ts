import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'

/** A station of a message; a member that is absent keeps what is stored. */
type StationRow = { readonly code: string; readonly metadata?: unknown }

type Context = { readonly stationType: string; readonly received: Date }

type Id = { readonly id: number }

/**
 * Writes what the rows say and returns the ids of the stations that changed.
 *
 * New stations are made first and all are locked, so that "left out stays" is true even when two
 * messages about the same station are processed at once.
 */
export async function upsertStations(
  tx: Transaction,
  context: Context,
  rows: readonly StationRow[],
): Promise<readonly number[]> {
  if (rows.length === 0) return []
  const { stationType } = context
  const codes = rows.map(({ code }) => code).sort()
  await tx.execute(sql`
    insert into station (type, code, name, active, available, received)
    select ${stationType}, code, code, true, true, '-infinity' from unnest(${codes}::text[]) as code
    on conflict do nothing`)
  await tx.execute(sql`
    select from station where type = ${stationType} and code = any(${codes}) order by id for update`)
  return updateStations(tx, context, rows)
}

async function updateStations(
  tx: Transaction,
  { stationType, received }: Context,
  rows: readonly StationRow[],
): Promise<readonly number[]> {
  const changed = await tx.query<Id>(sql`
    with wanted as (
      select known.id, known as old, given.*
      from unnest(${rows.map((row) => JSON.stringify(row))}::jsonb[]) as sent (item)
      join station as known on known.type = ${stationType} and known.code = item ->> 'code'
      left join station as parent
        on parent.type = item #>> '{parent,type}' and parent.code = item #>> '{parent,code}'
      cross join lateral (${given}) as given
      where known.received <= ${received.toISOString()}
    ), updated as (
      update station set
        name = wanted.name, origin = wanted.origin, active = wanted.active,
        available = wanted.available, point = wanted.point, parent_id = wanted.parent_id,
        metadata = wanted.metadata, closed = wanted.closed, received = ${received.toISOString()}
      from wanted where station.id = wanted.id
    )
    select id from wanted
    where (old).received = '-infinity' or (
      (old).name, (old).origin, (old).active, (old).available, (old).point, (old).parent_id,
      (old).metadata, (old).closed
    ) is distinct from (name, origin, active, available, point, parent_id, metadata, closed)`)
  return changed.map(({ id }) => id)
}

/** The columns of a station as they are to be: sent, or else as they are `known`. */
const given = sql`
  select
    case when item ? 'name' then item ->> 'name' else known.name end as name,
    case when item ? 'origin' then item ->> 'origin' else known.origin end as origin,
    case when item ? 'active' then (item ->> 'active')::boolean else known.active end as active,
    case when item ? 'available' then (item ->> 'available')::boolean else known.available end
      as available,
    case when item ? 'coordinate'
      then ST_SetSRID(ST_MakePoint(
        (item #>> '{coordinate,0}')::float8, (item #>> '{coordinate,1}')::float8), 4326)
      else known.point end as point,
    case when item ? 'parent' then parent.id else known.parent_id end as parent_id,
    case when item ? 'metadata' then nullif(item -> 'metadata', 'null') else known.metadata end
      as metadata,
    case when item ? 'closed' then (item ->> 'closed')::boolean else known.closed end as closed`

/** Adds a version wherever the metadata differ from those that held before this message. */
export async function storeMetadataVersions(
  tx: Transaction,
  { stationType, received }: Context,
  rows: readonly StationRow[],
): Promise<void> {
  const described = rows.filter(({ metadata }) => metadata !== undefined)
  if (described.length === 0) return
  await tx.execute(sql`
    insert into station_metadata (station_id, recorded, metadata)
    select station.id, ${received.toISOString()}, nullif(item -> 'metadata', 'null')
    from unnest(${described.map((row) => JSON.stringify(row))}::jsonb[]) as sent (item)
    join station on station.type = ${stationType} and station.code = item ->> 'code'
    where nullif(item -> 'metadata', 'null') is distinct from (
      select metadata from station_metadata as version
      where version.station_id = station.id and version.recorded <= ${received.toISOString()}
      order by version.recorded desc limit 1)
    on conflict (station_id, recorded) do update set metadata = excluded.metadata`)
}

type Listing = Context & {
  readonly origin?: string | null | undefined
  readonly items: readonly StationRow[]
  readonly spared?: readonly string[] | undefined
}

/** Makes the stations of the type and origin inactive that a complete list does not name. */
export async function deactivateUnlisted(
  tx: Transaction,
  { stationType, origin = null, items, spared = [], received }: Listing,
): Promise<readonly number[]> {
  const codes = [...items.map(({ code }) => code), ...spared]
  const rows = await tx.query<Id>(sql`
    update station set active = false, received = ${received.toISOString()}
    where type = ${stationType} and origin is not distinct from ${origin}::text
      and active is distinct from false and code <> all(${codes}::text[])
      and received <= ${received.toISOString()}
    returning id`)
  return rows.map(({ id }) => id)
}
