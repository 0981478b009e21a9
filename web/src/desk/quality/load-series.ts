import { readJson } from '../../api/index.ts'

/** A series of a list (`GET /v2/freshness/{stationType}`). */
export type Series = {
  readonly stype: string
  readonly scode: string
  readonly sname: string
  readonly tname: string
  readonly mperiod: number
  readonly mvalidtime?: string
  readonly missingHours?: number
}

/** Number of series on a page. */
export const pageSize = 100

const select = 'stype,scode,sname,tname,mperiod,mvalidtime,missingHours'

type Page = { readonly stationType: string; readonly where: string; readonly offset: number }

/** Loads a page of the series that match a condition. */
export async function loadSeriesList({ stationType, where, offset }: Page, signal: AbortSignal) {
  const path = `/v2/freshness/${encodeURIComponent(stationType)}`
  const query = { where, select, limit: pageSize, offset }
  return (await readJson<{ readonly data: readonly Series[] }>(path, query, signal)).data
}

/** Returns the URL of a series' chart. Slashes and per cent signs in names are encoded. */
export function chartOf({ stype, scode, tname, mperiod }: Series): string {
  const parts = [stype, scode, tname].map((part) => part.replace(/[%/]/g, encodeURIComponent))
  const search = new URLSearchParams({ series: [...parts, String(mperiod)].join('/') })
  return `/timeseries?${search.toString()}`
}
