import { inOrder } from '../tally/index.ts'
import type { Tally } from '../tally/index.ts'
import type { Counted } from './dataset.ts'

const added = new WeakMap<Tally, WeakMap<Tally, Tally>>()

/** Both together, the most frequent first. The same two are added once: tallies do not change. */
export function addTallies(one: Tally, other: Tally): Tally {
  if (other.size === 0) return one
  const sums = added.get(one) ?? new WeakMap<Tally, Tally>()
  added.set(one, sums)
  const known = sums.get(other) ?? sumOf(one, other)
  sums.set(other, known)
  return known
}

function sumOf(one: Tally, other: Tally): Tally {
  const sums = new Map(one)
  for (const [value, count] of other) sums.set(value, (sums.get(value) ?? 0) + count)
  return inOrder(sums)
}

/** The most frequent values. */
export function mostOf(tally: Tally, most: number): readonly Counted[] {
  return [...tally].slice(0, most).map(([id, count]) => ({ id, count }))
}

/** The values alone, the most frequent first. */
export function valuesOf(tally: Tally): readonly string[] {
  return [...tally.keys()]
}
