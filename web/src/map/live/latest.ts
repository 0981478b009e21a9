import type { Geometry } from 'geojson'
import type { Freshness } from '../../api/freshness.ts'

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
