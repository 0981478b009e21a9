/** Lists whose records are grouped: `groupby` and `agg` (decision D71). */
export { ignoredByGroups, isGrouped, planGroups, readGrouping } from './grouping.ts'
export type { Grouping } from './grouping.ts'
export { listGroups } from './list-groups.ts'
