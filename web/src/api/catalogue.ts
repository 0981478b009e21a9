import type { Checks, Members, Values } from '../../../src/catalogue/detail-schemas.ts'
import type { Catalogue, Dataset } from '../../../src/catalogue/schemas.ts'
import type { Explorer } from '../../../src/explorer/schema.ts'
import { readJson } from './read-json.ts'
import type { GetRequest } from './read-json.ts'
import { askAsAnybody } from './ask.ts'
import { once } from './cache.ts'

export type { Catalogue, Dataset, Explorer, Members, Values }

// Harvesters get another representation at the same URL.
export const catalogueRequest = { path: '/catalogue' } as const

/** @throws RequestFailure */
export function loadCatalogue(signal?: AbortSignal): Promise<Catalogue> {
  return readJson<Catalogue>(catalogueRequest.path, {}, signal)
}

/** A query parameter of the list of records that the user can filter by. */
export type Parameter = Members['parameters'][number]

/** A field of the records, by the path that `fields`, `where` and similar parameters use. */
export type Member = Members['members'][number]

/** The hub's check of an expression: its errors and its warnings. */
export type Check = Checks['checks'][number]

/** An error or a warning about an expression. */
export type Issue = Check['errors'][number]

type Which = Pick<Dataset, 'service' | 'type'>

const pathOf = ({ service, type }: Which) => `/catalogue/${service}/${encodeURIComponent(type)}`

/** Returns the requests that a view of a dataset needs before it requests records. */
export function detailRequests(dataset: Which): readonly GetRequest[] {
  return [{ path: pathOf(dataset) }, { path: `${pathOf(dataset)}/members` }]
}

/** @throws RequestFailure */
export function loadDataset(dataset: Which, signal: AbortSignal): Promise<Dataset> {
  return readJson<Dataset>(pathOf(dataset), {}, signal)
}

/** @throws RequestFailure */
export function loadMembers(dataset: Which, signal: AbortSignal): Promise<Members> {
  return readJson<Members>(`${pathOf(dataset)}/members`, {}, signal)
}

/** @throws RequestFailure */
export function loadValues(dataset: Which, signal: AbortSignal): Promise<Values> {
  return readJson<Values>(`${pathOf(dataset)}/values`, {}, signal)
}

type ExpressionCheck = {
  readonly parameter: string
  readonly written: string
}

/**
 * Validates an expression on the hub without running it.
 * @throws RequestFailure
 */
export async function checkExpression(
  dataset: Which,
  { parameter, written }: ExpressionCheck,
  signal: AbortSignal,
): Promise<Check | undefined> {
  const query = {
    [parameter]: written,
    ...(dataset.service === 'content' ? {} : { at: 'stations' }),
  }
  const path = `${pathOf(dataset)}/check`
  const { checks } = await readJson<Checks>(path, query, signal)
  return checks.find((check) => check.parameter === parameter)
}

type Answer = { readonly json: () => Promise<Explorer> }

/**
 * Loads the settings of the page once. It sends no token: renewing a token requires these settings,
 * so waiting for one would be a deadlock.
 */
export const loadExplorer = once(async (): Promise<Explorer> => {
  const answer: Answer = await askAsAnybody(new Request('/explorer.json'))
  return answer.json()
})

/** How current a series is. Only the hub decides, so that tables, maps and charts agree. */
export type Freshness = NonNullable<Dataset['freshness']>['state']

/** Fields that identify a series within a station type. */
type SeriesNames = {
  readonly scode: string
  readonly tname: string
  readonly mperiod?: number | null
}

/** Looks up the freshness of a series; undefined if the series was not requested. */
export type FreshnessOf = (series: SeriesNames) => Freshness | undefined

type Row = SeriesNames & { readonly state: Freshness }

/**
 * Builds the request for the freshness of all series of a station type that match a `where`
 * condition.
 */
export function freshnessRequest(stationType: string, where: string) {
  const query = { select: 'scode,tname,mperiod,state', where, limit: -1 }
  return { path: `/v2/freshness/${encodeURIComponent(stationType)}`, query }
}

export async function loadFreshness(
  { path, query }: ReturnType<typeof freshnessRequest>,
  signal: AbortSignal,
): Promise<FreshnessOf> {
  const { data } = await readJson<{ readonly data: readonly Row[] }>(path, query, signal)
  const states = new Map(data.map((row) => [keyOf(row), row.state]))
  return (series) => states.get(keyOf(series))
}

/** Reports whether the latest value is too old to be shown as the current one. */
export function isOld(freshness: Freshness | undefined): boolean {
  return freshness === 'stale' || freshness === 'silent'
}

function keyOf({ scode, tname, mperiod }: SeriesNames): string {
  return JSON.stringify([scode, tname, mperiod ?? 0])
}
