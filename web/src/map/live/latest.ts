import type { Geometry } from 'geojson'
import type { Freshness } from '../../api/catalogue.ts'
import { freshnessRequest, loadFreshness, quoteForWhere, readJson } from '../../api/index.ts'
import { readTime } from '../../language/zoned.ts'

/** The latest value of a station. */
export type Latest = {
  readonly id: string
  readonly title: string
  readonly geometry: Geometry | undefined
  readonly value: number | string | undefined
  readonly unit: string
  readonly time: Date | undefined
  /** Freshness of the series, as judged by the hub. */
  readonly state: Freshness | 'none'
}

/** Builds the requests for the latest values of a station type and for their freshness. */
export function latestRequests(stationType: string, dataType: string) {
  const [type = '', measure = ''] = [stationType, dataType].map(encodeURIComponent)
  const query = {
    format: 'geojson',
    select: 'scode,sname,tname,mvalue,mvalidtime,mperiod,tunit',
    limit: -1,
  }
  return [
    { path: `/v2/flat,node/${type}/${measure}/latest`, query },
    freshnessRequest(stationType, `tname.eq.${quoteForWhere(dataType)}`),
  ] as const
}

type Properties = {
  readonly scode: string
  readonly tname: string
  readonly sname?: string | null
  readonly mvalue?: unknown
  readonly mvalidtime?: string | null
  readonly mperiod?: number | null
  readonly tunit?: string | null
}
type Answer = {
  readonly features: readonly {
    readonly geometry: Geometry | null
    readonly properties: Properties
  }[]
}

/** The latest values of a data type, and when they were requested. */
export type LatestOf = {
  readonly dataType: string
  readonly values: readonly Latest[]
  readonly asked: Date
}

/** Loads the latest values of all stations of a type. */
export async function loadLatest(
  stationType: string,
  dataType: string,
  signal: AbortSignal,
): Promise<LatestOf> {
  const [latest, freshness] = latestRequests(stationType, dataType)
  const [{ features }, freshnessOf] = await Promise.all([
    readJson<Answer>(latest.path, latest.query, signal),
    loadFreshness(freshness, signal),
  ])
  const values = features.map(({ geometry, properties }): Latest => {
    const time = readTime(properties.mvalidtime ?? '')
    return {
      id: properties.scode,
      title: properties.sname ?? properties.scode,
      geometry: geometry ?? undefined,
      value: toValue(properties.mvalue),
      unit: properties.tunit ?? '',
      time,
      state: time === undefined ? 'none' : (freshnessOf(properties) ?? 'none'),
    }
  })
  return { dataType, values, asked: new Date() }
}

function toValue(value: unknown): number | string | undefined {
  if (typeof value === 'number' || typeof value === 'string') return value
  return value === null || value === undefined ? undefined : JSON.stringify(value)
}
