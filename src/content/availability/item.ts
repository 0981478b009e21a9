import { pointerTo } from '../../lang/json.ts'
import { isDay } from '../filters/values.ts'
import type { Board, Channel, RoomType } from './request.ts'

/** Texts by language. */
type Texts = Readonly<Record<string, string>>

/** What a room may be booked as. Prices are euros a night. */
export type PlanItem = {
  /** Unique among the plans of the room. */
  readonly plan: string
  readonly channel: Channel
  readonly board: Board
  /** Whether the price is for each guest, or for the room. */
  readonly per: 'guest' | 'room'
  /** Where the calendar has no other; without it only nights with a price in the calendar are sold. */
  readonly price?: number | null | undefined
  /** Guests up to an age, in years, pay a percentage; the lowest age that matches counts. */
  readonly children?: readonly { readonly age: number; readonly percent: number }[] | undefined
  /** Where it can be booked. */
  readonly link?: string | null | undefined
}

/** Nights from a day to another, both included, which have the same in common. */
export type NightsItem = {
  /** yyyy-MM-dd. */
  readonly from: string
  readonly to: string
  /** How many rooms of this kind are free. */
  readonly free: number
  /** Nights that a stay must have which begins here. */
  readonly minStay?: number | undefined
  readonly closedToArrival?: boolean | undefined
  readonly closedToDeparture?: boolean | undefined
  /** Euros a night by plan, in the place of the prices of the plans. */
  readonly prices?: Readonly<Record<string, number>> | undefined
}

/**
 * A kind of room of an accommodation, as messages describe it. A field that is left out keeps what is
 * stored; plans are replaced together, and nights each by itself.
 */
export type RoomItem = {
  readonly accommodation: string
  /** Unique within the accommodation. */
  readonly room: string
  readonly type?: RoomType | undefined
  readonly minGuests?: number | undefined
  readonly stdGuests?: number | null | undefined
  readonly maxGuests?: number | undefined
  readonly title?: Texts | undefined
  readonly description?: Texts | undefined
  readonly pictures?: readonly string[] | undefined
  /** Rooms that are not are not offered. */
  readonly active?: boolean | undefined
  readonly plans?: readonly PlanItem[] | undefined
  readonly nights?: readonly NightsItem[] | undefined
}

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
