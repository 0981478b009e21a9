import type { DescribedRequest } from '../request/index.ts'
import { seriesCodec, seriesParameter } from './series/series.ts'
import { freshnessRequest, latestRequest } from './series/where.ts'
import { readJson } from '../api/index.ts'

const quotaRequest = { path: '/quota' } as const

/** What the view requests as it begins: as `loadSeries` and `loadHistoryDays` do. */
export function firstRequests(search: URLSearchParams): readonly DescribedRequest[] {
  const ids = seriesCodec.read(search.getAll(seriesParameter))
  const ofSeries = ids.length === 0 ? [] : [freshnessRequest(ids), latestRequest(ids)]
  return [...ofSeries, quotaRequest]
}

type Quota = { readonly isEnforced: boolean; readonly historyDays: number | null }

/**
 * Days of history that the caller may request at once in fine steps; null: any number. Who cannot be told
 * finds out by asking.
 */
export async function loadHistoryDays(signal?: AbortSignal): Promise<number | null> {
  const { isEnforced, historyDays } = await readJson<Quota>(quotaRequest.path, {}, signal)
  return isEnforced ? historyDays : null
}
