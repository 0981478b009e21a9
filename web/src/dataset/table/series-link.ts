import type { Dataset } from '../query/index.ts'

/** Where the values of a station are drawn over time; of all its data types where none is named. */
export function seriesLink({ type }: Dataset, code: string, dataType = '*'): string {
  const series = [type, code, dataType]
    .map((part) => (part === '*' ? part : part.replace(/[%/]/g, encodeURIComponent)))
    .join('/')
  return `/timeseries?${new URLSearchParams({ series }).toString()}`
}
