import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { siftGone } from './deletions.ts'
import type { EdgeItem } from './items.ts'
import { keepLast, recordStationChanges, sift } from './outcome.ts'
import type { Fault, Outcome, Saving } from './outcome.ts'
import { findStations, keyOf, shapeFault, upsertStations } from './store-stations.ts'

/** A message with edges of one type. */
export type EdgesWrite = Saving & {
  readonly edgeType: string
  readonly origin?: string | null | undefined
  readonly items: readonly EdgeItem[]
}

/**
 * Upserts edges by type and code, each with its station. Rejects unknown ends and invalid
 * geometries.
 */
export async function storeEdges(tx: Transaction, write: EdgesWrite): Promise<Outcome> {
  const distinct = keepLast(write.items, 'code')
  const context = { stationType: write.edgeType, received: write.received }
  const { present, warnings } = await siftGone(tx, context, distinct.taken)
  const ends = present.flatMap(({ item: { from, to } }) => [from ?? [], to ?? []].flat())
  const known = await findStations(tx, ends)
  const sound = sift(present, ({ item }) => endFault(item, known) ?? shapeFault(item))
  const items = sound.taken.map(({ item }) => item)

  const stations = items.map(({ code, name, active }) => ({
    code,
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { active }),
    ...(write.origin === undefined ? {} : { origin: write.origin }),
  }))
  const described = await upsertStations(tx, context, stations)
  const connected = await upsertEdges(tx, context, items)
  await recordStationChanges(tx, [...described, ...connected])
  const awaits = sound.rejected.some(({ pointer }) => pointer !== '/geometry')
  return {
    stored: items.length + warnings.length,
    rejected: [...distinct.rejected, ...sound.rejected],
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(awaits ? { awaits } : {}),
  }
}

function endFault(item: EdgeItem, known: ReadonlySet<string>): Fault | undefined {
  for (const member of ['from', 'to'] as const) {
    const end = item[member] ?? undefined
    if (end === undefined || known.has(keyOf(end))) continue
    const reason = `has an end that does not exist: ${end.type} ${JSON.stringify(end.code)}; send the station before`
    return { pointer: `/${member}`, reason }
  }
  return undefined
}

type Context = { readonly stationType: string; readonly received: Date }

/**
 * Writes what an edge has beyond its station, and returns the ids of the edges that changed. The
 * stations are already locked, so nobody else writes these edges meanwhile.
 */
async function upsertEdges(
  tx: Transaction,
  { stationType, received }: Context,
  items: readonly EdgeItem[],
): Promise<readonly number[]> {
  if (items.length === 0) return []
  const at = received.toISOString()
  const rows = await tx.query<{ id: number }>(sql`
    with wanted as (
      select station.id, known as old, given.*
      from unnest(${items.map((item) => JSON.stringify(item))}::jsonb[]) as sent (item)
      join station on station.type = ${stationType} and station.code = item ->> 'code'
      left join edge as known on known.station_id = station.id
      left join station as origin
        on origin.type = item #>> '{from,type}' and origin.code = item #>> '{from,code}'
      left join station as destination
        on destination.type = item #>> '{to,type}' and destination.code = item #>> '{to,code}'
      cross join lateral (select
        case when item ? 'from' then origin.id else known.from_id end as from_id,
        case when item ? 'to' then destination.id else known.to_id end as to_id,
        coalesce((item ->> 'directed')::boolean, known.directed, true) as directed,
        case when item ? 'geometry' then geometry_from_geojson(item ->> 'geometry')
          else known.geometry end as geometry
      ) as given
      where known.received is null or known.received <= ${at}
    ), written as (
      insert into edge (station_id, from_id, to_id, directed, geometry, received)
      select id, from_id, to_id, directed, geometry, ${at} from wanted
      on conflict (station_id) do update set
        from_id = excluded.from_id, to_id = excluded.to_id, directed = excluded.directed,
        geometry = excluded.geometry, received = excluded.received
    )
    select id from wanted
    where (old).station_id is null or ((old).from_id, (old).to_id, (old).directed, (old).geometry)
      is distinct from (from_id, to_id, directed, geometry)`)
  return rows.map(({ id }) => id)
}
