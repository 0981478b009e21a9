import type { Dataset as DatasetEntry } from '../../api/index.ts'
import { withoutFilters } from '../query/dataset-query.ts'
import type { Dataset, DatasetQuery } from '../query/dataset-query.ts'
import { toStreamRequest, toValuesRequest } from '../query/to-requests.ts'
import type { ApiRequest } from '../query/to-requests.ts'

/** The user's choice of what to export. */
export type ExportWish = {
  /** Format by its name in the API, or `excel`: CSV with a byte order mark. */
  readonly format: string
  readonly records: 'these' | 'all'
  readonly members: 'shown' | 'all'
  /** For station types: the stations themselves, or their latest values. */
  readonly what: 'stations' | 'latest'
}

/** Formats that the hub streams as a whole. Of any other format it returns one page. */
const streamed = ['json', 'csv', 'ndjson', 'geojson', 'arrow', 'parquet']

/** Maximum number of records on a page. */
const longestPage = 1000

/** Formats that always contain all fields. */
const whole = ['json-ld', 'rawdata']

/**
 * Returns the formats in which so many records fit into one response. CSV for Excel follows CSV.
 */
export function exportFormats(formats: DatasetEntry['formats'], count: number): readonly string[] {
  return formats
    .map(({ name }) => name)
    .filter((name) => streamed.includes(name) || (isWhole(name) && count <= longestPage))
    .flatMap((name) => (name === 'csv' ? ['csv', 'excel'] : [name]))
}

/** Reports whether a format always contains all fields. */
export function isWhole(format: string): boolean {
  return whole.includes(format)
}

/** Builds the one request whose response is the whole file. */
export function toExportRequest(
  dataset: Dataset,
  query: DatasetQuery,
  { wish, fields }: { readonly wish: ExportWish; readonly fields: readonly string[] },
): ApiRequest {
  const isExcel = wish.format === 'excel'
  const format = isExcel ? 'csv' : wish.format
  const chosen = wish.records === 'all' ? withoutFilters(query) : query
  const members = wish.members === 'all' || isWhole(format) ? [] : fields
  const request =
    wish.what === 'latest'
      ? latestValues(dataset, chosen, format)
      : toStreamRequest(dataset, chosen, { format, fields: members })
  const { stream, ...others } = request.query
  const paged = isWhole(format) ? { ...others, pagesize: longestPage } : { ...others, stream }
  return { path: request.path, query: isExcel ? { ...paged, bom: true } : paged }
}

function latestValues(dataset: Dataset, query: DatasetQuery, format: string): ApiRequest {
  const request = toValuesRequest(dataset, query)
  return { ...request, query: { ...request.query, format } }
}

const endings: Readonly<Record<string, string>> = {
  excel: 'csv',
  'json-ld': 'jsonld',
  rawdata: 'txt',
}

/** Returns a file name such as `Event-2026-11-22.csv`. */
export function fileName({ type }: Dataset, format: string, now: Date): string {
  const day = now.toISOString().slice(0, 10)
  return `${type.replace(/[^\w-]+/g, '-')}-${day}.${endings[format] ?? format}`
}

const lineFeed = 10
const quote = 34

/**
 * Returns a function that counts records as chunks pass by, for formats with one record per line;
 * it returns undefined for any other format. In CSV the first line is the header, and line breaks
 * within quotes do not count (RFC 4180).
 */
export function recordCounter(format: string): (chunk: Uint8Array) => number | undefined {
  const isCsv = format === 'csv' || format === 'excel'
  if (!isCsv && format !== 'ndjson') return () => undefined
  let lines = 0
  let isQuoted = false
  return (chunk) => {
    for (const byte of chunk) {
      if (isCsv && byte === quote) isQuoted = !isQuoted
      else if (byte === lineFeed && !isQuoted) lines += 1
    }
    return isCsv ? Math.max(0, lines - 1) : lines
  }
}
