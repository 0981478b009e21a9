// Places, stations and announcements as OGC API Features.
export { ogcStandard } from './keep-collections.ts'
export { ogcRoutes } from './routes.ts'
