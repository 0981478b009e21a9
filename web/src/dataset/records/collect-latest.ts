import { isOld } from '../../api/freshness.ts'
import type { FreshnessOf } from '../../api/freshness.ts'

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

/** Latest values by station and data type; of several the youngest. */
export function collectLatest(
  rows: readonly LatestRow[],
  freshnessOf: FreshnessOf,
): ReadonlyMap<string, Latest> {
  const found = new Map<string, Record<string, unknown>>()
  const ordered = rows.toSorted((a, b) => a.mvalidtime.localeCompare(b.mvalidtime))
  for (const row of ordered) {
    const station = found.get(row.scode) ?? {}
    station[row.tname] = {
      value: row.mvalue,
      unit: row.tunit ?? '',
      at: row.mvalidtime.replace(' ', 'T'),
      isOld: isOld(freshnessOf(row)),
    }
    found.set(row.scode, station)
  }
  return found
}
