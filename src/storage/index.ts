export { datasetVersion, recordChanges, versionOfDataset } from './changes.ts'
export type { Changes } from './changes.ts'
export type { Database, Limits, Queryable, Row, TextRow, Transaction, Log } from './database.ts'
export {
  checkHistory,
  loadApplied,
  migrate,
  pendingMigrations,
  readMigrationFiles,
} from './migrate.ts'
export { hasDatabase } from './embedded/address.ts'
export { openDatabase } from './open-database.ts'
export { isOutOfRange, isPassing, isUniqueViolation, tryAgain } from './pg-errors.ts'
export { joinDatabase, portOf, relayedDatabase, serveDatabase, shareDatabase } from './relay.ts'
export { openSecrets, sealStored } from './secrets.ts'
export type { Secrets } from './secrets.ts'
export { syncFolder } from './sync-folder.ts'
export { sharedClock } from './to-database.ts'
export { watchStatements } from './watch-statements.ts'
export type { AroundStatement } from './watch-statements.ts'
