// Backups: all rows of a hub as compressed files, which can be restored on either engine.
export { makeBackup, loadBackup } from './backup-file.ts'
export { readBackup } from './manifest.ts'
export type { Backup, Manifest } from './manifest.ts'
export { placeOfBackup } from './places.ts'
export type { BackupPlace } from './places.ts'
