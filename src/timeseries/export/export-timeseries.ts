import type { Queryable } from '../../storage/index.ts'
import {
  exportDataTypes,
  exportEdges,
  exportEvents,
  exportStations,
} from './export-descriptions.ts'
import { exportMeasurements } from './export-measurements.ts'

/** The datasets of the time series service, in an order in which they can be imported. */
const exports = {
  dataTypes: exportDataTypes,
  stations: exportStations,
  edges: exportEdges,
  measurements: exportMeasurements,
  events: exportEvents,
} as const

export type TimeseriesExport = keyof typeof exports

export const timeseriesExports: readonly TimeseriesExport[] = [
  'dataTypes',
  'stations',
  'edges',
  'measurements',
  'events',
]

/**
 * A dataset as lines of its canonical push format. Read as keyset pages, so memory stays flat and no
 * statement is long.
 */
export function exportTimeseries(
  database: Queryable,
  name: TimeseriesExport,
): AsyncIterable<string> {
  return exports[name](database)
}
