import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import type { AvailabilityRequest } from '../request.ts'

/**
 * The rooms that are free in every night of the stay and may be booked on that day, with the sum of
 * their prices: identifier of the accommodation, and the room as JSON. All in one statement; the nights
 * of a room are found by the key of the table. Nights with the same prices are counted, so that prices
 * are looked up once for all of them.
 */
export function loadFreeRooms(
  database: Queryable,
  request: AvailabilityRequest,
  accommodations: Sql,
): Promise<readonly TextRow[]> {
  return database.texts(freeRooms(request, accommodations))
}

/** The statement of a check. */
export function freeRooms(request: AvailabilityRequest, accommodations: Sql): Sql {
  const { departure, nights, channels, boards } = request
  return sql`
    with room as (
      select * from availability_room
      where active and ${fitting(request)} and accommodation in (${accommodations})
    ), night as (${nightsOf(request)}), stay as (
      select room_id, min(free) as free
      from night
      group by room_id
      having sum(nights) = ${nights} and min(free) > 0 and bool_and(is_open)
    ), priced as (
      select room_id, plan,
        sum(nights * coalesce((prices ->> plan)::bigint, price)) as cents,
        bool_and(coalesce(prices ->> plan, price::text) is not null) as is_priced
      from stay join night using (room_id) join availability_plan using (room_id)
      where channel = any(${channels}::text[]) and board = any(${boards}::text[])
      group by room_id, plan
    ), offered as (
      select room_id, json_agg(json_build_object(
        'plan', plan, 'channel', channel, 'board', board, 'perGuest', per_guest,
        'children', children, 'link', link, 'cents', cents) order by plan) as plans
      from priced join availability_plan using (room_id, plan)
      where is_priced
      group by room_id
    )
    select accommodation, json_build_object(
      'room', room.room, 'type', type, 'free', stay.free,
      'min', min_guests, 'std', std_guests, 'max', max_guests, ${textsOf(request)}, 'plans', plans)
    from offered join stay using (room_id) join room on room.id = room_id
    where not exists (
      select from availability_day as last_day
      where last_day.room_id = room.id and day = ${departure}::date and closed_to_departure)
    order by accommodation, room.room`
}

/** Rooms that one of those asked for could become. */
function fitting({ rooms }: AvailabilityRequest): Sql {
  const types = rooms.map(({ type }) => type)
  const guests = rooms.map(({ ages }) => ages.length)
  return sql`exists (
    select from unnest(${types}::integer[], ${guests}::integer[]) as wanted (wanted_type, guests)
    where wanted_type in (0, type) and guests between min_guests and max_guests)`
}

function nightsOf({ arrival, departure, nights }: AvailabilityRequest): Sql {
  return sql`
    select room_id, prices, count(*) as nights, min(availability_day.free) as free,
      bool_and(day > ${arrival}::date or not closed_to_arrival and min_stay <= ${nights}) as is_open
    from room join availability_day on room_id = room.id
    where day >= ${arrival}::date and day < ${departure}::date
    group by room_id, prices`
}

/** In the language asked for, or else in another. */
function textsOf({ language, detail }: AvailabilityRequest): Sql {
  const written = (texts: Sql) => sql`
    coalesce(${texts} ->> ${language}::text, ${texts} ->> 'en', ${texts} ->> 'de', ${texts} ->> 'it')`
  const [description, pictures] =
    detail === 'full' ? [written(sql`description`), sql`pictures`] : [sql`null`, sql`'{}'::text[]`]
  return sql`'title', ${written(sql`title`)}, 'description', ${description}, 'pictures', ${pictures}`
}
