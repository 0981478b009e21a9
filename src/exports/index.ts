// Exports: the records of the public feeds as files, and the offset at which each feed continues.
export { keepExports } from './keep-exports.ts'
export { exportMaker } from './make-exports.ts'
export type { ExportMaker, Outcome } from './make-exports.ts'
export { exportRoutes } from './routes.ts'
export { folderStore } from './store.ts'
export type { ExportStore } from './store.ts'
export { partLimits } from './write-export.ts'
export type { PartLimits } from './write-export.ts'
