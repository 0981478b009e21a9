import { sql } from '../../../sql/index.ts'
import { recordChanges } from '../../../storage/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { nightsIn } from './check-item.ts'
import { keyOf } from './item.ts'
import type { RoomItem } from './item.ts'
import { storeNights } from './store-nights.ts'
import { storePlans } from './store-plans.ts'
import { upsertRooms } from './upsert-rooms.ts'

/** Rooms of one message. */
export type AvailabilityWrite = {
  readonly items: readonly RoomItem[]
  /** When the message was received: an older one never overwrites a younger one (decision D53). */
  readonly received: Date
}

type Rejection = { readonly index: number; readonly pointer: string; readonly reason: string }

export type AvailabilityOutcome = {
  /** Items taken, also those that changed nothing. */
  readonly stored: number
  /** Positions count the items that were handed in, pointers begin at the item. */
  readonly rejected: readonly Rejection[]
}

/** A room, and its place among those that were handed in. */
type Sent = { readonly index: number; readonly item: RoomItem }

/**
 * Upserts rooms by accommodation and room, their plans and their nights. Rejected are rooms that come
 * again later in the message, and unknown ones that do not say what they are.
 */
export async function storeAvailability(
  tx: Transaction,
  { items, received }: AvailabilityWrite,
): Promise<AvailabilityOutcome> {
  const sent = items.map((item, index) => ({ index, item: withId(item) }))
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

/** Accommodations are named as their records are: in upper case. */
function withId(item: RoomItem): RoomItem {
  return { ...item, accommodation: item.accommodation.toUpperCase() }
}

/** Whether a message says more of the room than what is free. */
function isDescribed(item: RoomItem): boolean {
  return Object.keys(item).some((name) => !['accommodation', 'room', 'nights'].includes(name))
}

/** Nights of all rooms of an object: so that no transaction is endless. */
const mostNights = 1_000_000

/** Why a room is not taken. Asked for each in turn. */
function toFaults(sent: readonly Sent[], known: ReadonlySet<string>) {
  const lastAt = new Map(sent.map(({ index, item }) => [keyOf(item), index]))
  let nights = 0
  return ({ index, item }: Sent): Rejection | undefined => {
    if (lastAt.get(keyOf(item)) !== index) {
      const reason = 'comes again later in this message, and only the last one counts'
      return { index, pointer: '/room', reason }
    }
    const missing = (['type', 'maxGuests'] as const).find((name) => item[name] === undefined)
    if (missing !== undefined && !known.has(keyOf(item))) {
      const reason = 'is missing: the room is not known yet, so it needs type and maxGuests'
      return { index, pointer: `/${missing}`, reason }
    }
    nights += nightsIn(item)
    const reason = `goes beyond the ${String(mostNights)} nights that one object may hold; send it in another`
    return nights > mostNights ? { index, pointer: '/nights', reason } : undefined
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

/** Notes the accommodations whose rooms were written. */
async function note(tx: Transaction, rooms: readonly number[]): Promise<void> {
  const rows = await tx.query<{ accommodation: string }>(sql`
    select distinct accommodation from availability_room
    where id = any(${[...new Set(rooms)]}::integer[]) order by accommodation`)
  const ids = rows.map(({ accommodation }) => accommodation)
  await recordChanges(tx, { area: 'content', dataset: 'Availability', kind: 'upsert', ids })
}
