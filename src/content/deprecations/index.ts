export { changed } from './annotate.ts'
export { isSchema, membersOf, stepInto, valueOfKeys } from './uses.ts'
export {
  activityProperties,
  ageProperties,
  gastronomyProperties,
  sharedProperties,
} from './table.ts'
export { deprecationRoutes } from './routes.ts'
export { deprecatedUses, reportUses } from './uses.ts'
