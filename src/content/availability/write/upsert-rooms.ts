import { sql } from '../../../sql/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { keyOf } from './item.ts'
import type { RoomItem } from './item.ts'

/**
 * Writes what rooms are; a member that is left out keeps what is stored. A younger description stays.
 * @param at when the message was received
 * @returns the ids of the rooms that were written, by their names
 */
export async function upsertRooms(
  tx: Transaction,
  rooms: readonly RoomItem[],
  at: string,
): Promise<ReadonlyMap<string, number>> {
  const described = rooms.map(({ nights: _nights, plans: _plans, ...room }) => JSON.stringify(room))
  const rows = await tx.query<{ id: number; accommodation: string; room: string }>(sql`
    insert into availability_room as known
      (accommodation, room, type, min_guests, std_guests, max_guests, title, description, pictures,
        active, received)
    select item ->> 'accommodation', item ->> 'room', given.*, ${at}
    from unnest(${described}::jsonb[]) as sent (item)
    left join availability_room as old
      on old.accommodation = item ->> 'accommodation' and old.room = item ->> 'room'
    cross join lateral (select
      coalesce((item ->> 'type')::smallint, old.type),
      coalesce((item ->> 'minGuests')::smallint,
        least(coalesce(old.min_guests, 1::smallint), (item ->> 'maxGuests')::smallint)),
      case when item ? 'stdGuests' then (item ->> 'stdGuests')::smallint else old.std_guests end,
      greatest(coalesce((item ->> 'maxGuests')::smallint, old.max_guests),
        (item ->> 'minGuests')::smallint),
      coalesce(item -> 'title', old.title, '{}'),
      coalesce(item -> 'description', old.description, '{}'),
      case when item ? 'pictures'
        then array(select jsonb_array_elements_text(item -> 'pictures'))
        else coalesce(old.pictures, '{}') end,
      coalesce((item ->> 'active')::boolean, old.active, true)) as given
    order by item ->> 'accommodation', item ->> 'room'
    on conflict (accommodation, room) do update set
      type = excluded.type, min_guests = excluded.min_guests, std_guests = excluded.std_guests,
      max_guests = excluded.max_guests, title = excluded.title,
      description = excluded.description, pictures = excluded.pictures, active = excluded.active,
      received = excluded.received
      where known.received <= excluded.received
    returning id, accommodation, room`)
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}
