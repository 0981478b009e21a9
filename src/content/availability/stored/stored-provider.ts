import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '../../../storage/index.ts'
import type { Availability, AvailabilityProvider } from '../provider.ts'
import type { AvailabilityRequest } from '../request.ts'
import { loadFreeRooms } from './load-free-rooms.ts'
import { parseStoredRoom } from './stored-room.ts'
import { channelsOf, toOffers } from './to-offers.ts'

/** So many characters of rooms are looked at in some milliseconds, for one room that is asked for. */
const mostPerTurn = 100_000

/** Answers from the rooms, rate plans and calendars that providers push (decision D39). */
export const storedProvider = (database: Queryable): AvailabilityProvider => ({
  check: async (request, accommodations) => {
    const rows = await loadFreeRooms(database, request, accommodations)
    const found = new Map<string, Availability>()
    let work = 0
    for (const [id, rooms] of roomsById(rows)) {
      const available = availabilityOf(id, rooms, request)
      if (available !== undefined) found.set(id, available)
      work += rooms.reduce((sum, text) => sum + text.length, 0) * request.rooms.length
      if (work < mostPerTurn) continue
      work = 0
      await nextTurn()
    }
    return found
  },
})

/** Rooms are kept as the texts that they came as: offers are several times as large. */
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

/** The rooms of each accommodation, in the order of the rows. */
function roomsById(rows: Rows): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ([id]) => id ?? '')
  return new Map([...groups].map(([id, group]) => [id, group.flatMap(([, room]) => room ?? [])]))
}
