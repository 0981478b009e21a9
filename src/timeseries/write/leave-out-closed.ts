import type { Closed } from '../partitions/ensure-partitions.ts'
import type { Month } from '../partitions/months.ts'
import type { Gathered, Value } from './gather-values.ts'

/** The months (UTC) in which values lie. */
export function monthsOf(values: readonly Value[]): ReadonlySet<Month> {
  return new Set(values.map(monthOfValue))
}

/**
 * Rejects the values of months that take none, so that none is lost unseen; series of which nothing is
 * left are not made.
 */
export function leaveOutClosed(gathered: Gathered, closed: ReadonlyMap<Month, Closed>): Gathered {
  if (closed.size === 0) return gathered
  const open = gathered.values.filter((value) => !closed.has(monthOfValue(value)))
  const places = [...new Set(open.map(({ series }) => series))]
  const placeOf = new Map(places.map((place, index) => [place, index]))
  const refused = gathered.values.flatMap((value) => {
    const why = closed.get(monthOfValue(value))
    return why === undefined ? [] : [{ index: value.index, pointer: '/2', reason: reasons[why] }]
  })
  return {
    series: places.flatMap((place) => gathered.series[place] ?? []),
    values: open.map((value) => ({ ...value, series: placeOf.get(value.series) ?? 0 })),
    rejected: [...gathered.rejected, ...refused],
  }
}

const reasons: Readonly<Record<Closed, string>> = {
  old: 'is older than the values that this hub keeps',
  aside: 'lies in a month that this hub has set aside',
}

function monthOfValue({ time }: Value): Month {
  return time.slice(0, 7)
}
