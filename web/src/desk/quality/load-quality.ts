import type { AnswerOf } from '../../../../src/lang/schemas.ts'
import type { qualityOperation, seriesQualityOperation } from '../../../../src/quality/routes.ts'
import type { trendsOperation } from '../../../../src/quality/trends.ts'
import { pathOf } from '../../address/index.ts'
import { readJson } from '../../api/index.ts'
import type { GetRequest } from '../../api/index.ts'

export type Measure = (RecordQuality | SeriesQuality)['figures'][number]['measure']

/** Number of records or series with a problem, and links to them. */
export type Figure = {
  readonly measure: Measure
  /** Language in which the text is missing; null for measures that do not depend on a language. */
  readonly language: string | null
  readonly count: number
  /** URL of the view that lists the records or series; undefined if there is none. */
  readonly list: string | undefined
  /** URL of a CSV file that lists the records or series. */
  readonly file: string | null
  /** For series: the `where` condition that selects them. */
  readonly where?: string
}

type Counted = { readonly total: number; readonly figures: readonly Figure[] }

/** A source of records or an origin of stations; null groups those without one. */
export type Part = Counted & { readonly source: string | null }

type Service = 'content' | 'timeseries'

/** The quality of a dataset: an entity or a station type. */
export type Quality = Counted & {
  readonly service: Service
  readonly dataset: string
  readonly title: Readonly<Record<'de' | 'it' | 'en', string>>
  readonly parts: readonly Part[]
}

type RecordQuality = Omit<AnswerOf<typeof qualityOperation>, 'sources'> &
  Partial<Pick<AnswerOf<typeof qualityOperation>, 'sources'>>
type OfRecords = Pick<RecordQuality, 'records' | 'figures'>

type SeriesQuality = AnswerOf<typeof seriesQualityOperation>['datasets'][number]
type OfSeries = Pick<SeriesQuality, 'series' | 'figures'>

export const recordsRequest = { path: '/quality' } as const
export const seriesRequest = { path: '/quality/timeseries' } as const
export const trendsRequest = { path: '/quality/trends' } as const

/** Builds the request for the quality of a dataset. */
export function requestOf({ service, dataset }: Pick<Quality, 'service' | 'dataset'>): GetRequest {
  return service === 'timeseries'
    ? seriesRequest
    : { path: pathOf('/quality/:dataset', { dataset }) }
}

/** Loads the quality of the records of every entity. */
export async function loadRecordQuality(signal: AbortSignal): Promise<readonly Quality[]> {
  type Answer = { readonly datasets: readonly RecordQuality[] }
  return (await readJson<Answer>(recordsRequest.path, {}, signal)).datasets.map(toRecords)
}

/** Loads the quality of the series of every station type. */
export async function loadSeriesQuality(signal: AbortSignal): Promise<readonly Quality[]> {
  type Answer = { readonly datasets: readonly SeriesQuality[] }
  return (await readJson<Answer>(seriesRequest.path, {}, signal)).datasets.map(toSeries)
}

/**
 * Loads the quality of one dataset.
 * @returns undefined if there are no such series
 * @throws RequestFailure 404 if there is no such entity
 */
export async function loadDataset(
  of: Pick<Quality, 'service' | 'dataset'>,
  signal: AbortSignal,
): Promise<Quality | undefined> {
  if (of.service === 'content')
    return toRecords(await readJson<RecordQuality>(requestOf(of).path, {}, signal))
  return (await loadSeriesQuality(signal)).find(({ dataset }) => dataset === of.dataset)
}

function toRecords({ dataset, title, sources = [], ...whole }: RecordQuality): Quality {
  const count = ({ records, figures }: OfRecords): Counted => ({
    total: records,
    figures: figures.map(({ filter, export: file, ...figure }) => ({
      ...figure,
      list: filter === null ? undefined : recordsView(dataset, filter),
      file,
    })),
  })
  const parts = sources.map((one) => ({ source: one.source, ...count(one) }))
  return { service: 'content', dataset, title, ...count(whole), parts }
}

