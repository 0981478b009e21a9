import { readJson } from '../../api/index.ts'
import type { SeriesId } from './series-id.ts'
import { toFound } from './found.ts'
import type { Found, LatestRow, Row } from './found.ts'
import { freshnessRequest, latestRequest } from './series-requests.ts'

type Page<Of> = { readonly data: readonly Of[] }

/** Reads what the series of the address are, and their latest values. */
export async function loadSeries(ids: readonly SeriesId[], signal?: AbortSignal): Promise<Found> {
  if (ids.length === 0) return { series: [], missing: [] }
  const [described, latest] = [freshnessRequest(ids), latestRequest(ids)]
  const [rows, values] = await Promise.all([
    readJson<Page<Row>>(described.path, described.query, signal),
    readJson<Page<LatestRow>>(latest.path, latest.query, signal),
  ])
  return toFound(ids, rows.data, values.data)
}
