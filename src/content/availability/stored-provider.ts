import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../async/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import { channelsOf, parseStoredRoom, toOffers } from './offers.ts'
import type { Availability, AvailabilityProvider } from './offers.ts'
import type { AvailabilityRequest } from './request.ts'

/**
 * Work between two turns of the event loop, in characters of rooms times requested rooms. Takes a
 * few milliseconds.
 */
const maxPerTurn = 100_000

/**
 * Returns a provider based on the rooms, rate plans and calendars that are pushed (decision D39).
 */
export const storedProvider = (database: Queryable): AvailabilityProvider => ({
  check: async (request, accommodations) => {
    const rows = await loadFreeRooms(database, request, accommodations)
    const found = new Map<string, Availability>()
    let work = 0
    for (const [id, rooms] of roomsById(rows)) {
      const available = availabilityOf(id, rooms, request)
      if (available !== undefined) found.set(id, available)
      work += rooms.reduce((sum, text) => sum + text.length, 0) * request.rooms.length
      if (work < maxPerTurn) continue
      work = 0
      await yieldToEventLoop()
    }
    return found
  },
})

/**
 * Returns the availability of an accommodation, or undefined if it is not available. Keeps the
 * rooms as the database returned them, as JSON, because offers are several times as large.
 */
function availabilityOf(
  id: string,
  rooms: readonly string[],
  request: AvailabilityRequest,
): Availability | undefined {
  const channels = channelsOf(rooms.map(parseStoredRoom), request)
  if (channels.length === 0) return undefined
  return {
    channels,
    state: createHash('sha256').update(JSON.stringify(rooms)).digest('base64'),
    offers: () => toOffers(id, rooms.map(parseStoredRoom), request),
  }
}

type Rows = Awaited<ReturnType<typeof loadFreeRooms>>

function roomsById(rows: Rows): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ([id]) => id ?? '')
  return new Map([...groups].map(([id, group]) => [id, group.flatMap(([, room]) => room ?? [])]))
}

/**
 * Loads the rooms that are free on every night and can be booked for this stay, with the sum of
 * their prices. A row contains the identifier of the accommodation and the room as JSON. One
 * statement does it all and finds the nights of a room by the primary key. Nights with equal prices
 * are counted, so that prices are looked up once for all of them.
 */
function loadFreeRooms(
  database: Queryable,
  request: AvailabilityRequest,
  accommodations: Sql,
): Promise<readonly TextRow[]> {
  return database.texts(freeRooms(request, accommodations))
}

/**
 * Returns the statement of a check. Each step joins only the step before it with tables by their
 * keys: PostgreSQL cannot estimate the rows of a step, and would join two steps by a nested loop.
 */
export function freeRooms(request: AvailabilityRequest, accommodations: Sql): Sql {
  const { departure, nights, channels, boards } = request
  return sql`
    with night as (${nightsOf(request, accommodations)}), priced as (
      select plan.*, min(night.free) as free,
        sum(night.nights * coalesce((night.prices ->> plan.plan)::bigint, plan.price)) as cents
      from night join availability_plan as plan on plan.room_id = night.room_id
      where channel = any(${channels}::text[]) and board = any(${boards}::text[])
      group by plan.room_id, plan.plan
      having sum(night.nights) = ${nights} and min(night.free) > 0 and bool_and(night.is_open)
        and bool_and(coalesce(night.prices ->> plan.plan, plan.price::text) is not null)
    ), offered as (
      select room_id, min(free) as free, json_agg(json_build_object(
        'plan', plan, 'channel', channel, 'board', board, 'perGuest', per_guest,
        'children', children, 'link', link, 'cents', cents) order by plan) as plans
      from priced
      group by room_id
    )
    select accommodation, json_build_object(
      'room', room, 'type', type, 'free', free,
      'min', min_guests, 'std', std_guests, 'max', max_guests, ${textsOf(request)}, 'plans', plans)
    from offered join availability_room on id = room_id
    where not exists (
      select from availability_day as last_day
      where last_day.room_id = id and day = ${departure}::date and closed_to_departure)
    order by accommodation, room`
}

/** SQL condition for rooms that match at least one requested room. */
function fitting({ rooms }: AvailabilityRequest): Sql {
  const types = rooms.map(({ type }) => type)
  const guests = rooms.map(({ ages }) => ages.length)
  return sql`exists (
    select from unnest(${types}::integer[], ${guests}::integer[]) as wanted (wanted_type, guests)
    where wanted_type in (0, type) and guests between min_guests and max_guests)`
}

/** SQL for the nights of the stay, grouped by room and prices, of rooms that match the request. */
function nightsOf(request: AvailabilityRequest, accommodations: Sql): Sql {
  const { arrival, departure, nights } = request
  return sql`
    select room_id, prices, count(*) as nights, min(free) as free,
      bool_and(day > ${arrival}::date or not closed_to_arrival and min_stay <= ${nights}) as is_open
    from availability_room join availability_day on room_id = id
    where active and ${fitting(request)} and accommodation in (${accommodations})
      and day >= ${arrival}::date and day < ${departure}::date
    group by room_id, prices`
}

/** SQL for the texts of a room in the requested language, or else in English, German or Italian. */
function textsOf({ language, detail }: AvailabilityRequest): Sql {
  const written = (texts: Sql) => sql`
    coalesce(${texts} ->> ${language}::text, ${texts} ->> 'en', ${texts} ->> 'de', ${texts} ->> 'it')`
  const [description, pictures] =
    detail === 'full' ? [written(sql`description`), sql`pictures`] : [sql`null`, sql`'{}'::text[]`]
  return sql`'title', ${written(sql`title`)}, 'description', ${description}, 'pictures', ${pictures}`
}
