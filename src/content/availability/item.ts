import { Type } from 'typebox'
import { dayForm, form } from '../../errors/index.ts'
import { pointerTo } from '../../lang/json.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import type { Proven } from '../../lang/schemas.ts'
import { isDay } from '../filters/values.ts'
import { boards, channels, roomTypes } from './request.ts'

const closed = { additionalProperties: false } as const
const name = Type.String({ minLength: 1, maxLength: 255 })
const texts = Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Type.String(), closed)
const guests = Type.Integer({ minimum: 1, maximum: 1000 })
const price = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Euros a night, two decimals',
})
const address = form('^https?://', 'is not a URL; it begins with https://')
const link = Type.String({ ...address, maxLength: 2000 })
const day = Type.String({ ...dayForm, description: 'yyyy-MM-dd' })

/** Guests up to an age pay a percentage; the lowest age that matches counts. */
const child = exactly({
  age: Type.Integer({ minimum: 0, maximum: 120, description: 'Up to this age, in years' }),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
})

/** What a room may be booked as; its name is unique among the plans of the room. */
const plan = exactly({
  plan: name,
  channel: Type.Enum([...channels]),
  board: Type.Enum([...boards], {
    description: 'ws without board, bb breakfast, hb half board, fb full board, ai all inclusive',
  }),
  per: Type.Enum(['guest', 'room'], { description: 'What the price is for' }),
  // Where the calendar has no other; without it only nights with a price in the calendar are sold.
  price: Type.Optional(orNull(price)),
  children: Type.Optional(Type.Array(child, { maxItems: 20 })),
  link: Type.Optional(orNull(link)),
})

/** Nights from a day to another, both included, which have the same in common. */
const night = exactly({
  from: day,
  to: day,
  free: Type.Integer({ minimum: 0, maximum: 10_000 }),
  // Of a stay that begins here.
  minStay: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  closedToArrival: Type.Optional(Type.Boolean()),
  closedToDeparture: Type.Optional(Type.Boolean()),
  prices: Type.Optional(
    Type.Record(Type.String(), price, { description: 'By plan, in the place of its price' }),
  ),
})

/**
 * A kind of room of an accommodation, as messages describe it. A field that is left out keeps what is
 * stored; plans are replaced together, and nights each by itself.
 */
export const roomItem = exactly({
  accommodation: name,
  room: name,
  type: Type.Optional(
    Type.Enum([...roomTypes], {
      description: '0 not specified, 1 room, 2 apartment, 4 pitch or tent, 8 dormitory',
    }),
  ),
  minGuests: Type.Optional(guests),
  stdGuests: Type.Optional(orNull(guests)),
  maxGuests: Type.Optional(guests),
  title: Type.Optional(texts),
  description: Type.Optional(texts),
  pictures: Type.Optional(Type.Array(link, { maxItems: 100 })),
  // Inactive rooms are not offered.
  active: Type.Optional(Type.Boolean()),
  plans: Type.Optional(Type.Array(plan, { maxItems: 100 })),
  nights: Type.Optional(Type.Array(night, { maxItems: 1200 })),
})

export type RoomItem = Proven<typeof roomItem>
export type PlanItem = Proven<typeof plan>
export type NightsItem = Proven<typeof night>

/** What identifies a room. */
export function keyOf({ accommodation, room }: Pick<RoomItem, 'accommodation' | 'room'>): string {
  return JSON.stringify([accommodation, room])
}

type Fault = { readonly pointer: string; readonly reason: string }

/** Nights that one entry of a calendar may span: three years. */
const longestSpan = 1100
/** Nights that all entries of a room may span together. */
const mostNights = 5000

const oneDay = 86_400_000

/** What no schema can say about a room. Pure. */
export function faultsOfRoom(item: RoomItem): readonly Fault[] {
  const { minGuests, maxGuests, plans = [], nights = [] } = item
  const faults = [...faultsOfPlans(plans), ...nights.flatMap(faultsOfNights)]
  if (minGuests !== undefined && maxGuests !== undefined && maxGuests < minGuests) {
    faults.push({ pointer: '/maxGuests', reason: 'is less than minGuests' })
  }
  if (faults.length === 0 && nightsIn(item) > mostNights) {
    const reason = `spans more than ${String(mostNights)} nights`
    faults.push({ pointer: '/nights', reason })
  }
  return faults
}

/** How many nights the entries of a room span together. */
export function nightsIn({ nights = [] }: RoomItem): number {
  return nights.reduce((sum, one) => sum + spanOf(one), 0)
}

function spanOf({ from, to }: NightsItem): number {
  return (Date.parse(to) - Date.parse(from)) / oneDay + 1
}

function faultsOfPlans(plans: readonly PlanItem[]): readonly Fault[] {
  const firstAt = new Map(plans.map(({ plan }, index) => [plan, index] as const).reverse())
  return plans.flatMap(({ plan, price }, index): readonly Fault[] => {
    const pointer = `/plans/${String(index)}`
    const reason = 'is the name of another plan of this room'
    return [
      ...(firstAt.get(plan) === index ? [] : [{ pointer: `${pointer}/plan`, reason }]),
      ...(typeof price === 'number' ? faultsOfPrice(`${pointer}/price`, price) : []),
    ]
  })
}

function faultsOfNights(one: NightsItem, index: number): readonly Fault[] {
  const pointer = `/nights/${String(index)}`
  for (const member of ['from', 'to'] as const) {
    if (!isDay(one[member]))
      return [{ pointer: `${pointer}/${member}`, reason: 'is not a valid day' }]
  }
  if (one.to < one.from) return [{ pointer: `${pointer}/to`, reason: 'is before from' }]
  if (spanOf(one) > longestSpan) {
    const reason = `is more than ${String(longestSpan)} nights after from`
    return [{ pointer: `${pointer}/to`, reason }]
  }
  return Object.entries(one.prices ?? {}).flatMap(([plan, price]) =>
    faultsOfPrice(pointerTo(`${pointer}/prices`, plan), price),
  )
}

/** Prices are kept in whole cents, so that sums are exact. */
function faultsOfPrice(pointer: string, euros: number): readonly Fault[] {
  const isWhole = toCents(euros) / 100 === euros
  return isWhole ? [] : [{ pointer, reason: 'has parts of a cent; allowed: two decimals' }]
}

export function toCents(euros: number): number {
  return Math.round(euros * 100)
}
