export {
  boards,
  channels,
  exportAvailability,
  faultsOfRoom,
  roomKeyOf,
  roomTypes,
  storeAvailability,
} from './availability/index.ts'
export type { AvailabilityProvider } from './availability/index.ts'
export { registerDatasets, summarise, withClosedRecords, wordsOf } from './datasets/index.ts'
export type { InLanguages, Mobility, Summary } from './datasets/index.ts'
export { assertPrefix } from './naming.ts'
export { entitiesOf, viewsOf } from './entities/index.ts'
export { listAudit } from './edit/index.ts'
export type { AuditFilter } from './edit/index.ts'
export { needsToken } from './entity-types.ts'
export { toStoredId } from './entity.ts'
export type { Entity } from './entity.ts'
export { exportEntity, inImportOrder } from './export-entity.ts'
export { listFormatsOf } from './formats/index.ts'
export { syncHistoryTriggers } from './history.ts'
export type { Profile } from './list/order.ts'
export { rawFilterOperators } from './rawfilter/index.ts'
export { checkExpression, expressions, listMembers, loadTagTitles } from './members/index.ts'
export type { Checked, Member, TagTitles } from './members/index.ts'
export { toNaming } from './naming.ts'
export { contentRoutes } from './routes.ts'
export { syncEntityTables } from './sync-tables.ts'
export { checkOf } from './write/to-stored.ts'
export type { RecordCheck } from './write/to-stored.ts'
export { noteSource } from './write/store-records.ts'
export { siblingsOf } from './write/generated/index.ts'
export type { Origin } from './write/store-records.ts'
export {
  loadStoredAccommodations,
  loadStoredRecords,
  loadStoredRooms,
  statedOf,
} from './write/stored-records.ts'
export type { ContentRecord } from './write/to-stored.ts'
export { storeRecords } from './write/store-records.ts'
export type { ContentWrite } from './write/store-records.ts'
