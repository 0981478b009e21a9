import type { TextRow } from '../../../storage/index.ts'
import { at } from '../../read/values/value-rows.ts'

/** Rows that are merged in one step, less than a millisecond. */
const stepSize = 2000

/** Merges rows that are each in the order of time; of one time those of the earlier lists come first. */
export function* mergeByTime(
  lists: readonly (readonly TextRow[])[],
): Generator<undefined, readonly TextRow[]> {
  let left = lists
  while (left.length > 1) {
    const merged: (readonly TextRow[])[] = []
    for (let place = 0; place < left.length; place += 2) {
      merged.push(yield* mergeTwo(left[place] ?? [], left[place + 1] ?? []))
    }
    left = merged
  }
  return left[0] ?? []
}

/** Times of PostgreSQL, in years of four digits, are ordered as texts are. */
function* mergeTwo(
  first: readonly TextRow[],
  second: readonly TextRow[],
): Generator<undefined, readonly TextRow[]> {
  const merged: TextRow[] = []
  let [one, other] = [0, 0]
  while (one < first.length || other < second.length) {
    const [left, right] = [first[one], second[other]]
    const takesRight =
      left === undefined || (right !== undefined && (right[at.time] ?? '') < (left[at.time] ?? ''))
    merged.push((takesRight ? right : left) ?? [])
    if (takesRight) other++
    else one++
    if (merged.length % stepSize === 0) yield undefined
  }
  return merged
}