function toSeries({ dataset, title, origins, ...whole }: SeriesQuality): Quality {
  const count = ({ series, figures }: OfSeries, origin?: string | null): Counted => ({
    total: series,
    figures: figures.map(({ measure, count: found, where, export: file }) => ({
      ...{ measure, language: null, count: found, where, file },
      list: seriesView(dataset, measure, origin),
    })),
  })
  const parts = origins.map((one) => ({ source: one.origin, ...count(one, one.origin) }))
  return { service: 'timeseries', dataset, title, ...count(whole), parts }
}

/** Returns the URL of the records in the table of their dataset. */
function recordsView(entity: string, filter: string): string {
  const search = new URLSearchParams({ filter, panes: 'table' })
  return `${pathOf('/datasets/content/:entity', { entity })}?${search.toString()}`
}

/**
 * Returns the URL of the series in the quality view of their station type.
 * @param origin null for series without an origin, undefined for all series
 */
function seriesView(dataset: string, measure: string, origin: string | null | undefined): string {
  const search = new URLSearchParams({
    measure,
    ...(origin === undefined ? {} : { origin: origin ?? '' }),
  })
  return `${viewOf({ service: 'timeseries', dataset })}?${search.toString()}`
}

/** Returns the path of the quality view of a dataset. */
export function viewOf({ service, dataset }: Pick<Quality, 'service' | 'dataset'>): string {
  const path = service === 'content' ? '/desk/quality/:dataset' : '/desk/quality/timeseries/:type'
  return pathOf(path, { dataset, type: dataset })
}

/** Returns the key of a figure as used in URLs: `text.it`. */
export function keyOf({ measure, language }: Pick<Figure, 'measure' | 'language'>): string {
  return language === null ? measure : `${measure}.${language}`
}

export function figureOf({ figures }: Counted, key: string): Figure | undefined {
  return figures.find((figure) => keyOf(figure) === key)
}

const order: readonly Measure[] = [
  ...(['title', 'text', 'picture', 'pictureLicence', 'licence', 'position'] as const),
  ...(['outlier', 'duplicate', 'stale', 'missingHour', 'missingDay'] as const),
]

/** Returns a figure for each measure of any of the datasets, in the order of the columns. */
export function columnsOf(datasets: readonly Quality[]): readonly Figure[] {
  const found = new Map(datasets.flatMap(({ figures }) => figures).map((one) => [keyOf(one), one]))
  return [...found.values()].toSorted((a, b) => order.indexOf(a.measure) - order.indexOf(b.measure))
}

/**
 * Sorts datasets by the number of problems, the most first: of one measure, or of all of them if
 * `key` is empty.
 */
export function byNeed(all: readonly Quality[], key: string): readonly Quality[] {
  const need = ({ figures }: Quality) =>
    figures
      .filter((figure) => key === '' || keyOf(figure) === key)
      .reduce((sum, { count }) => sum + count, 0)
  return all.toSorted((a, b) => need(b) - need(a))
}

type Day = AnswerOf<typeof trendsOperation>['datasets'][number]['days'][number]

/** Figures of recent days for each dataset, by service and name. */
export type Trends = ReadonlyMap<string, readonly Day[]>

export async function loadTrends(signal: AbortSignal): Promise<Trends> {
  type Answer = AnswerOf<typeof trendsOperation>
  const { datasets } = await readJson<Answer>(trendsRequest.path, {}, signal)
  return new Map(datasets.map(({ service, dataset, days }) => [`${service} ${dataset}`, days]))
}

/**
 * Returns the share of a dataset's records or series with a problem, for each day with data. An
 * empty `key` averages over all measures.
 */
export function sharesOf(
  trends: Trends | undefined,
  { service, dataset }: Pick<Quality, 'service' | 'dataset'>,
  key: string,
): readonly number[] {
  return (trends?.get(`${service} ${dataset}`) ?? []).flatMap(({ total, counts }) => {
    const found = key === '' ? Object.values(counts) : [counts[key] ?? 0]
    const most = total * found.length
    return most === 0 ? [] : [found.reduce((sum, count) => sum + count, 0) / most]
  })
}
