import { isDay } from '../../filters/day.ts'
import type { NightsItem, PlanItem, RoomItem } from './item.ts'

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
    if (!isDay(one[member])) return [{ pointer: `${pointer}/${member}`, reason: 'is no day' }]
  }
  if (one.to < one.from) return [{ pointer: `${pointer}/to`, reason: 'is before from' }]
  if (spanOf(one) > longestSpan) {
    const reason = `is more than ${String(longestSpan)} nights after from`
    return [{ pointer: `${pointer}/to`, reason }]
  }
  return Object.entries(one.prices ?? {}).flatMap(([plan, price]) => {
    const name = plan.replaceAll('~', '~0').replaceAll('/', '~1')
    return faultsOfPrice(`${pointer}/prices/${name}`, price)
  })
}

/** Prices are kept in whole cents, so that sums are exact. */
function faultsOfPrice(pointer: string, euros: number): readonly Fault[] {
  const isWhole = toCents(euros) / 100 === euros
  return isWhole ? [] : [{ pointer, reason: 'has parts of a cent; allowed: two decimals' }]
}

export function toCents(euros: number): number {
  return Math.round(euros * 100)
}
