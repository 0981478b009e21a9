export { isUuid } from './accept/store-message.ts'
export { Backlog, pushMetrics } from './backlog.ts'
export { canonicalKinds, canonicalPipeline, scopeNamesOf } from './canonical/pipeline.ts'
export { importFile, listFiles } from './import-file.ts'
export { loadedMapping } from './mappings/definition/definition.ts'
export type { LoadedMapping } from './mappings/definition/definition.ts'
export { loadMappings, loadOne } from './mappings/definition/load-mappings.ts'
export { parseXml, xmlText } from './mappings/decode/xml.ts'
export { MappingError } from './mappings/faults.ts'
export { mappingsOf } from './mappings/mappings.ts'
export { mappingRoutes, storedMappingRoutes } from './mapping-routes.ts'
export { listMappings, storedMappings } from './mappings/stored/index.ts'
export type { StoredMappings } from './mappings/stored/index.ts'
export { draftTrials } from './mappings/try-mapping.ts'
export { previewer, printPreview } from './mappings/preview.ts'
export { loadSampled, runSamples } from './mappings/samples.ts'
export type { SampleResult } from './mappings/samples.ts'
export {
  deleteMessages,
  forgetOld,
  listMessages,
  loadBodyOf,
  loadMessage,
  replayMessages,
  replayParked,
} from './messages.ts'
export type { MessageFilter } from './messages.ts'
export { storeBody } from './pipeline.ts'
export type { Pipeline } from './pipeline.ts'
export { PushThread, PushWorker, runThread } from './queue/push-thread.ts'
export { countRejected } from './rejection.ts'
export type { Rejection } from './rejection.ts'
export { durabilityOf, pushRoutes } from './routes.ts'
export { listStreams, registerStreams, storeStream, streamTable } from './streams.ts'
export type { StreamSettings, StreamTable } from './streams.ts'
export { storeKept, tryOut } from './try-out.ts'
