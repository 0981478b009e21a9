import type { Query } from '../../api/query.ts'
import { writeSortKey } from './address-of-query.ts'
import type { Dataset, DatasetQuery } from './dataset-query.ts'
import { quoteForWhere, toFilters } from './to-filters.ts'

/** A request of the API, as `readJson`, `readResponse` and `RequestPanel` take it. */
export type ApiRequest = { readonly path: string; readonly query: Query }

/** Which records of all that match: `page` counts from 0. */
export type Slice = { readonly page: number; readonly size: number }

/** One page of a query. `fields` are the members that are wanted; none: all. */
export function toListRequest(
  dataset: Dataset,
  query: DatasetQuery,
  { page, size, fields = [] }: Slice & { readonly fields?: readonly string[] },
): ApiRequest {
  const filters = toFilters(dataset, query)
  const path = dataset.list
  if (dataset.service === 'timeseries') {
    const paging = { limit: size, ...(page === 0 ? {} : { offset: page * size }) }
    return { path, query: { ...filters, ...selectOf(fields), ...paging } }
  }
  const paging = { pagesize: size, ...(page === 0 ? {} : { pagenumber: page + 1 }) }
  const fieldList = fields.length === 0 ? {} : { fields: fields.join(',') }
  return { path, query: { ...filters, ...sortOf(query), ...fieldList, ...paging } }
}

/** How many stations match; lists of content say it themselves. */
export function toCountRequest(dataset: Dataset, query: DatasetQuery): ApiRequest {
  return {
    path: dataset.list,
    query: { ...toFilters(dataset, query), select: 'count(scode)' },
  }
}

/** The latest values of some stations. */
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

/** The latest values of all matching stations, of the chosen data types. */
export function toValuesRequest(dataset: Dataset, query: DatasetQuery): ApiRequest {
  return {
    path: `${dataset.list}/${typesOf(query)}/latest`,
    query: { ...toFilters(dataset, query), limit: -1 },
  }
}

function typesOf({ dataTypes }: DatasetQuery): string {
  return dataTypes.length === 0 ? '*' : dataTypes.map(encodeURIComponent).join()
}

/** All matching records as one answer that streams; a dataset of stations as far as `limit` goes. */
export function toStreamRequest(
  dataset: Dataset,
  query: DatasetQuery,
  { format, fields = [] }: { readonly format: string; readonly fields?: readonly string[] },
): ApiRequest {
  const filters = toFilters(dataset, query)
  const path = dataset.list
  return dataset.service === 'timeseries'
    ? { path, query: { ...filters, ...selectOf(fields), limit: -1, format } }
    : {
        path,
        query: {
          ...filters,
          ...sortOf(query),
          ...(fields.length === 0 ? {} : { fields: fields.join(',') }),
          format,
          stream: true,
        },
      }
}

function selectOf(fields: readonly string[]): Query {
  return fields.length === 0 ? {} : { select: fields.join(',') }
}

function sortOf({ sort }: DatasetQuery): Query {
  return sort.length === 0 ? {} : { rawsort: sort.map(writeSortKey).join(',') }
}
