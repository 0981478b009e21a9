export { TrafficFeed, toSlug } from './feed.ts'
export { toPublication } from './publication.ts'
export { trafficService } from './routes.ts'
export type { Supplier } from './situation.ts'
