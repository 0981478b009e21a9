import type { Series, Value } from '../series/series.ts'
import { parseTime } from '../series/series.ts'
import type { Window } from '../range/range.ts'

/** Values of a series, sorted by time. `low` and `high` exist if each value aggregates several. */
export type Samples = {
  readonly times: readonly number[]
  readonly values: readonly Value[]
  readonly low?: readonly number[]
  readonly high?: readonly number[]
}

/** A row of the hub: `mvalue`, or the aggregates of a bucket. */
export type ValueRow = {
  readonly scode: string
  readonly mperiod: number
  readonly mvalidtime: string
  readonly mvalue?: Value | null
  readonly 'avg(mvalue)'?: number | null
  readonly 'min(mvalue)'?: number | null
  readonly 'max(mvalue)'?: number | null
  readonly 'last(mvalue)'?: Value | null
}

/** Converts rows of several stations to the samples of each series. */
export function toSamples(
  rows: readonly ValueRow[],
  series: readonly Series[],
): ReadonlyMap<string, Samples> {
  const byStation = Map.groupBy(rows, ({ scode }) => scode)
  return new Map(
    series.map((one) => {
      const ofStation = byStation.get(one.code) ?? []
      const own =
        one.period === undefined
          ? ofStation
          : ofStation.filter(({ mperiod }) => mperiod === one.period)
      return [one.key, samplesOf(own)]
    }),
  )
}

function samplesOf(rows: readonly ValueRow[]): Samples {
  const times: number[] = []
  const values: Value[] = []
  const low: number[] = []
  const high: number[] = []
  for (const row of rows) {
    const value = row.mvalue ?? row['avg(mvalue)'] ?? row['last(mvalue)']
    if (value === undefined || value === null) continue
    times.push(parseTime(row.mvalidtime))
    values.push(value)
    const [min, max] = [row['min(mvalue)'], row['max(mvalue)']]
    if (typeof min === 'number' && typeof max === 'number') {
      low.push(min)
      high.push(max)
    }
  }
  return low.length === times.length && low.length > 0
    ? { times, values, low, high }
    : { times, values }
}

/** Returns the index of the value nearest to a time, or -1 if none is within reach. */
export function nearest(times: readonly number[], at: number, reach: number): number {
  let [start, end] = [0, times.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((times[middle] ?? 0) < at) start = middle + 1
    else end = middle
  }
  const candidates = [start - 1, start].filter((index) => times[index] !== undefined)
  const best = candidates.toSorted(
    (a, b) => Math.abs((times[a] ?? 0) - at) - Math.abs((times[b] ?? 0) - at),
  )[0]
  return best !== undefined && Math.abs((times[best] ?? 0) - at) <= reach ? best : -1
}

/** A period during which a series of texts had the same value. */
export type Segment = { readonly from: number; readonly to: number; readonly text: string }

/**
 * Merges equal consecutive values without a gap into segments. A value lasts until the next one, or
 * for a single step if a gap follows.
 */
export function toSegments(
  { times, values }: Samples,
  gapAfter: number,
  window: Window,
): readonly Segment[] {
  const segments: Segment[] = []
  const lasts = gapAfter === 0 ? Number.POSITIVE_INFINITY : gapAfter
  for (const [index, from] of times.entries()) {
    const next = times[index + 1] ?? window.to
    const to = next - from > lasts ? from + lasts / 1.5 : next
    const value = values[index] ?? ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    const before = segments.at(-1)
    if (before?.text === text && before.to >= from) {
      segments[segments.length - 1] = { ...before, to }
    } else segments.push({ from, to, text })
  }
  return segments.flatMap(({ from, to, text }) => {
    const cut = { from: Math.max(from, window.from), to: Math.min(to, window.to), text }
    return cut.from < cut.to ? [cut] : []
  })
}

/**
 * Returns the texts of several series, those with the longest total duration first. Each has the
 * same colour in all series.
 */
export function textsOf(segments: readonly Segment[]): readonly string[] {
  const lengths = new Map<string, number>()
  for (const { text, from, to } of segments) lengths.set(text, (lengths.get(text) ?? 0) + to - from)
  return [...lengths].sort(([, a], [, b]) => b - a).map(([text]) => text)
}
