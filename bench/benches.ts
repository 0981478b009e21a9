import { accessRules } from './access-rules.ts'
import { accessTokens } from './access-tokens.ts'
import {
  changesCatchUp,
  changesDelay,
  changesIdle,
  changesStreams,
  changesWriters,
} from './change-feed.ts'
import { contentAvailability } from './content-availability.ts'
import { contentBesideStream } from './content-beside-stream.ts'
import { contentCursor } from './content-cursor.ts'
import { contentDistinct } from './content-distinct.ts'
import { contentEtag } from './content-etag.ts'
import { contentFilters } from './content-filters.ts'
import { contentImport } from './content-import.ts'
import { contentItem } from './content-item.ts'
import { contentLists } from './content-list.ts'
import { contentNear } from './content-near.ts'
import { contentPath } from './content-path.ts'
import { contentSelections } from './content-selection.ts'
import { contentStream } from './content-stream.ts'
import { contentTables } from './content-tables.ts'
import { contentTotal } from './content-total.ts'
import { contentWrites } from './content-write.ts'
import { explorerChart } from './explorer-chart.ts'
import { explorerTable } from './explorer-table.ts'
import { explorerViews } from './explorer-views.ts'
import { gbfsDelay, gbfsStatus } from './gbfs.ts'
import type { Bench } from './harness/bench.ts'
import { heavyBeside } from './heavy-beside.ts'
import { mcp } from './mcp.ts'
import { memory } from './memory.ts'
import { ogcFeatures } from './ogc-features.ts'
import { ogcPeers } from './ogc-peers.ts'
import { pushLarge } from './push-large.ts'
import { pushMapping, pushMappingProcess } from './push-mapping.ts'
import { pushMeasurements, pushRate } from './push-measurements.ts'
import { pushSmall } from './push-small.ts'
import { quotas } from './quota.ts'
import { timeseriesBuckets } from './timeseries-buckets.ts'
import { timeseriesColumns } from './timeseries-columns.ts'
import { timeseriesImport } from './timeseries-import.ts'
import { timeseriesIngest } from './timeseries-ingest.ts'
import { timeseriesMemory } from './timeseries-memory.ts'
import { timeseriesMonths } from './timeseries-months.ts'
import { timeseriesPeers } from './timeseries-peers.ts'
import { timeseriesReads } from './timeseries-reads.ts'
import { timeseriesVisible } from './timeseries-visible.ts'
import { trafficConditional, trafficFull } from './traffic-feed.ts'
import { trafficRebuild } from './traffic-rebuild.ts'

/** Every bench, in the order in which they run. A new bench is one new file and one line here. */
export const benches: readonly Bench[] = [
  memory,
  ...contentLists,
  ...contentSelections,
  ...contentFilters,
  contentAvailability,
  ...contentNear,
  contentPath,
  contentDistinct,
  contentTotal,
  contentCursor,
  contentEtag,
  contentStream,
  ...contentTables,
  contentBesideStream,
  contentItem,
  heavyBeside,
  ...ogcFeatures,
  ...mcp,
  ...ogcPeers,
  ...contentWrites,
  contentImport,
  accessTokens,
  accessRules,
  ...quotas,
  pushSmall,
  pushLarge,
  pushMeasurements,
  pushRate,
  pushMapping,
  pushMappingProcess,
  timeseriesIngest,
  timeseriesImport,
  ...timeseriesReads,
  ...timeseriesColumns,
  timeseriesMemory,
  timeseriesMonths,
  timeseriesVisible,
  ...timeseriesBuckets,
  ...timeseriesPeers,
  trafficRebuild,
  gbfsStatus,
  gbfsDelay,
  trafficConditional,
  trafficFull,
  changesDelay,
  changesCatchUp,
  changesWriters,
  changesIdle,
  changesStreams,
  explorerTable,
  explorerViews,
  explorerChart,
]

/** The ten most significant ratios, for a quick check before a push. */
const trendNames: ReadonlySet<string> = new Set([
  'content-list-10',
  'content-item',
  'content-cursor',
  'content-etag',
  'content-create',
  'push-small',
  'timeseries-latest',
  'timeseries-series',
  'timeseries-limit-one-type-0',
  'traffic-conditional',
])
export const trend = benches.filter(({ name }) => trendNames.has(name))
