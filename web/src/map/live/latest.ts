import type { Geometry } from 'geojson'

/** The newest value of a station. */
export type Latest = {
  readonly id: string
  readonly title: string
  readonly geometry: Geometry | undefined
  readonly value: number | string | undefined
  readonly unit: string
  readonly time: Date | undefined
  /** Seconds from one value to the next, as the station promises. */
  readonly period: number
}

/** The request of the latest values of a type of stations. The hub answers 304 where nothing is new. */
export function latestRequest(stationType: string, dataType: string) {
  const [type, measure] = [stationType, dataType].map(encodeURIComponent)
  return {
    path: `/v2/flat,node/${type ?? ''}/${measure ?? ''}/latest`,
    query: {
      format: 'geojson',
      select: 'scode,sname,mvalue,mvalidtime,mperiod,tunit',
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

/** As the hub judges freshness: late after two periods, stale after six; a period lasts a minute or more. */
export function stateOf({ time, period }: Latest, now: Date): 'fresh' | 'late' | 'stale' | 'none' {
  if (time === undefined) return 'none'
  const periods = (now.getTime() - time.getTime()) / 1000 / Math.max(60, period)
  if (periods <= 2) return 'fresh'
  return periods <= 6 ? 'late' : 'stale'
}
