// Data quality: figures of incomplete records and series, each with the list of them, and their
// history by day.
export { measureDay } from './trends.ts'
export { qualityRoutes } from './routes.ts'
