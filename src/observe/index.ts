export { healthRoutes } from './health.ts'
export type { Problem } from './health.ts'
export { observeRequests } from './metrics.ts'
export { logRequests } from './request-log.ts'
