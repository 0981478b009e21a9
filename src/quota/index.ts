export { countRequests, historyLimitOf } from './count-requests.ts'
export type { Counters } from './count-requests.ts'
export { describeQuota, quotaRoutes } from './quota-route.ts'
export { openCounters } from './shared-counters.ts'
