export { changed } from './annotate.ts'
export { isSchema, membersOf, stepInto, valueOfKeys } from './member-at.ts'
export {
  activityProperties,
  ageProperties,
  gastronomyProperties,
  sharedProperties,
} from './rows-activity.ts'
export { deprecationRoutes } from './routes.ts'
export { deprecatedUses, tellUses } from './uses.ts'
