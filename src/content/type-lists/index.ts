export { typeListRoutes } from './routes.ts'
