// Backups: all rows of a hub as compressed files, which a hub on either engine is restored from.
export { makeBackup, loadBackup } from './backup-file.ts'
export { readBackup } from './manifest.ts'
export type { Backup, Manifest } from './manifest.ts'
export { placeOfBackup } from './places.ts'
export type { BackupPlace } from './places.ts'
