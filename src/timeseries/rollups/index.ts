// Hourly and daily aggregates that the hub keeps for buckets (docs/time-series.md).

export { keepRollups, rebuildRollups } from './keep-rollups.ts'
