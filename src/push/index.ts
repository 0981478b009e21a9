export { Backlog } from './backlog.ts'
export { canonicalPipeline } from './canonical/pipeline.ts'
export { canonicalKinds } from './canonical/kinds.ts'
export { storeBody } from './store-body.ts'
export { storeKept } from './import/store-kept.ts'
export { importFile } from './import/import-file.ts'
export { listFiles } from './import/list-files.ts'
export { pushMetrics } from './metrics.ts'
export {
  deleteMessages,
  listMessages,
  loadBodyOf,
  loadMessage,
  replayMessages,
} from './operate/messages.ts'
export type { MessageFilter } from './operate/messages.ts'
export { forgetOld } from './operate/retention.ts'
export type { Pipeline } from './pipeline.ts'
export type { Rejection } from './rejection.ts'
export { pushRoutes } from './routes.ts'
export { durability, isUuid } from './receipt.ts'
export { listStreams, storeStream, streamTable } from './streams.ts'
export type { StreamSettings, StreamTable } from './streams.ts'
export { PushThread } from './thread/push-thread.ts'
export { runThread } from './thread/run-thread.ts'
export { tryOut } from './try-out.ts'
export { PushWorker } from './queue/worker.ts'
