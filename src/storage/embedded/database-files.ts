import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type DatabaseFiles = {
  readonly folder: string
  /** To be called once the database has started for the first time. */
  readonly complete: () => void
}

/** Whether there is a database in the folder of an embedded one. */
export function hasDatabase(dataDir: string): boolean {
  return (
    existsSync(join(dataDir, 'pg', 'PG_VERSION')) && !existsSync(join(dataDir, 'pg.unfinished'))
  )
}

/**
 * The folder of the database itself. A new database takes some seconds to make, and who is killed
 * meanwhile leaves a folder that never starts: a note beside it says that it is not finished, and the
 * next start throws it away and begins again. A folder without that note is never touched.
 */
export function openFiles(dataDir: string): DatabaseFiles {
  const folder = join(dataDir, 'pg')
  const note = join(dataDir, 'pg.unfinished')
  if (existsSync(note)) rmSync(folder, { recursive: true, force: true })
  if (!existsSync(folder)) {
    writeFileSync(note, 'The first start has not ended; the next one makes the folder pg anew.\n')
    mkdirSync(folder, { mode: 0o700 })
  }
  const complete = () => {
    rmSync(note, { force: true })
  }
  return { folder, complete }
}
