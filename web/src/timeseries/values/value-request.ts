import type { DescribedRequest } from '../../request/index.ts'
import type { Window } from '../range/range.ts'
import type { Series } from '../series/series.ts'
import { printTime } from '../series/time-text.ts'
import { pathOfSeries, quote, whereExactly, whereSeries } from '../series/where.ts'
import type { Resolution } from './resolution.ts'

/** Series that one request can answer: of one station type, data type and kind, at one resolution. */
export type Group = {
  readonly series: readonly Series[]
  readonly resolution: Resolution
}

/** The resolutions of all series, and those that go together. */
export function groupSeries(
  series: readonly Series[],
  resolutionOf: (one: Series) => Resolution,
): readonly Group[] {
  const groups = new Map<string, { series: Series[]; resolution: Resolution }>()
  for (const one of series) {
    const resolution = resolutionOf(one)
    const bucket = resolution.kind === 'bucket' ? resolution.bucket : ''
    const key = JSON.stringify([one.type, one.dataType, one.kind, bucket])
    const group = groups.get(key) ?? { series: [], resolution }
    group.series.push(one)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Asks for the values of a group in a window; buckets follow the clocks of the zone. */
export function valueRequest(
  { series, resolution }: Group,
  window: Window,
  zone: string,
): DescribedRequest {
  const codes = series.map(({ code }) => quote(code)).join(',')
  const isPlain = !pathOfSeries(series).includes('*')
  return {
    path: `/v2/flat,node/${pathOfSeries(series)}/${printTime(window.from)}/${printTime(window.to)}`,
    query: {
      where: isPlain ? `scode.in.(${codes})` : whereSeries(series),
      select: 'scode,mperiod,mvalidtime,mvalue',
      ...bucketOf(resolution, series),
      timezone: zone,
      limit: -1,
    },
  }
}

/** What everything seen is exported by: one request for all series, with the names of their stations. */
export function exportRequest(
  { series, resolution }: Group,
  window: Window,
  zone: string,
): DescribedRequest {
  return {
    path: `/v2/flat,node/${pathOfSeries(series)}/${printTime(window.from)}/${printTime(window.to)}`,
    query: {
      where: whereExactly(series),
      select: 'stype,scode,sname,tname,tunit,mperiod,mvalidtime,mvalue',
      ...bucketOf(resolution, series),
      timezone: zone,
      limit: -1,
    },
  }
}

function bucketOf(resolution: Resolution, series: readonly Series[]) {
  if (resolution.kind === 'raw') return {}
  const isNumbers = series.every(({ kind }) => kind === 'number')
  return { bucket: resolution.bucket, agg: isNumbers ? 'avg,min,max' : 'last,count' }
}
