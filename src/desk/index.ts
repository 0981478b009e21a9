export { rightsRoutes } from './rights.ts'
