export type { Clause, Filter, Parameter, Query, References } from './filter.ts'
export { filtersOf, readFilters } from './filters-of.ts'
