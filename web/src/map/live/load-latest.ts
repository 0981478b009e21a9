import type { Geometry } from 'geojson'
import { loadFreshness, readJson } from '../../api/index.ts'
import { latestRequest, toTime } from './latest.ts'
import type { Latest } from './latest.ts'

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
