// How complete the records of each dataset are: figures, each with the list of the records behind it.
export { qualityRoutes } from './routes.ts'
