export { historyRoutes } from './routes.ts'
export { syncHistoryTriggers } from './sync-triggers.ts'
