// OGC SensorThings API: stations, their series and measurements.
export { staRoutes, staStandard } from './routes.ts'
