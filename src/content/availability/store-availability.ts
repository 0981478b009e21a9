import { keyOf, nightsIn, toCents } from './item.ts'
import type { NightsItem, PlanItem, RoomItem } from './item.ts'
import { sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'

type AvailabilityWrite = {
  readonly items: readonly RoomItem[]
  /**
   * When the message was received. An older message never overwrites a newer one (decision D53).
   */
  readonly received: Date
}

type Rejection = { readonly index: number; readonly pointer: string; readonly reason: string }

type AvailabilityOutcome = {
  /** Number of accepted items, including those that changed nothing. */
  readonly stored: number
  /** `index` is the position among the items passed in, `pointer` is relative to the item. */
  readonly rejected: readonly Rejection[]
}

/** Room with its position among the items passed in. */
type Sent = { readonly index: number; readonly item: RoomItem }

/**
 * Upserts rooms by accommodation and room, with their plans and nights. Rejects rooms that are
 * repeated later in the message, unknown rooms without type and maximum of guests, and rooms beyond
 * the limit of nights.
 */
export async function storeAvailability(
  tx: Transaction,
  { items, received }: AvailabilityWrite,
): Promise<AvailabilityOutcome> {
  // The identifiers of accommodation records are in upper case.
  const sent = items.map((item, index) => ({
    index,
    item: { ...item, accommodation: item.accommodation.toUpperCase() },
  }))
  const faultOf = toFaults(sent, await knownRooms(tx, sent))
  const rejected = sent.flatMap((one) => faultOf(one) ?? [])
  const refused = new Set(rejected.map(({ index }) => index))
  const rooms = sent.flatMap(({ index, item }) => (refused.has(index) ? [] : [item]))
  if (rooms.length > 0) {
    const at = received.toISOString()
    const described = await upsertRooms(tx, rooms.filter(isDescribed), at)
    await storePlans(tx, rooms, described)
    const changed = await storeNights(tx, rooms, at)
    await note(tx, [...described.values(), ...changed])
  }
  return { stored: rooms.length, rejected }
}

/** Reports whether an item describes more of a room than its nights. */
function isDescribed(item: RoomItem): boolean {
  return Object.keys(item).some((name) => !['accommodation', 'room', 'nights'].includes(name))
}

/** Most nights that the rooms of one object may contain together. It bounds the transaction. */
const maxNights = 1_000_000

/**
 * Returns a function that explains why a room is rejected, or returns undefined. It must be called
 * once for each room, in order, because it adds up the nights of the rooms that are not rejected.
 */
function toFaults(sent: readonly Sent[], known: ReadonlySet<string>) {
  const lastAt = new Map(sent.map(({ index, item }) => [keyOf(item), index]))
  let nights = 0
  return ({ index, item }: Sent): Rejection | undefined => {
    if (lastAt.get(keyOf(item)) !== index) {
      const reason = 'is repeated later in this message, and only the last one counts'
      return { index, pointer: '/room', reason }
    }
    const missing = (['type', 'maxGuests'] as const).find((name) => item[name] === undefined)
    if (missing !== undefined && !known.has(keyOf(item))) {
      const reason = 'is missing: the room is not known yet, so it needs type and maxGuests'
      return { index, pointer: `/${missing}`, reason }
    }
    const more = nights + nightsIn(item)
    if (more > maxNights) {
      const reason = `goes beyond the ${String(maxNights)} nights that one object can contain; send it in another object`
      return { index, pointer: '/nights', reason }
    }
    nights = more
    return undefined
  }
}

async function knownRooms(tx: Transaction, rooms: readonly Sent[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ accommodation: string; room: string }>(sql`
    select accommodation, room from availability_room
    where (accommodation, room) in (
      select * from unnest(
        ${rooms.map(({ item }) => item.accommodation)}::text[],
        ${rooms.map(({ item }) => item.room)}::text[]))`)
  return new Set(rows.map(keyOf))
}

async function note(tx: Transaction, rooms: readonly number[]): Promise<void> {
  const rows = await tx.query<{ accommodation: string }>(sql`
    select distinct accommodation from availability_room
    where id = any(${[...new Set(rooms)]}::integer[]) order by accommodation`)
  const ids = rows.map(({ accommodation }) => accommodation)
  await recordChanges(tx, { area: 'content', dataset: 'Availability', kind: 'upsert', ids })
}

/**
 * Replaces the plans of the rooms that have plans in this message, all plans of a room together.
 * @param written ids of the rooms that this message described; the description of any other room is
 *   from a newer message
 */
async function storePlans(
  tx: Transaction,
  rooms: readonly RoomItem[],
  written: ReadonlyMap<string, number>,
): Promise<void> {
  const replaced = rooms.flatMap((room) => {
    const id = written.get(keyOf(room))
    return id === undefined || room.plans === undefined ? [] : [{ id, plans: room.plans }]
  })
  const ids = replaced.map(({ id }) => id)
  const rows = replaced.flatMap(({ id, plans }) => plans.map((plan) => toRow(id, plan)))
  await tx.execute(sql`delete from availability_plan where room_id = any(${ids}::integer[])`)
  await tx.execute(sql`
    insert into availability_plan
      (room_id, plan, channel, board, per_guest, price, children, link)
    select plans.* from unnest(${rows}::jsonb[]) as sent (item)
    cross join lateral jsonb_to_record(item) as plans (
      room_id integer, plan text, channel text, board text, per_guest boolean, price bigint,
      children jsonb, link text)`)
}

function toRow(id: number, { per, price, children = [], link, ...plan }: PlanItem): string {
  const upwards = [...children].sort((one, other) => one.age - other.age)
  return JSON.stringify({
    ...plan,
    room_id: id,
    per_guest: per === 'guest',
    price: typeof price === 'number' ? toCents(price) : null,
    children: upwards.map(({ age, percent }) => [age, percent]),
    link: link ?? null,
  })
}

/**
 * Writes the descriptions of rooms. A missing field keeps its stored value, and a newer description
 * is not overwritten. Known rooms are inserted with their ids: each conflict would otherwise use up
 * a value of the sequence, which would run out after years.
 * @param at when the message was received
 * @returns the ids of the rooms that were written, by `keyOf`
 */
async function upsertRooms(
  tx: Transaction,
  rooms: readonly RoomItem[],
  at: string,
): Promise<ReadonlyMap<string, number>> {
  const described = rooms.map(({ nights: _nights, plans: _plans, ...room }) => JSON.stringify(room))
  const rows = await tx.query<{ id: number; accommodation: string; room: string }>(sql`
    insert into availability_room as known
      (id, accommodation, room, type, min_guests, std_guests, max_guests, title, description,
        pictures, active, received)
    overriding system value
    select coalesce(old.id, nextval(pg_get_serial_sequence('availability_room', 'id'))),
      item ->> 'accommodation', item ->> 'room', given.*, ${at}
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

/** Nights at which a batch is complete. Each batch is written by one statement. */
const maxAtOnce = 50_000

const oneDay = 86_400_000

/**
 * Days for which past nights are kept, so that they are past in every time zone. Older nights are
 * deleted when nights of their room are written.
 */
const keptDays = 2

/**
 * Writes nights, each as a whole; a newer night is not overwritten. Where entries of a room
 * overlap, the last one counts, so that exceptions can follow a season.
 * @param at when the message was received; nights that were past by then are not stored
 * @returns the ids of the rooms whose nights were written
 */
async function storeNights(
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

/** Yields calendar entries as JSON, in batches of whole rooms. */
function* inBatches(rooms: readonly RoomItem[]): Iterable<readonly string[]> {
  let batch: string[] = []
  let size = 0
  for (const { accommodation, room, nights = [] } of rooms) {
    for (const one of nights) {
      batch.push(JSON.stringify({ accommodation, room, ...one, prices: inCents(one) }))
      size += (Date.parse(one.to) - Date.parse(one.from)) / oneDay + 1
    }
    if (size < maxAtOnce) continue
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

const pageSize = 200

/**
 * Yields all rooms with their plans and calendars as lines of the canonical push format, ordered by
 * accommodation and room. Consecutive nights with equal values become one entry. Reads keyset
 * pages, so that memory use stays flat and no statement runs long.
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
