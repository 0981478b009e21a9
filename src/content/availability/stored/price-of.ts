import type { WantedRoom } from '../request.ts'
import type { StoredPlan, StoredRoom } from './stored-room.ts'

/** Whether these guests may have the room. */
export function fits({ type, min, max }: StoredRoom, wanted: WantedRoom): boolean {
  const guests = wanted.ages.length
  return (wanted.type === 0 || wanted.type === type) && guests >= min && guests <= max
}

/** Cents for the whole stay of these guests, rounded half up once. */
export function priceOf({ cents, perGuest, children }: StoredPlan, { ages }: WantedRoom): number {
  if (!perGuest) return cents
  const percent = ages.reduce((sum, age) => sum + shareOf(children, age), 0)
  return Math.round((cents * percent) / 100)
}

/** Percent of the price that a guest of this age pays: the first age that is not below it counts. */
function shareOf(children: StoredPlan['children'], age: number): number {
  return children.find(([upTo]) => age <= upTo)?.[1] ?? 100
}
