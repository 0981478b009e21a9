export { byAddress, toSlug } from './addresses.ts'
export { timeseriesFeeds } from './feeds.ts'
export { stationSource } from './current-stations.ts'
export type {
  CurrentStation,
  CurrentStations,
  StationSelection,
  StationSource,
} from './current-stations.ts'
export { eventSource, loadEvents } from './load-events.ts'
export { formats as timeseriesFormats } from './formats/index.ts'
export type { AnswerWriter } from './formats/format.ts'
export { loadByOrigin, freshnessMetrics } from './freshness/load-by-origin.ts'
export { countSeries, seriesMeasures, measureGaps } from './freshness/count-series.ts'
export type { SeriesCount, SeriesFigure } from './freshness/count-series.ts'
export {
  countMobilityDataset,
  loadMobilityDatasets,
  pastOf,
  versionedAs,
  versionsOfLatest,
} from './datasets.ts'
export type { MobilityEvent, Texts } from './datasets.ts'
export { matchStations } from './match-stations.ts'
export {
  attachPartition,
  distributedTables,
  distributeMeasurements,
  ensurePartitionsAhead,
  firstKept,
  keepPartitions,
  layOutMonths,
  listPartitions,
  listWithPlan,
  loadSpan,
  monthPattern,
  makePartitions,
  planRetirement,
  referenceTables,
  retireBy,
  retirements,
} from './partitions/index.ts'
export type { Month, Operator, Partition, Policy, Retirement, Span } from './partitions/index.ts'
export { openColdMonths } from './cold/cold-months.ts'
export type { ColdMonths, ColdSelection } from './cold/cold-months.ts'
export { keepRollups, rebuildRollups } from './rollups/index.ts'
export type { TimeseriesDeps } from './timeseries-deps.ts'
export { timeseriesRoutes } from './routes.ts'
export { isPlainMoment, toInstant } from './time.ts'
export { deleteTimeseries } from './write/delete-timeseries.ts'
export { deletables, forgetDeletions } from './write/deletions.ts'
export type { Deleted } from './write/delete-timeseries.ts'
export type { Deletable, Deletion } from './write/deletions.ts'
export {
  dataTypeItem,
  edgeItem,
  eventItem,
  name,
  provenance,
  severities,
  severityOf,
  stationItem,
  time,
  zoned,
} from './write/items.ts'
export type {
  DataTypeItem,
  EdgeItem,
  EventItem,
  Provenance,
  Severity,
  StationItem,
  StationReference,
} from './write/items.ts'
export { identifyValues } from './write/store-values.ts'
export type { MeasurementItem } from './write/store-values.ts'
export type { Outcome, Rejection, Saving } from './write/outcome.ts'
export type { DataTypesWrite, MeasurementsWrite } from './write/store-measurements.ts'
export { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
export type { EdgesWrite } from './write/store-edges.ts'
export { keyOf, storeStations } from './write/store-stations.ts'
export { storeEdges } from './write/store-edges.ts'
export type { EventsWrite } from './write/store-events.ts'
export { storeEvents } from './write/store-events.ts'
export type { StationsWrite } from './write/store-stations.ts'
export { loadStoredDataTypes, loadStoredEvents, loadStoredStations } from './write/outcome.ts'
export { exportTimeseries, timeseriesExports } from './export-timeseries.ts'
export {
  describeStationType,
  stationsVersion,
  summariseStations,
  summariseValues,
} from './summary.ts'
export type { StationSummary, ValueSummary } from './summary.ts'
export {
  checkTimeseriesExpression,
  listFields,
  loadDataTypeWords,
  timeseriesExpressions,
  whereOperators,
} from './list-fields.ts'
export type { ReadKind, TimeseriesField } from './list-fields.ts'
export { visibleColumns } from './catalogue/groups.ts'
