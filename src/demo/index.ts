export type { CanonicalObject } from './canonical.ts'
export { planRegion } from './region.ts'
export type { Region, RegionPlan, RegionSize } from './region.ts'
export { demoRoutes } from './routes.ts'
