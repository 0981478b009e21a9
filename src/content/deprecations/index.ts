export { changed } from './annotate.ts'
export { fieldsMovedInto } from './table.ts'
export { deprecationRoutes } from './routes.ts'
export { deprecatedUses, reportUses } from './uses.ts'
