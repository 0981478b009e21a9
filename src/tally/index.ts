export { cellOf } from './tally.ts'
export type { Grid } from './tally.ts'
export { inOrder, mostOfEach, readCounts } from './tally.ts'
export type { Counts, Tally } from './tally.ts'
