import type { Query } from '../../api/query.ts'
import { toAreaCondition, toAreaParameters } from './area.ts'
import type { Dataset, DatasetQuery } from './dataset-query.ts'

/** The parameters of the API that choose the records of a query, without order, page and fields. */
export function toFilters(dataset: Dataset, query: DatasetQuery): Query {
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

/** Licences have no parameter of their own; they stand beside what is written manually. */
function rawFilter({ licences, expression }: DatasetQuery): string {
  const licence =
    licences.length === 0
      ? ''
      : `in(LicenseInfo.License,${licences.map(quoteForRawFilter).join(',')})`
  const parts = [licence, expression].filter((part) => part !== '')
  return parts.length > 1 ? `and(${parts.join(',')})` : parts.join('')
}

/** A text of `rawfilter`: the quote is doubled. */
export function quoteForRawFilter(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A text of `where`: a backslash protects quotes and itself. */
export function quoteForWhere(text: string): string {
  return `"${text.replaceAll(/["'\\]/g, String.raw`\$&`)}"`
}

/** Stations are searched by name and code, whatever case. */
function searchCondition(search: string): string {
  const pattern = quoteForWhere(search.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return `or(sname.ire.${pattern},scode.ire.${pattern})`
}
