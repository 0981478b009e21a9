import type { Checks, Members, Values } from '../../../src/catalogue/detail-schemas.ts'
import type { Catalogue, Dataset } from '../../../src/catalogue/schemas.ts'
import type { Explorer } from '../../../src/explorer/schema.ts'
import { readJson } from './read-json.ts'
import type { GetRequest } from './read-json.ts'
import { askAsAnybody } from './ask.ts'
import { once } from './cache.ts'

export type { Catalogue, Dataset, Explorer, Members, Values }

// Harvesters are given another form at the same address.
export const catalogueRequest = { path: '/catalogue' } as const

/** @throws RequestFailure */
export function loadCatalogue(signal?: AbortSignal): Promise<Catalogue> {
  return readJson<Catalogue>(catalogueRequest.path, {}, signal)
}

/** A parameter of the list that people choose by. */
export type Parameter = Members['parameters'][number]

/** A member of the records, as `fields`, `where` and their like name it. */
export type Member = Members['members'][number]

/** What the hub says of an expression: where it is wrong, or what is perhaps not meant. */
export type Check = Checks['checks'][number]

/** A fault of an expression, or a doubt about it. */
export type Issue = Check['errors'][number]

type Which = Pick<Dataset, 'service' | 'type'>

const pathOf = ({ service, type }: Which) => `/catalogue/${service}/${encodeURIComponent(type)}`

/** What a view of a dataset requests before its records. */
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
 * Has the hub read an expression, without running it.
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

/** Reads it once. To renew a token one must know who gave it: this must not wait for one. */
export const loadExplorer = once(async (): Promise<Explorer> => {
  const answer: Answer = await askAsAnybody(new Request('/explorer.json'))
  return answer.json()
})

/** How fresh the hub finds a series; it alone judges, so that a table, a map and a chart say the same. */
export type Freshness = NonNullable<Dataset['freshness']>['state']

/** What tells the series of a type of stations apart. */
type SeriesNames = {
  readonly scode: string
  readonly tname: string
  readonly mperiod?: number | null
}

/** The freshness of each series that was requested. */
export type FreshnessOf = (series: SeriesNames) => Freshness | undefined

type Row = SeriesNames & { readonly state: Freshness }

/** The request of the freshness of the series of a type of stations that match a condition of `where`. */
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

/** Whether nobody should take its latest value for the present one. */
export function isOld(freshness: Freshness | undefined): boolean {
  return freshness === 'stale' || freshness === 'silent'
}

function keyOf({ scode, tname, mperiod }: SeriesNames): string {
  return JSON.stringify([scode, tname, mperiod ?? 0])
}
