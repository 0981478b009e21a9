export { TrafficFeed } from './feed.ts'
export { toPublication } from './publication.ts'
export { trafficRoutes } from './routes.ts'
