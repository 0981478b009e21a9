export { distinctRoutes } from './routes.ts'
