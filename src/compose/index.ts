/** The data of a hub. Code that serves it is in `compose-hub.ts`, imported only where needed. */
export {
  backupPlace,
  bringUpToDate,
  openExisting,
  openForBackup,
  openStore,
  placeOf,
  previewDeps,
  restoreStore,
} from './open-store.ts'
export type { OpenStore, Store } from './open-store.ts'
export type { Environment } from './environment.ts'
