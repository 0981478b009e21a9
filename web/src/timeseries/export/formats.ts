import type { DescribedRequest } from '../../request/index.ts'
import type { Window } from '../range/range.ts'
import type { Series } from '../series/series.ts'
import { exportRequest } from '../values/plan.ts'
import type { Shown } from '../values/values.svelte.ts'

export type Format = {
  readonly name: string
  readonly label: string
  readonly mediaType: string
  readonly extension: string
}

const format = (label: string, mediaType: string, extension = label.toLowerCase()): Format => ({
  ...{ name: label.toLowerCase(), label, mediaType, extension },
})

/** Formats of the hub for time series (docs/time-series.md). */
export const formats: readonly Format[] = [
  format('CSV', 'text/csv'),
  format('JSON', 'application/json'),
  format('NDJSON', 'application/x-ndjson'),
  format('GeoJSON', 'application/geo+json'),
  format('Arrow', 'application/vnd.apache.arrow.stream', 'arrows'),
  format('Parquet', 'application/vnd.apache.parquet'),
]

/**
 * Returns a file name from content and period: `ParkingStation-occupied-2026-11-01-2026-11-08.csv`.
 */
export function fileName(path: string, { extension }: Pick<Format, 'extension'>): string {
  const [types = '', dataTypes = '', from = '', to = ''] = path
    .split('/')
    .slice(3)
    .map(decodeURIComponent)
  const parts = [types, dataTypes, from.slice(0, 10), to.slice(0, 10)]
  return `${parts.join('-').replace(/[^\w.,-]+/g, '_')}.${extension}`
}

type Seen = {
  readonly visible: readonly Series[]
  readonly window: Window
  readonly zone: string
}

/**
 * Builds one request for all visible series, in the resolution of the coarsest; undefined if there
 * is nothing to export.
 */
export function exportOf(
  { visible, window, zone }: Seen,
  shown: Shown | undefined,
): DescribedRequest | undefined {
  const resolutions = visible.map(({ key }) => shown?.resolutions.get(key))
  const known = resolutions.filter((one) => one !== undefined)
  if (visible.length === 0 || known.length < visible.length) return undefined
  const lengthOf = (one: (typeof known)[number]) => (one.kind === 'raw' ? 0 : one.length)
  const [coarsest] = known.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return coarsest === undefined
    ? undefined
    : exportRequest({ series: visible, resolution: coarsest }, window, zone)
}
