import type { Geometry } from 'geojson'
import type { Freshness } from '../../api/catalogue.ts'
import { loadFreshness, readJson } from '../../api/index.ts'

/** The newest value of a station. */
export type Latest = {
  readonly id: string
  readonly title: string
  readonly geometry: Geometry | undefined
  readonly value: number | string | undefined
  readonly unit: string
  readonly time: Date | undefined
  /** How fresh the hub finds the series. */
  readonly state: Freshness | 'none'
}

/** The request of the latest values of a type of stations. The hub answers 304 where nothing is new. */
export function latestRequest(stationType: string, dataType: string) {
  const [type, measure] = [stationType, dataType].map(encodeURIComponent)
  return {
    path: `/v2/flat,node/${type ?? ''}/${measure ?? ''}/latest`,
    query: {
      format: 'geojson',
      select: 'scode,sname,tname,mvalue,mvalidtime,mperiod,tunit',
      limit: -1,
    },
  } as const
}

/** The service writes `2026-11-22 08:27:00.000+0000`. */
export function toTime(written: string | null | undefined): Date | undefined {
  if (written === null || written === undefined) return undefined
  const time = new Date(written.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(time.getTime()) ? undefined : time
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

/** Asks for the latest values of all stations of a type. */
export async function loadLatest(
  stationType: string,
  dataType: string,
  signal: AbortSignal,
): Promise<readonly Latest[]> {
  const { path, query } = latestRequest(stationType, dataType)
  const [{ features }, freshnessOf] = await Promise.all([
    readJson<Answer>(path, query, signal),
    loadFreshness(stationType, `tname.eq.${JSON.stringify(dataType)}`, signal),
  ])
  return features.map(({ geometry, properties }) => ({
    id: properties.scode,
    title: properties.sname ?? properties.scode,
    geometry: geometry ?? undefined,
    value: toValue(properties.mvalue),
    unit: properties.tunit ?? '',
    time: toTime(properties.mvalidtime),
    state:
      toTime(properties.mvalidtime) === undefined ? 'none' : (freshnessOf(properties) ?? 'none'),
  }))
}

function toValue(value: unknown): number | string | undefined {
  if (typeof value === 'number' || typeof value === 'string') return value
  return value === null || value === undefined ? undefined : JSON.stringify(value)
}
