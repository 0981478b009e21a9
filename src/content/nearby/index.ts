export { nearFilter } from './near-filter.ts'
export { distanceKey, memberName, nearIds, nearestOf } from './nearest.ts'
export type { MatchingStations, NearStations, Nearby } from './nearest.ts'
