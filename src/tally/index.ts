export { cellOf } from './grid.ts'
export type { Grid } from './grid.ts'
export { inOrder, mostOfEach, readCounts } from './tally.ts'
export type { Counts, Tally } from './tally.ts'
