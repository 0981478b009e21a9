export { stepInto } from './member-at.ts'
export {
  activityProperties,
  ageProperties,
  gastronomyProperties,
  sharedProperties,
} from './rows-activity.ts'
export { deprecationRoutes } from './routes.ts'
export { tellUses } from './uses.ts'
