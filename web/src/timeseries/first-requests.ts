import type { DescribedRequest } from '../request/index.ts'
import { seriesCodec, seriesParameter } from './series/series-id.ts'
import { freshnessRequest, latestRequest } from './series/series-requests.ts'

export const quotaRequest = { path: '/quota' } as const

/** What the view requests as it begins: as `loadSeries` and `loadHistoryDays` do. */
export function firstRequests(search: URLSearchParams): readonly DescribedRequest[] {
  const ids = seriesCodec.read(search.getAll(seriesParameter))
  const ofSeries = ids.length === 0 ? [] : [freshnessRequest(ids), latestRequest(ids)]
  return [...ofSeries, quotaRequest]
}
