import { sql } from '../../../sql/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { toCents } from './check-item.ts'
import type { NightsItem, RoomItem } from './item.ts'

/** So many nights are written by one statement. */
const mostAtOnce = 50_000

const oneDay = 86_400_000

/** Nights that are over are deleted when their room is written to, a day late whatever the zone. */
const keptDays = 2

/**
 * Writes nights, each as a whole; a younger night stays. Where entries of a room overlap, the last one
 * counts, so that exceptions can follow a season.
 * @param at when the message was received; nights that were over by then are not kept
 * @returns the ids of the rooms whose nights were written
 */
export async function storeNights(
  tx: Transaction,
  rooms: readonly RoomItem[],
  at: string,
): Promise<readonly number[]> {
  const changed = new Set<number>()
  const first = new Date(Date.parse(at) - keptDays * oneDay).toISOString().slice(0, 10)
  for (const batch of inBatches(rooms)) {
    for (const id of await storeBatch(tx, batch, { at, first })) changed.add(id)
  }
  await tx.execute(sql`
    delete from availability_day where room_id = any(${[...changed]}::integer[]) and day < ${first}::date`)
  return [...changed]
}

/** The nights of whole rooms, some rooms at a time. */
function* inBatches(rooms: readonly RoomItem[]): Iterable<readonly string[]> {
  let batch: string[] = []
  let size = 0
  for (const { accommodation, room, nights = [] } of rooms) {
    for (const one of nights) {
      batch.push(JSON.stringify({ accommodation, room, ...one, prices: inCents(one) }))
      size += (Date.parse(one.to) - Date.parse(one.from)) / oneDay + 1
    }
    if (size < mostAtOnce) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

function inCents({ prices = {} }: NightsItem): Readonly<Record<string, number>> | null {
  const entries = Object.entries(prices)
  if (entries.length === 0) return null
  return Object.fromEntries(entries.map(([plan, price]) => [plan, toCents(price)]))
}

type Saving = { readonly at: string; readonly first: string }

async function storeBatch(
  tx: Transaction,
  batch: readonly string[],
  { at, first }: Saving,
): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    with written as (
      insert into availability_day as known
        (room_id, day, free, min_stay, closed_to_arrival, closed_to_departure, prices, received)
      select distinct on (room.id, day) room.id, day::date, sent.free,
        coalesce(sent."minStay", 1), coalesce(sent."closedToArrival", false),
        coalesce(sent."closedToDeparture", false), nullif(sent.prices, 'null'), ${at}::timestamptz
      from unnest(${batch}::jsonb[]) with ordinality as entry (item, place)
      cross join lateral jsonb_to_record(item) as sent (
        accommodation text, room text, "from" date, "to" date, free smallint, "minStay" smallint,
        "closedToArrival" boolean, "closedToDeparture" boolean, prices jsonb)
      join availability_room as room
        on room.accommodation = sent.accommodation and room.room = sent.room
      cross join lateral generate_series(
        greatest(sent."from", ${first}::date)::timestamp, sent."to"::timestamp, '1 day') as day
      order by room.id, day, place desc
      on conflict (room_id, day) do update set
        free = excluded.free, min_stay = excluded.min_stay,
        closed_to_arrival = excluded.closed_to_arrival,
        closed_to_departure = excluded.closed_to_departure, prices = excluded.prices,
        received = excluded.received
        where known.received <= excluded.received
      returning room_id
    )
    select distinct room_id as id from written order by room_id`)
  return rows.map(({ id }) => id)
}
