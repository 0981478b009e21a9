import { quoteForWhere, quotePattern } from '../../api/query.ts'
import type { Query } from '../../api/query.ts'
import { writeSort } from './address-of-query.ts'
import type { Dataset, DatasetQuery } from './dataset-query.ts'
import { toAreaCondition, toAreaParameters } from './area.ts'

/** A request to the API, as accepted by `readJson`, `readResponse` and `RequestPanel`. */
export type ApiRequest = { readonly path: string; readonly query: Query }

/** A slice of the matching records: `page` counts from 0. */
export type Slice = { readonly page: number; readonly size: number }

/** Builds the request for one page of a query. An empty `fields` requests all fields. */
export function toListRequest(
  dataset: Dataset,
  query: DatasetQuery,
  { page, size, fields = [] }: Slice & { readonly fields?: readonly string[] },
): ApiRequest {
  const paging =
    dataset.service === 'content'
      ? { pagesize: size, ...(page === 0 ? {} : { pagenumber: page + 1 }) }
      : { limit: size, ...(page === 0 ? {} : { offset: page * size }) }
  return toRequest(dataset, query, { fields, more: paging })
}

type Extent = { readonly fields: readonly string[]; readonly more: Query }

function toRequest(dataset: Dataset, query: DatasetQuery, { fields, more }: Extent): ApiRequest {
  const isContent = dataset.service === 'content'
  const order = isContent && query.sort.length > 0 ? { rawsort: writeSort(query.sort) } : {}
  const members = fields.length === 0 ? {} : { [isContent ? 'fields' : 'select']: fields.join(',') }
  const all = { ...toFilters(dataset, query), ...order, ...members, ...more }
  return { path: dataset.list, query: all }
}

/**
 * Builds the request that counts the matching records for each value at a path, and computes the
 * aggregates in `agg`.
 */
export function toGroupsRequest(
  dataset: Dataset,
  query: DatasetQuery,
  grouping: { readonly groupby: string; readonly agg?: string },
): ApiRequest {
  const whole = dataset.service === 'content' ? { stream: true } : { limit: -1 }
  return {
    path: dataset.list,
    query: { ...toFilters(dataset, query), ...grouping, ...whole },
  }
}

/** Builds the request that counts the matching stations. Lists of content contain their total. */
export function toCountRequest(dataset: Dataset, query: DatasetQuery): ApiRequest {
  return {
    path: dataset.list,
    query: { ...toFilters(dataset, query), select: 'count(scode)' },
  }
}

/** Builds the request for the latest values of some stations. */
export function toLatestRequest(
  { list }: Dataset,
  query: DatasetQuery,
  codes: readonly string[],
): ApiRequest {
  return {
    path: `${list}/${typesOf(query)}/latest`,
    query: {
      select: 'scode,tname,tunit,mvalue,mvalidtime,mperiod',
      where: `scode.in.(${codes.map(quoteForWhere).join()})`,
      limit: -1,
    },
  }
}

/**
 * Builds the request for the latest values of all matching stations, limited to the selected data
 * types.
 */
export function toValuesRequest(dataset: Dataset, query: DatasetQuery): ApiRequest {
  return {
    path: `${dataset.list}/${typesOf(query)}/latest`,
    query: { ...toFilters(dataset, query), limit: -1 },
  }
}

function typesOf({ dataTypes }: DatasetQuery): string {
  return dataTypes.length === 0 ? '*' : dataTypes.map(encodeURIComponent).join()
}

/** Builds the request for all matching records as one streamed response. */
export function toStreamRequest(
  dataset: Dataset,
  query: DatasetQuery,
  { format, fields = [] }: { readonly format: string; readonly fields?: readonly string[] },
): ApiRequest {
  const more = dataset.service === 'content' ? { format, stream: true } : { limit: -1, format }
  return toRequest(dataset, query, { fields, more })
}

/** Returns the query parameters that filter records, without order, page and fields. */
function toFilters(dataset: Dataset, query: DatasetQuery): Query {
  return dataset.service === 'content' ? contentFilters(query) : stationFilters(query)
}

function contentFilters(query: DatasetQuery): Query {
  return {
    searchfilter: query.search,
    tagfilter: tagFilter(query),
    langfilter: query.languages.join(','),
    source: query.sources.join(','),
    active: activeOf(query),
    ...(query.area === undefined ? {} : toAreaParameters(query.area)),
    ...query.parameters,
    rawfilter: rawFilter(query),
  }
}

function stationFilters(query: DatasetQuery): Query {
  const active = activeOf(query)
  const conditions = [
    query.search === '' ? '' : searchCondition(query.search),
    active === undefined ? '' : `sactive.eq.${String(active)}`,
    query.area === undefined ? '' : toAreaCondition(query.area),
    query.expression,
  ]
  return {
    ...query.parameters,
    origin: query.sources.join(','),
    where: conditions.filter((condition) => condition !== '').join(','),
  }
}

function activeOf({ active }: DatasetQuery): boolean | undefined {
  return active === 'any' ? undefined : active === 'yes'
}

function tagFilter({ tags, tagMode }: DatasetQuery): string {
  const list = tags.join(',')
  return tagMode === 'all' && tags.length > 1 ? `and(${list})` : list
}

/**
 * Licences have no parameter of their own, so they become part of `rawfilter`, beside the user's
 * expression.
 */
function rawFilter({ licences, expression }: DatasetQuery): string {
  const licence =
    licences.length === 0
      ? ''
      : `in(LicenseInfo.License,${licences.map(quoteForRawFilter).join(',')})`
  const parts = [licence, expression].filter((part) => part !== '')
  return parts.length > 1 ? `and(${parts.join(',')})` : parts.join('')
}

/** Quotes a text for `rawfilter`: quotes are doubled. */
export function quoteForRawFilter(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Matches name and code of stations, ignoring case. */
function searchCondition(search: string): string {
  const pattern = quotePattern(search)
  return `or(sname.ire.${pattern},scode.ire.${pattern})`
}
