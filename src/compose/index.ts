export type { Mode } from './access.ts'
export {
  backupPlace,
  openForBackup,
  restoreStore,
  bringUpToDate,
  openExisting,
  openStore,
  placeOf,
  previewDeps,
} from './open-store.ts'
export { metricsAccessOf } from './compose-operation.ts'
export { publishExports } from './compose-exports.ts'
export { composeHub } from './compose-hub.ts'
export type { Hub } from './compose-hub.ts'
export type { OpenStore, Store } from './open-store.ts'
export {
  assertLoopback,
  assertNothingForeign,
  findForeignData,
  markDemo,
  loadRegion,
  planDemo,
  showExamples,
} from './demo.ts'
export type { Demo, DemoOptions } from './demo.ts'
export type { Environment } from './environment.ts'
