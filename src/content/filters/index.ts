export type { Clause, Filter, Parameter, Query, References } from './filter.ts'
export { filtersOf, readEach, readFilters } from './filters-of.ts'
