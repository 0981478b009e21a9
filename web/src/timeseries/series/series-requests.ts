import type { DescribedRequest } from '../../request/index.ts'
import type { SeriesId } from './series-id.ts'
import { namesOf, pathOfSeries, whereSeries } from './where.ts'

const fields = 'stype,scode,sname,tname,tunit,tdescription,mperiod,kind,state,expectedPeriod'

/** What series are. */
export function freshnessRequest(ids: readonly SeriesId[], select = fields): DescribedRequest {
  return {
    path: `/v2/freshness/${namesOf(ids.map(({ type }) => type))}`,
    query: { where: whereSeries(ids), select, limit: -1 },
  }
}

/** The latest value of each. */
export function latestRequest(ids: readonly SeriesId[]): DescribedRequest {
  const select = 'stype,scode,tname,mperiod,mvalidtime,mvalue'
  return {
    path: `/v2/flat,node/${pathOfSeries(ids)}/latest`,
    query: { where: whereSeries(ids), select, limit: -1 },
  }
}
