export { nearFilter } from './near-filter.ts'
export { distanceKey, memberName, nearIds, nearestOf } from './nearest.ts'
export type { Nearby } from './nearest.ts'
export type { MatchingStations, NearStations } from './stations.ts'
