import { quoteForWhere } from '../../api/query.ts'
import { everyType } from './series.ts'
import type { SeriesId } from './series.ts'
import type { DescribedRequest } from '../../request/index.ts'

/** Returns the condition that selects these series. Their periods are ignored. */
export function whereSeries(ids: readonly SeriesId[]): string {
  const conditions = groupByKind(ids).map(({ type, dataType, codes }) => {
    const parts = [
      `stype.eq.${quoteForWhere(type)}`,
      ...(dataType === everyType ? [] : [`tname.eq.${quoteForWhere(dataType)}`]),
      `scode.in.(${codes.map(quoteForWhere).join(',')})`,
    ]
    return `and(${parts.join(',')})`
  })
  return conditions.length === 1 ? conditions.join('') : `or(${conditions.join(',')})`
}

/** Returns the condition that also distinguishes series by their period. */
export function whereExactly(ids: readonly SeriesId[]): string {
  const plain = ids.filter(({ period }) => period === undefined)
  const conditions = [
    ...(plain.length === 0 ? [] : [whereSeries(plain)]),
    ...ids.flatMap((id) =>
      id.period === undefined
        ? []
        : [whereSeries([id]).replace(/\)$/, `,mperiod.eq.${String(id.period)})`)],
    ),
  ]
  return conditions.length === 1 ? conditions.join('') : `or(${conditions.join(',')})`
}

/** Returns the station types and data types of series as the two segments of a path. */
export function pathOfSeries(ids: readonly SeriesId[]): string {
  const types = namesOf(ids.map(({ type }) => type))
  return `${types}/${namesOf(ids.map(({ dataType }) => dataType))}`
}

/**
 * Joins names with commas for a path. A name that contains a comma cannot be written that way, so
 * the result is `*`, and the `where` condition must select.
 */
export function namesOf(names: readonly string[]): string {
  const different = [...new Set(names)]
  if (different.some((name) => name.includes(',') || name === everyType)) return everyType
  return different.map(encodeURIComponent).join(',')
}

type Kind = { readonly type: string; readonly dataType: string; readonly codes: readonly string[] }

/** Groups series by station type and data type, so that they are requested together. */
function groupByKind(ids: readonly SeriesId[]): readonly Kind[] {
  const kinds = new Map<string, { type: string; dataType: string; codes: Set<string> }>()
  for (const { type, dataType, code } of ids) {
    const key = JSON.stringify([type, dataType])
    const kind = kinds.get(key) ?? { type, dataType, codes: new Set() }
    kind.codes.add(code)
    kinds.set(key, kind)
  }
  return [...kinds.values()].map((kind) => ({ ...kind, codes: [...kind.codes] }))
}

const fields = 'stype,scode,sname,tname,tunit,tdescription,mperiod,kind,state,expectedPeriod'

/** Builds the request that describes series. */
export function freshnessRequest(ids: readonly SeriesId[], select = fields): DescribedRequest {
  return {
    path: `/v2/freshness/${namesOf(ids.map(({ type }) => type))}`,
    query: { where: whereSeries(ids), select, limit: -1 },
  }
}

/** Builds the request for the latest values of series. */
export function latestRequest(ids: readonly SeriesId[]): DescribedRequest {
  const select = 'stype,scode,tname,mperiod,mvalidtime,mvalue'
  return {
    path: `/v2/flat,node/${pathOfSeries(ids)}/latest`,
    query: { where: whereSeries(ids), select, limit: -1 },
  }
}
