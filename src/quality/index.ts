// How complete records and series are: figures, each with the list behind it, and what they were on each day.
export { measureDay } from './trends.ts'
export { qualityRoutes } from './routes.ts'
