import { readJson } from './read-json.ts'

/** How fresh the hub finds a series; it alone judges, so that a table, a map and a chart say the same. */
export type Freshness = 'fresh' | 'late' | 'stale' | 'silent'

/** What tells the series of a type of stations apart. */
export type SeriesNames = {
  readonly scode: string
  readonly tname: string
  readonly mperiod?: number | null
}

/** The freshness of each series that was requested. */
export type FreshnessOf = (series: SeriesNames) => Freshness | undefined

type Row = SeriesNames & { readonly state: Freshness }

/** Reads the freshness of the series of a type of stations that match a condition of `where`. */
export async function loadFreshness(
  stationType: string,
  where: string,
  signal: AbortSignal,
): Promise<FreshnessOf> {
  const query = { select: 'scode,tname,mperiod,state', where, limit: -1 }
  const path = `/v2/freshness/${encodeURIComponent(stationType)}`
  const { data } = await readJson<{ readonly data: readonly Row[] }>(path, query, signal)
  const states = new Map(data.map((row) => [keyOf(row), row.state]))
  return (series) => states.get(keyOf(series))
}

/** Whether nobody should take its latest value for the present one. */
export function isOld(freshness: Freshness | undefined): boolean {
  return freshness === 'stale' || freshness === 'silent'
}

function keyOf({ scode, tname, mperiod }: SeriesNames): string {
  return JSON.stringify([scode, tname, mperiod ?? 0])
}
