export { differenceOf } from './difference.ts'
export { editRoutes } from './routes.ts'
export { writeResult } from './result.ts'
