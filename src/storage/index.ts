export { datasetVersion, noteChanges, recordChanges, versionOfDataset } from './changes.ts'
export type { Changes } from './changes.ts'
export type { Database, Limits, Queryable, Row, TextRow, Transaction } from './database.ts'
export { migrate, pendingMigrations } from './migrate.ts'
export { hasDatabase } from './embedded/address.ts'
export { openDatabase } from './open-database.ts'
export type { Log } from './database.ts'
export {
  findUnstorable,
  isOutOfRange,
  isPassing,
  isUniqueViolation,
  tryAgain,
} from './pg-errors.ts'
export { joinDatabase, portOf, relayedDatabase, serveDatabase, shareDatabase } from './relay.ts'
export { sharedClock } from './shared-clock.ts'
export { watchStatements } from './to-database.ts'
export type { AroundStatement } from './to-database.ts'
