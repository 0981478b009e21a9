import type { AvailabilityItem, AvailabilityObject, ContentItem } from '../canonical.ts'
import { day, drawFor, isoOf, lastMidnight } from '../setting.ts'
import type { Setting } from '../setting.ts'
import type { Collection } from './collection.ts'

/** One room in three can be booked here. */
const among = 3

/** Nights from the last day of the history on. */
const nightsAhead = 60

const itemsPerMessage = 100

export function availabilityTotal(rooms: Collection): number {
  return Math.ceil(rooms.count / among)
}

/** Rate plans and calendars of some of the rooms, made of what their records say. */
export function* availabilityOf(
  setting: Setting,
  rooms: Collection,
): Generator<AvailabilityObject> {
  const total = availabilityTotal(rooms)
  for (let from = 0; from < total; from += itemsPerMessage) {
    const size = Math.min(itemsPerMessage, total - from)
    const items = Array.from({ length: size }, (_, index) =>
      toItem(setting, rooms.item((from + index) * among)),
    )
    yield { kind: 'availability', recorded: isoOf(setting.until), items }
  }
}

function toItem(setting: Setting, room: ContentItem): AvailabilityItem {
  const random = drawFor(setting, 'availability', room.Id)
  const isApartment = room['RoomtypeInt'] === 2
  const quantity = random.between(1, 4)
  const price = random.between(42, isApartment ? 240 : 110)
  const first = lastMidnight(setting)
  const dayAt = (night: number) => isoOf(first + night * day).slice(0, 10)
  const booked = random.between(3, nightsAhead - 5)
  const dear = random.between(0, nightsAhead - 12)
  const children = [
    { age: 2, percent: 0 },
    { age: 11, percent: 50 },
  ]
  const own = isApartment
    ? ({ plan: 'FLAT', board: 'ws', per: 'room', price } as const)
    : ({ plan: 'BB', board: 'bb', per: 'guest', price, children } as const)
  const half = { plan: 'HB', board: 'hb', per: 'guest', price: price + 24, children } as const
  const channel = random.pick(['hgv', 'hgv', 'lts'] as const)
  return {
    accommodation: String(room['A0RID']),
    room: room.Id,
    type: isApartment ? 2 : 1,
    ...{ minGuests: 1, stdGuests: 2, maxGuests: random.between(2, 5) },
    title: isApartment
      ? { de: 'Ferienwohnung', it: 'Appartamento', en: 'Apartment' }
      : { de: 'Gästezimmer', it: 'Camera', en: 'Guest room' },
    plans: (isApartment ? [own] : [own, half]).map((plan) => ({ ...plan, channel })),
    nights: [
      { from: dayAt(0), to: dayAt(nightsAhead - 1), free: quantity },
      {
        ...{ from: dayAt(dear), to: dayAt(dear + 10), free: quantity, minStay: 2 },
        prices: { [own.plan]: price + 15 },
      },
      { from: dayAt(booked), to: dayAt(booked + 3), free: 0 },
    ],
  }
}
