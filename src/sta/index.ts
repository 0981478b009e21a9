// Stations, their series and measurements as OGC SensorThings API.
export { staRoutes, staStandard } from './routes.ts'
