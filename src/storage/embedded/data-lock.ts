import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Makes this process the only one that uses a data folder, until it ends.
 *
 * Node has no file locks, but SQLite does: an exclusive transaction on an empty database holds a lock
 * of the operating system. It is taken atomically, it is seen from other containers that share the
 * folder, and it goes away with the process, however that ends. Process ids in a file do none of that.
 *
 * Blocks the thread for up to `patience` milliseconds while another process has the folder.
 * @throws Error that names the folder and says what to do
 */
export function lockDataDir(dataDir: string, patience: number): void {
  const lock = new DatabaseSync(join(dataDir, 'pg.lock'), { timeout: patience })
  const owner = join(dataDir, 'pg.pid')
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    throw new Error(inUse(dataDir, owner), { cause })
  }
  writeFileSync(owner, `${String(process.pid)}\n`)
  kept.push(lock)
}

/** Locks in force: without a reference the garbage collector would close them. */
const kept: DatabaseSync[] = []

function inUse(dataDir: string, owner: string): string {
  return (
    `The data folder ${dataDir} is in use by another hub (database process ${processId(owner)}). ` +
    'Only one can use it at a time. Stop the other one, or give this one a folder of its own with ' +
    'HUB_DATA_DIR, or let both use one PostgreSQL with DATABASE_URL.'
  )
}

function processId(owner: string): string {
  try {
    return readFileSync(owner, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
