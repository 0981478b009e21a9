export type { Area, Position } from './area.ts'
export { bindQuery } from './bound-query.svelte.ts'
export type { BoundQuery } from './bound-query.svelte.ts'
export { countFilters, everything, filterNames, panes, withoutFilters } from './dataset-query.ts'
export type { Dataset, DatasetQuery, Pane, SortKey } from './dataset-query.ts'
export {
  quoteForRawFilter,
  quoteForWhere,
  toCountRequest,
  toLatestRequest,
  toListRequest,
} from './to-requests.ts'
export type { ApiRequest, Slice } from './to-requests.ts'
