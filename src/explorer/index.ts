export { explorerRoutes, pageAnswer } from './routes.ts'
export type { ExplorerDeps } from './routes.ts'
export type { Explorer } from './explorer-schema.ts'
export { loadPage } from './load-page.ts'
