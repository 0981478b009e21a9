import type { Tally } from '../content/index.ts'
import type { Counted } from './dataset.ts'

/** Both together, the most frequent first. */
export function addTallies(one: Tally, other: Tally): Tally {
  if (other.size === 0) return one
  const sums = new Map(one)
  for (const [value, count] of other) sums.set(value, (sums.get(value) ?? 0) + count)
  return new Map([...sums].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)))
}

/** The most frequent values. */
export function mostOf(tally: Tally, most: number): readonly Counted[] {
  return [...tally].slice(0, most).map(([id, count]) => ({ id, count }))
}

/** The values alone, the most frequent first. */
export function valuesOf(tally: Tally): readonly string[] {
  return [...tally.keys()]
}
