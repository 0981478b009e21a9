export { geoConverterRoutes } from './routes.ts'
export type { Outside } from './exchange.ts'
