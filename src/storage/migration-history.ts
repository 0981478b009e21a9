import type { MigrationFile } from './migration-files.ts'

/** A row of the table `migration`. */
export type Applied = { readonly number: number; readonly name: string; readonly sha256: string }

const throwAway =
  'A database without data worth keeping can be thrown away instead: delete the folder HUB_DATA_DIR, ' +
  'or drop and create the database of DATABASE_URL.'

/**
 * What was applied must be the beginning of what the files say, to the byte: otherwise two databases
 * of the same version would differ. Applied migrations beyond the last file are those of a newer
 * version: an older one does not know what it would read and write there.
 * @param applied in order of their numbers
 * @throws Error that says which file is wrong and what to do
 */
export function checkHistory(applied: readonly Applied[], files: readonly MigrationFile[]): void {
  files.forEach((file, index) => {
    const past = applied[index]
    if (past === undefined) return
    if (past.name !== file.name) {
      throw new Error(
        `The migration ${file.name} is not in the database, which has ${past.name} in its place. ` +
          `Migrations are applied in order: give ${file.name} the next free number. ${throwAway}`,
      )
    }
    if (past.sha256 !== file.sha256) {
      throw new Error(
        `The migration ${file.name} was changed after it was applied to this database. ` +
          `Restore the file as it was and put the change into a new migration. ${throwAway}`,
      )
    }
  })
  const beyond = applied[files.length]
  if (beyond !== undefined) {
    throw new Error(
      `The database was brought up to date by a newer version of the hub: its migration ${beyond.name} is not known to this one. ` +
        'Start the newer version again, or restore a backup from before.',
    )
  }
}
