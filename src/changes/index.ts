// The change feed: who follows the records of the hub misses nothing, deletes neither.
export type { Entry, Feed, FeedCaller, FeedQuery, FeedSource, Reading } from './feed.ts'
export { changeRoutes } from './routes.ts'
export { keepChanges } from './keep-changes.ts'
