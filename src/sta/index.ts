// Stations, their series and measurements as OGC SensorThings API.
export { staRoutes } from './routes.ts'
