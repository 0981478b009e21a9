// Alerts: rules of the operator, and who is notified when one fires (docs/alerts.md).
export { mailThrough, notifyDue, notifyReceivers, evaluation, watchRules } from './watch.ts'
export { alertRoutes } from './routes.ts'
export { loadAlerts } from './rules.ts'
export type { AlertFile } from './rules.ts'
