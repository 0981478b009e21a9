// Aggregates of hours and days that the hub keeps for buckets (docs/time-series.md).

export { keepRollups, rebuildRollups } from './keep-rollups.ts'
