import { pathOf } from '../../address/match.ts'
import { dataTypeOf, sortPathOf } from '../columns/column.ts'
import type { Column } from '../columns/column.ts'
import type { Item } from '../columns/to-cell.ts'
import type { Dataset, SortKey } from '../query/index.ts'

/** Returns the unique id of a row: the record's id or the station's code. */
export function idOf({ service }: Dataset, item: Item): string {
  const id = item[service === 'content' ? 'Id' : 'scode']
  return typeof id === 'string' ? id : ''
}

/** Returns the link of a cell: titles lead to the record, values to their series. */
export function linkOf(dataset: Dataset, item: Item, column: Column): string | undefined {
  const id = idOf(dataset, item)
  const dataType = dataTypeOf(column)
  if (dataType !== undefined) return seriesLink(dataset, id, dataType)
  return column.isTitle ? linkToId(dataset, id) : undefined
}

/** Returns the link to a record's own view, or to all series of a station. */
export function linkToId(dataset: Dataset, id: string): string {
  return dataset.service === 'content'
    ? pathOf('/records/:entity/:id', { entity: dataset.type, id })
    : seriesLink(dataset, id)
}

/** Returns how a column is sorted. */
export function sortedBy(
  sort: readonly SortKey[],
  column: Column,
  language: string,
): 'ascending' | 'descending' | 'none' {
  const path = sortPathOf(column, language)
  const key = sort.find((one) => one.path === path)
  if (key === undefined) return 'none'
  return key.descending ? 'descending' : 'ascending'
}

/**
 * Returns the order after a click on a column header: ascending, then descending, then the default.
 */
export function nextSort(
  sort: readonly SortKey[],
  column: Column,
  language: string,
): readonly SortKey[] {
  if (!column.canSort) return sort
  const path = sortPathOf(column, language)
  switch (sortedBy(sort, column, language)) {
    case 'none':
      return [{ path, descending: false }]
    case 'ascending':
      return [{ path, descending: true }]
    case 'descending':
      return []
  }
}

/** Returns the link to the chart of a station's values, by default of all its data types. */
export function seriesLink({ type }: Dataset, code: string, dataType = '*'): string {
  const series = [type, code, dataType]
    .map((part) => (part === '*' ? part : part.replace(/[%/]/g, encodeURIComponent)))
    .join('/')
  return `/timeseries?${new URLSearchParams({ series }).toString()}`
}
