// Alerts: rules of the operator, and who is told when one fires (docs/alerts.md).
export { mailThrough } from './mail.ts'
export { alertRoutes } from './routes.ts'
export { loadAlerts } from './rules.ts'
export type { AlertFile } from './rules.ts'
export { tellDue, tellReceivers } from './tell.ts'
export { evaluation, watchRules } from './watch.ts'
