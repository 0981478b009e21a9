// The change feed: readers follow the records of the hub and miss nothing, not even deletes.
export { beginEpoch } from './epoch.ts'
export type { Entry, Feed, FeedCaller, FeedQuery, FeedSource, Reading } from './feed.ts'
export { openFollowing } from './follow.ts'
export { couldSee } from './rights.ts'
export { changeRoutes } from './routes.ts'
export { webhookRoutes } from './webhooks/index.ts'
export { keepChanges } from './keep-changes.ts'
