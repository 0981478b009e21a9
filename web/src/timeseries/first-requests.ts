import type { DescribedRequest } from '../request/index.ts'
import { seriesCodec, seriesParameter } from './series/series.ts'
import { freshnessRequest, latestRequest } from './series/where.ts'
import { readJson } from '../api/index.ts'

const quotaRequest = { path: '/quota' } as const

/**
 * Returns the first requests of the view, which must match those of `loadSeries` and
 * `loadHistoryDays`.
 */
export function firstRequests(search: URLSearchParams): readonly DescribedRequest[] {
  const ids = seriesCodec.read(search.getAll(seriesParameter))
  const ofSeries = ids.length === 0 ? [] : [freshnessRequest(ids), latestRequest(ids)]
  return [...ofSeries, quotaRequest]
}

type Quota = { readonly isEnforced: boolean; readonly historyDays: number | null }

/**
 * Loads the number of days of history that the caller may request at once in fine resolution; null
 * if unlimited.
 */
export async function loadHistoryDays(signal?: AbortSignal): Promise<number | null> {
  const { isEnforced, historyDays } = await readJson<Quota>(quotaRequest.path, {}, signal)
  return isEnforced ? historyDays : null
}
