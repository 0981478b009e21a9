export { eventsVersion, loadEventOrigins, loadEvents } from './events/load-events.ts'
export { formats as timeseriesFormats } from './formats/index.ts'
export { loadByOrigin } from './freshness/load-by-origin.ts'
export { freshnessMetrics } from './freshness/metrics.ts'
export { countMobilityDataset, loadMobilityDatasets, versionedAs } from './mobility-datasets.ts'
export type { MobilityEvent, Texts } from './mobility-event.ts'
export { matchStations } from './near/match-stations.ts'
export {
  attachPartition,
  ensurePartitionsAhead,
  firstKept,
  keepPartitions,
  listPartitions,
  makePartitions,
  planRetirement,
  retirePartitions,
  retirements,
} from './partitions/index.ts'
export type { Month, Partition, Retirement } from './partitions/index.ts'
export type { TimeseriesDeps } from './timeseries-deps.ts'
export { timeseriesRoutes } from './routes.ts'
export { toInstant } from './time/instant.ts'
export { deletables, deleteTimeseries } from './write/delete-timeseries.ts'
export type { Deletable, Deleted, Deletion } from './write/delete-timeseries.ts'
export type { MeasurementItem } from './write/gather-values.ts'
export type { Outcome, Rejection, Saving } from './write/outcome.ts'
export type { Provenance } from './write/provenance.ts'
export type { StationReference } from './write/references.ts'
export type { DataTypeItem, DataTypesWrite } from './write/store-data-types.ts'
export { storeDataTypes } from './write/store-data-types.ts'
export type { EdgeItem, EdgesWrite } from './write/store-edges.ts'
export { keyOf } from './write/references.ts'
export { storeEdges } from './write/store-edges.ts'
export type { EventItem, EventsWrite } from './write/store-events.ts'
export { storeEvents } from './write/store-events.ts'
export type { MeasurementsWrite } from './write/store-measurements.ts'
export { storeMeasurements } from './write/store-measurements.ts'
export type { StationItem, StationsWrite } from './write/store-stations.ts'
export { loadStoredDataTypes, loadStoredEvents, loadStoredStations } from './write/stored.ts'
export { storeStations } from './write/store-stations.ts'
export { exportTimeseries, timeseriesExports } from './export/export-timeseries.ts'
export {
  describeStationType,
  stationsVersion,
  summariseStations,
  summariseValues,
} from './summary/index.ts'
export type { StationSummary, ValueSummary } from './summary/index.ts'
export {
  checkTimeseriesExpression,
  listFields,
  loadDataTypeWords,
  timeseriesExpressions,
  whereOperators,
} from './members/index.ts'
export type { ReadKind, TimeseriesField } from './members/index.ts'
