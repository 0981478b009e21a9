import { readJson } from '../../api/index.ts'
import { day } from '../range/range.ts'
import type { Window } from '../range/range.ts'
import type { Series } from '../series/series.ts'
import { parseTime } from '../series/time-text.ts'
import { pathOfSeries, whereSeries } from '../series/where.ts'

type Row = { readonly mvalidtime: string }

/** From the first month that has values of these series to the last; undefined if there are none. */
export async function loadExtent(
  series: readonly Series[],
  zone: string,
  signal: AbortSignal,
): Promise<Window | undefined> {
  const { data } = await readJson<{ readonly data: readonly Row[] }>(
    `/v2/flat,node/${pathOfSeries(series)}/1970-01-01/2100-01-01`,
    {
      where: whereSeries(series),
      bucket: '1mo',
      agg: 'count',
      select: 'scode,mvalidtime,mvalue',
      timezone: zone,
      limit: -1,
    },
    signal,
  )
  const times = data.map(({ mvalidtime }) => parseTime(mvalidtime))
  const latest = series.flatMap((one) => (one.latest === undefined ? [] : [one.latest.time]))
  if (times.length === 0) return undefined
  const from = Math.min(...times)
  return { from, to: Math.max(from + day, ...latest) }
}
