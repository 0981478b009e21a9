import {
  addressOf,
  freshnessRequest,
  isObject,
  loadFreshness,
  readJson,
  readResponse,
} from '../../api/index.ts'
import type { Item } from '../columns/to-cell.ts'
import { latestKey } from '../columns/to-cell.ts'
import type { Dataset, DatasetQuery } from '../query/dataset-query.ts'
import { toCountRequest, toLatestRequest, toListRequest } from '../query/to-requests.ts'
import type { ApiRequest } from '../query/to-requests.ts'
import { isOld } from '../../api/catalogue.ts'
import type { FreshnessOf } from '../../api/catalogue.ts'

/** A page of records, as received. */
export type Page = {
  readonly items: readonly Item[]
  /** Number of all matching records. */
  readonly total: number
  /** The unchanged response text. */
  readonly text: string
  readonly request: ApiRequest
  /** Cursor of the next page. It costs the same however far down that page is. */
  readonly cursor: string | undefined
  /** The hub's description of what it withheld. */
  readonly withheld: string | undefined
}

/** Everything that determines the pages: dataset, query, fields and page size. */
export type PageSource = {
  readonly dataset: Dataset
  readonly query: DatasetQuery
  readonly fields: readonly string[]
  readonly pageSize: number
}

type PageWish = { readonly page: number; readonly cursor: string | undefined }

/** Loads one page of a dataset. */
export function loadPage(source: PageSource, wish: PageWish, signal: AbortSignal): Promise<Page> {
  return source.dataset.service === 'content'
    ? loadRecords(source, wish, signal)
    : loadStations(source, wish, signal)
}

type ListBody = {
  readonly TotalResults?: number
  readonly Items?: readonly Item[]
}

async function loadRecords(
  source: PageSource,
  { page, cursor }: PageWish,
  signal: AbortSignal,
): Promise<Page> {
  const { dataset, query, fields, pageSize } = source
  const plain = toListRequest(dataset, query, { page, size: pageSize, fields })
  // A page by cursor costs the same at any position, so it replaces the page number.
  const { pagenumber, ...others } = plain.query
  const request = cursor === undefined ? plain : { ...plain, query: { ...others, cursor } }
  const response = await readResponse(request.path, request.query, { signal })
  const text = await response.text()
  const body = await parse<ListBody>(text)
  return {
    items: body.Items ?? [],
    total: body.TotalResults ?? 0,
    text,
    request: pagenumber === undefined ? request : plain,
    cursor: cursorOf(response.headers.get('link')),
    withheld: response.headers.get('x-withheld') ?? undefined,
  }
}

type Rows<Row> = { readonly data: readonly Row[] }

async function loadStations(
  source: PageSource,
  { page }: PageWish,
  signal: AbortSignal,
): Promise<Page> {
  const { dataset, query, pageSize } = source
  const request = toListRequest(dataset, query, { page, size: pageSize })
  const [response, total] = await Promise.all([
    readResponse(request.path, request.query, { signal }),
    countStations(dataset, query, signal),
  ])
  const text = await response.text()
  const { data } = await parse<Rows<Item>>(text)
  const latest =
    data.length === 0 ? new Map<string, Latest>() : await loadLatest(source, data, signal)
  return {
    items: data.map((station) => ({
      ...flatten(station),
      [latestKey]: latest.get(String(station['scode'])) ?? {},
    })),
    total,
    text,
    request,
    cursor: undefined,
    withheld: response.headers.get('x-withheld') ?? undefined,
  }
}

async function countStations(dataset: Dataset, query: DatasetQuery, signal: AbortSignal) {
  const { path, query: parameters } = toCountRequest(dataset, query)
  const { data } = await readJson<Rows<Readonly<Record<string, number>>>>(path, parameters, signal)
  return data[0]?.['count(scode)'] ?? 0
}

async function loadLatest(
  { dataset, query }: PageSource,
  stations: readonly Item[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Latest>> {
  const codes = stations.map((station) => String(station['scode']))
  const { path, query: parameters } = toLatestRequest(dataset, query, codes)
  const [{ data }, freshnessOf] = await Promise.all([
    readJson<Rows<LatestRow>>(path, parameters, signal),
    loadFreshness(freshnessRequest(dataset.type, String(parameters['where'])), signal),
  ])
  return collectLatest(data, freshnessOf)
}

/** Parses a JSON text. The caller vouches for its type. */
function parse<Body>(text: string): Promise<Body> {
  const answer: { readonly json: () => Promise<Body> } = new Response(text)
  return answer.json()
}

/**
 * Copies the fields of `smetadata` to keys such as `smetadata.name`, the paths that `select` uses.
 */
function flatten(station: Item): Item {
  const { smetadata } = station
  if (!isObject(smetadata)) return station
  const members = Object.entries(smetadata).map(
    ([name, value]) => [`smetadata.${name}`, value] as const,
  )
  return { ...station, ...Object.fromEntries(members) }
}

/** Returns a key that identifies a set of pages. */
export function keyOf({ dataset, query, fields }: PageSource): string {
  // Stations always arrive with all fields.
  const asked = dataset.service === 'content' ? fields : []
  const { path, query: parameters } = toListRequest(dataset, query, {
    page: 0,
    size: 1,
    fields: asked,
  })
  return addressOf(path, { ...parameters, data: query.dataTypes.join() })
}

/** A row of `/latest`, with the fields that are requested here. */
type LatestRow = {
  readonly scode: string
  readonly tname: string
  readonly tunit?: string
  readonly mvalue?: unknown
  readonly mvalidtime: string
  readonly mperiod?: number
}

/** Latest values of a station by data type. */
type Latest = Readonly<Record<string, unknown>>

/** Collects latest values by station and data type. If there are several, the newest wins. */
export function collectLatest(
  rows: readonly LatestRow[],
  freshnessOf: FreshnessOf,
): ReadonlyMap<string, Latest> {
  const found = new Map<string, Record<string, unknown>>()
  const ordered = rows.toSorted((a, b) => a.mvalidtime.localeCompare(b.mvalidtime))
  for (const row of ordered) {
    const station = found.get(row.scode) ?? {}
    station[row.tname] = {
      value: row.mvalue,
      unit: row.tunit ?? '',
      at: row.mvalidtime.replace(' ', 'T'),
      isOld: isOld(freshnessOf(row)),
    }
    found.set(row.scode, station)
  }
  return found
}

/** Returns the cursor in the link to the next page (RFC 8288). */
export function cursorOf(link: string | null): string | undefined {
  const next = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1]
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}
