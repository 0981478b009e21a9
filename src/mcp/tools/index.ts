// The questions that an assistant can put to the hub, in the order in which they are usually asked.
import type { Tool } from '../tool.ts'
import { describeDataset } from './describe-dataset.ts'
import { findNearest } from './find-nearest.ts'
import { groupAndCount } from './group-and-count.ts'
import { queryRecords, readRecord } from './query-records.ts'
import { searchDatasets } from './search-datasets.ts'
import { latestValues, timeSeries } from './station-values.ts'
import { trafficNow } from './traffic-now.ts'

export const tools: readonly Tool[] = [
  searchDatasets,
  describeDataset,
  queryRecords,
  readRecord,
  findNearest,
  latestValues,
  timeSeries,
  trafficNow,
  groupAndCount,
]
