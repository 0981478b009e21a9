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

/**
 * Price for children: guests up to `age` pay `percent` of the price. The lowest matching age
 * counts.
 */
const child = exactly({
  age: Type.Integer({ minimum: 0, maximum: 120, description: 'Up to this age, in years' }),
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
})

/** Rate plan of a room. Its name is unique among the plans of the room. */
const plan = exactly({
  plan: name,
  channel: Type.Enum([...channels]),
  board: Type.Enum([...boards], {
    description: 'ws without board, bb breakfast, hb half board, fb full board, ai all inclusive',
  }),
  per: Type.Enum(['guest', 'room'], { description: 'What the price is for' }),
  // Applies to nights without a price in the calendar. If it is missing, only nights with a price
  // in the calendar are sold.
  price: Type.Optional(orNull(price)),
  children: Type.Optional(Type.Array(child, { maxItems: 20 })),
  link: Type.Optional(orNull(link)),
})

/**
 * Calendar entry: the nights `from` one day `to` another, both included, that have equal values.
 */
const night = exactly({
  from: day,
  to: day,
  free: Type.Integer({ minimum: 0, maximum: 10_000 }),
  // In nights, for stays that start on one of these nights.
  minStay: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  closedToArrival: Type.Optional(Type.Boolean()),
  closedToDeparture: Type.Optional(Type.Boolean()),
  prices: Type.Optional(
    Type.Record(Type.String(), price, { description: 'By plan, in the place of its price' }),
  ),
})

/**
 * Schema for a kind of room of an accommodation, as push messages describe it. A missing field
 * keeps its stored value. The plans of a room are replaced together, its nights one by one.
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

/** Returns a key that identifies a room: its accommodation and its own name. */
export function keyOf({ accommodation, room }: Pick<RoomItem, 'accommodation' | 'room'>): string {
  return JSON.stringify([accommodation, room])
}

type Fault = { readonly pointer: string; readonly reason: string }

/** Most nights that one calendar entry may span, about three years. */
const maxSpan = 1100
/** Most nights that all calendar entries of a room may span together. */
const maxNights = 5000

const oneDay = 86_400_000

/**
 * Checks the rules that the schema cannot express: unique plan names, whole cents, valid days in
 * order, and limits on nights and guests. Pure.
 */
export function faultsOfRoom(item: RoomItem): readonly Fault[] {
  const { minGuests, maxGuests, plans = [], nights = [] } = item
  const faults = [...faultsOfPlans(plans), ...nights.flatMap(faultsOfNights)]
  if (minGuests !== undefined && maxGuests !== undefined && maxGuests < minGuests) {
    faults.push({ pointer: '/maxGuests', reason: 'is less than minGuests' })
  }
  if (faults.length === 0 && nightsIn(item) > maxNights) {
    const reason = `spans more than ${String(maxNights)} nights`
    faults.push({ pointer: '/nights', reason })
  }
  return faults
}

/**
 * Returns how many nights the calendar entries of a room span together. Overlaps count repeatedly.
 */
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
  if (spanOf(one) > maxSpan) {
    const reason = `is more than ${String(maxSpan)} nights after from`
    return [{ pointer: `${pointer}/to`, reason }]
  }
  return Object.entries(one.prices ?? {}).flatMap(([plan, price]) =>
    faultsOfPrice(pointerTo(`${pointer}/prices`, plan), price),
  )
}

/** Reports fractions of a cent. Prices are stored in whole cents, so that sums are exact. */
function faultsOfPrice(pointer: string, euros: number): readonly Fault[] {
  const isWhole = toCents(euros) / 100 === euros
  return isWhole ? [] : [{ pointer, reason: 'has parts of a cent; allowed: two decimals' }]
}

export function toCents(euros: number): number {
  return Math.round(euros * 100)
}
