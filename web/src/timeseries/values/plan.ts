import { addressOf, quoteForWhere } from '../../api/index.ts'
import type { DescribedRequest } from '../../request/index.ts'
import type { Window } from '../range/range.ts'
import type { Series } from '../series/series.ts'
import { chooseResolution } from './resolution.ts'
import { day } from '../range/range.ts'
import { printTime } from '../series/series.ts'
import { pathOfSeries, whereExactly, whereSeries } from '../series/where.ts'
import type { Resolution } from './resolution.ts'

/** What the chart has to show, and the room for it in pixels. */
export type Wish = {
  readonly series: readonly Series[]
  readonly window: Window
  readonly room: number
  readonly zone: string
  readonly historyDays: number | null
}

/** A request for a group of series. */
export type Step = {
  readonly group: Group
  readonly request: DescribedRequest
  /** URL of the request, which identifies it. */
  readonly address: string
  readonly until: number
}

export function planOf({ series, window, room, zone, historyDays }: Wish): readonly Step[] {
  const groups = groupSeries(series, ({ kind, step }) =>
    chooseResolution({ window, room, kind, step, historyDays }),
  )
  return groups.map((group) => {
    const isFine = group.resolution.kind === 'raw' || /[mh]$/.test(group.resolution.bucket)
    const wide = toFetchWindow(window, isFine ? historyDays : null)
    const request = valueRequest(group, wide, zone)
    return { group, request, address: addressOf(request.path, request.query), until: wide.to }
  })
}

/**
 * Returns the window to request: slightly larger on both sides and aligned to a grid, so that small
 * moves need no further request, but never longer than the caller may request at once.
 */
export function toFetchWindow({ from, to }: Window, historyDays: number | null): Window {
  const grid = gridOf(to - from)
  const wide = { from: floor(from, grid), to: -floor(-to, grid) }
  if (historyDays === null || wide.to - wide.from <= historyDays * day) return wide
  return { from, to }
}

/**
 * Returns the grid: a power of two in seconds, about an eighth of the length, so that it rarely
 * changes while zooming.
 */
function gridOf(length: number): number {
  return 1000 * 2 ** Math.max(3, Math.round(Math.log2(length / 8000)))
}

function floor(time: number, grid: number): number {
  return Math.floor(time / grid) * grid
}

/** Series that share one request: same station type, data type, kind and resolution. */
type Group = {
  readonly series: readonly Series[]
  readonly resolution: Resolution
}

/** Chooses the resolution of each series and groups series that can share a request. */
function groupSeries(
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

/** Builds the request for the values of a group. Buckets follow the local time of the zone. */
function valueRequest(
  { series, resolution }: Group,
  window: Window,
  zone: string,
): DescribedRequest {
  const codes = series.map(({ code }) => quoteForWhere(code)).join(',')
  const isPlain = !pathOfSeries(series).includes('*')
  const where = isPlain ? `scode.in.(${codes})` : whereSeries(series)
  const wanted = { where, select: 'scode,mperiod,mvalidtime,mvalue' }
  return toRequest({ series, resolution }, window, { ...wanted, timezone: zone })
}

/** Builds the export request for all visible series, with the names of their stations. */
export function exportRequest(
  { series, resolution }: Group,
  window: Window,
  zone: string,
): DescribedRequest {
  const select = 'stype,scode,sname,tname,tunit,mperiod,mvalidtime,mvalue'
  const wanted = { where: whereExactly(series), select, timezone: zone }
  return toRequest({ series, resolution }, window, wanted)
}

function toRequest(
  { series, resolution }: Group,
  { from, to }: Window,
  { timezone, ...wanted }: Readonly<Record<'where' | 'select' | 'timezone', string>>,
): DescribedRequest {
  return {
    path: `/v2/flat,node/${pathOfSeries(series)}/${printTime(from)}/${printTime(to)}`,
    query: { ...wanted, ...bucketOf(resolution, series), timezone, limit: -1 },
  }
}

function bucketOf(resolution: Resolution, series: readonly Series[]) {
  if (resolution.kind === 'raw') return {}
  const isNumbers = series.every(({ kind }) => kind === 'number')
  return { bucket: resolution.bucket, agg: isNumbers ? 'avg,min,max' : 'last,count' }
}
