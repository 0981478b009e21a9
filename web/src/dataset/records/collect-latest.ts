import { readTime } from '../../language/read-time.ts'

/** A row of `/latest`, as it is requested here. */
export type LatestRow = {
  readonly scode: string
  readonly tname: string
  readonly tunit?: string
  readonly mvalue?: unknown
  readonly mvalidtime: string
  readonly mperiod?: number
}

/** Latest values of a station by data type. */
export type Latest = Readonly<Record<string, unknown>>

/** Periods after which a value is old. */
const oldAfter = 3

/** Latest values by station and data type; of several the youngest. */
export function collectLatest(
  rows: readonly LatestRow[],
  now: number,
): ReadonlyMap<string, Latest> {
  const found = new Map<string, Record<string, unknown>>()
  const ordered = rows.toSorted((a, b) => a.mvalidtime.localeCompare(b.mvalidtime))
  for (const { scode, tname, tunit, mvalue, mvalidtime, mperiod = 0 } of ordered) {
    const at = mvalidtime.replace(' ', 'T')
    const age = (now - (readTime(mvalidtime)?.getTime() ?? now)) / 1000
    const isOld = mperiod > 0 && age > Math.max(mperiod, 60) * oldAfter
    const station = found.get(scode) ?? {}
    station[tname] = { value: mvalue, unit: tunit ?? '', at, isOld }
    found.set(scode, station)
  }
  return found
}
