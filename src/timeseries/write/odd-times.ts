import type { Months } from '../partitions/ensure-partitions.ts'
import type { Value } from './gather-values.ts'
import type { Rejection } from './outcome.ts'

/** Warns of values whose time is most likely wrong: so far ago or ahead that none is expected there. */
export function oddTimes(
  values: readonly Value[],
  { outer, span, latestUntil }: Months,
): readonly Rejection[] {
  return values.flatMap(({ index, time }) => {
    const isOuter = outer.size > 0 && outer.has(time.slice(0, 7))
    const isAhead = time > latestUntil
    if (!isOuter && !isAhead) return []
    const reasons = [
      ...(isOuter ? [`outside of the months that this hub expects (${span})`] : []),
      ...(isAhead ? [`after ${latestUntil}, so it is not shown as the latest value`] : []),
    ]
    return [{ index, pointer: '/2', reason: `lies ${reasons.join(' and ')}; it was stored` }]
  })
}
