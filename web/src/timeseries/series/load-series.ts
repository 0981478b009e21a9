import { readJson } from '../../api/index.ts'
import type { DescribedRequest } from '../../request/index.ts'
import type { SeriesId } from './series-id.ts'
import { toFound } from './found.ts'
import type { Found, LatestRow, Row } from './found.ts'
import { namesOf, pathOfSeries, whereSeries } from './where.ts'

type Page<Of> = { readonly data: readonly Of[] }

const fields = 'stype,scode,sname,tname,tunit,tdescription,mperiod,kind,state,expectedPeriod'

export function freshnessRequest(ids: readonly SeriesId[], select = fields): DescribedRequest {
  return {
    path: `/v2/freshness/${namesOf(ids.map(({ type }) => type))}`,
    query: { where: whereSeries(ids), select, limit: -1 },
  }
}

export function latestRequest(ids: readonly SeriesId[]): DescribedRequest {
  const select = 'stype,scode,tname,mperiod,mvalidtime,mvalue'
  return {
    path: `/v2/flat,node/${pathOfSeries(ids)}/latest`,
    query: { where: whereSeries(ids), select, limit: -1 },
  }
}

/** Reads what the series of the address are, and their latest values. */
export async function loadSeries(ids: readonly SeriesId[], signal: AbortSignal): Promise<Found> {
  if (ids.length === 0) return { series: [], missing: [] }
  const [described, latest] = [freshnessRequest(ids), latestRequest(ids)]
  const [rows, values] = await Promise.all([
    readJson<Page<Row>>(described.path, described.query, signal),
    readJson<Page<LatestRow>>(latest.path, latest.query, signal),
  ])
  return toFound(ids, rows.data, values.data)
}
