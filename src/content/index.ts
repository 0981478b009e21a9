export {
  exportAvailability,
  faultsOfRoom,
  roomItem,
  roomKeyOf,
  storeAvailability,
} from './availability/index.ts'
export type { RoomItem } from './availability/index.ts'
export type { AvailabilityProvider } from './availability/index.ts'
export {
  loadRegistrations,
  registerDatasets,
  summarise,
  withClosedRecords,
  wordsOf,
} from './datasets/index.ts'
export type { InLanguages, Mobility, Summary } from './datasets/index.ts'
export { permittedOperations } from './edit/index.ts'
export { assertPrefix, toNaming } from './naming.ts'
export { entitiesOf, viewsOf } from './entities/index.ts'
export { needsToken } from './entity-types.ts'
export { parseGeometry, printGeometry } from './geography/geometry.ts'
export type { Geometry } from './geography/geometry.ts'
export { withheldFields, withheldRecords } from './reading.ts'
export { dataOf, represent, toRepresentation } from './representation.ts'
export {
  columnsOf,
  isVisible,
  itemAddress,
  orderBy,
  standsBehind,
  tableOf,
  toStoredId,
} from './table.ts'
export type { Entity, OrderKey, Profile } from './entity.ts'
export { listFormatsOf, streamedFormats } from './formats/index.ts'
export { positionOf, shapeOf } from './formats/geojson.ts'
export { contentFeeds, syncFeedTriggers } from './feeds.ts'
export { syncHistoryTriggers } from './history.ts'
export { printCursor, parseCursor } from './list/cursor.ts'
export { planWritten } from './list/plan-written.ts'
export { pageAddress } from './pages.ts'
export { jsonAt, rawFilterOperators, toStoredField } from './rawfilter/index.ts'
export {
  checkExpression,
  expressions,
  listMembers,
  listParameters,
  loadPlaceTitles,
  loadTagTitles,
  titleField,
} from './members.ts'
export type { Checked, Member, TagTitles } from './members.ts'
export { loadTypes } from './type-lists/index.ts'
export { inLanguages } from './presentation.ts'
export { publicRecords } from './public-records.ts'
export type { ListedRecord, PublicRecords } from './public-records.ts'
export { toNode } from './formats/json-ld/parts.ts'
export { contentRoutes } from './routes.ts'
export { createRecordTable, syncEntityTables } from './sync-tables.ts'
export { checkOf } from './write/to-stored.ts'
export type { ContentRecord, RecordCheck } from './write/to-stored.ts'
export { noteSource, storeRecords } from './write/store-records.ts'
export { siblingsOf } from './write/generated/index.ts'
export type { ContentWrite, Origin } from './write/store-records.ts'
export {
  exportEntity,
  inImportOrder,
  loadStoredAccommodations,
  loadStoredRecords,
  loadStoredRooms,
  statedOf,
} from './write/stored-records.ts'
