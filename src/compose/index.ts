/** The data of a hub. What serves it is loaded from its own file, by those alone who need that. */
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
