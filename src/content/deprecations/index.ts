export { changed } from './annotate.ts'
export { fieldsMovedInto } from './table.ts'
export { deprecationRoutes, deprecatedUses, reportUses } from './uses.ts'
