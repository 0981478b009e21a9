/** Sharing systems as GBFS, the General Bikeshare Feed Specification. */
export { gbfsExit } from './exit.ts'
export { loadSystems } from './load-systems.ts'
export type { System } from './load-systems.ts'
export { gbfsRoutes } from './routes.ts'
