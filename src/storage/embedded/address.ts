import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Address on which the embedded database listens: a Unix socket, or a port of 127.0.0.1. */
export type Address =
  | { readonly kind: 'socket'; readonly folder: string }
  /** 0 chooses a free port. */
  | { readonly kind: 'port'; readonly port: number }

/** File name under which PostgreSQL clients look for the socket in a folder. */
export const socketName = '.s.PGSQL.5432'

/** `sun_path` has 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const maxSocketPathLength = 103

/**
 * Returns the address for the database of a data folder. Whoever can open the socket can read and
 * write everything, so only this user may access its folder.
 *
 * @param dataDir absolute path
 * @throws Error if the folder of the socket belongs to another user
 */
export function addressFor(dataDir: string, platform: NodeJS.Platform): Address {
  if (platform === 'win32') return { kind: 'port', port: 0 }
  const folder = socketFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (uid !== userInfo().uid) {
    throw new Error(
      `The folder ${folder} belongs to another user (${String(uid)}). Remove it, or set another HUB_DATA_DIR.`,
    )
  }
  chmodSync(folder, 0o700)
  return { kind: 'socket', folder }
}

/**
 * Returns a folder in the data folder or, if that path is too long for a socket, a short one
 * derived from it.
 */
function socketFolder(dataDir: string): string {
  const folder = join(dataDir, 'run')
  if (Buffer.byteLength(join(folder, socketName)) <= maxSocketPathLength) return folder
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `hub-${digest}`)
}

type DatabaseFiles = {
  readonly folder: string
  /** Must be called after the database has started for the first time. */
  readonly complete: () => void
}

/** Reports whether the data folder has a complete database. */
export function hasDatabase(dataDir: string): boolean {
  return (
    existsSync(join(dataDir, 'pg', 'PG_VERSION')) && !existsSync(join(dataDir, 'pg.unfinished'))
  )
}

/**
 * Returns the folder of the database itself. Creating a database takes some seconds, and a process
 * killed meanwhile leaves a folder that never starts. A marker file next to it shows that it is
 * unfinished, and the next start deletes it and begins again. A folder without that marker is never
 * deleted.
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
