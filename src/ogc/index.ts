// OGC API Features: places, stations and announcements.
export { ogcStandard } from './keep-collections.ts'
export { ogcRoutes } from './routes.ts'
