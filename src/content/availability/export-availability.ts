import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

const pageSize = 200

/**
 * All rooms with their plans and calendars as lines of the canonical push format, in the order of
 * accommodation and room. Nights in a row that have the same in common are one entry. Read as keyset
 * pages, so memory stays flat and no statement is long.
 */
export async function* exportAvailability(database: Queryable): AsyncIterable<string> {
  let last: readonly (string | null)[] = ['', '']
  for (;;) {
    const [accommodation = '', room = ''] = last
    const rows = await database.texts(sql`
      select accommodation, room, json_build_object(
        'accommodation', accommodation, 'room', room, 'type', type, 'minGuests', min_guests,
        'stdGuests', std_guests, 'maxGuests', max_guests, 'title', title,
        'description', description, 'pictures', pictures, 'active', active,
        'plans', coalesce((${plans}), '[]'), 'nights', coalesce((${nights}), '[]'))
      from availability_room
      where (accommodation, room) > (${accommodation}, ${room})
      order by accommodation, room limit ${pageSize}`)
    const end = rows.at(-1)
    if (end === undefined) return
    last = end
    const items = rows.map(([, , item]) => item ?? '{}').join(',')
    yield `{"kind":"availability","items":[${items}]}`
  }
}

const plans = sql`
  select json_agg(json_build_object(
    'plan', plan, 'channel', channel, 'board', board,
    'per', case when per_guest then 'guest' else 'room' end, 'price', price / 100.0,
    'children', (
      select coalesce(json_agg(json_build_object('age', child -> 0, 'percent', child -> 1)), '[]')
      from jsonb_array_elements(children) as child),
    'link', link) order by plan)
  from availability_plan where room_id = availability_room.id`

const nights = sql`
  select json_agg(json_build_object(
    'from', first, 'to', last, 'free', free, 'minStay', min_stay,
    'closedToArrival', closed_to_arrival, 'closedToDeparture', closed_to_departure,
    'prices', (
      select coalesce(json_object_agg(key, value::text::bigint / 100.0 order by key), '{}')
      from jsonb_each(prices))) order by first)
  from (
    select min(day) as first, max(day) as last, free, min_stay, closed_to_arrival,
      closed_to_departure, prices
    from (
      select *, day - row_number() over (
        partition by free, min_stay, closed_to_arrival, closed_to_departure, prices
        order by day)::integer as run
      from availability_day where room_id = availability_room.id) as numbered
    group by run, free, min_stay, closed_to_arrival, closed_to_departure, prices) as runs`
