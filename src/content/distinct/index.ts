export { distinctRoutes, loadMade } from './routes.ts'
export { storedSource } from './load-values.ts'
export type { Source } from './load-values.ts'
