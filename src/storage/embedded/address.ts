import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Where the embedded database listens: a Unix socket, or a port of 127.0.0.1. */
export type Address =
  | { readonly kind: 'socket'; readonly folder: string }
  /** 0 takes a free port. */
  | { readonly kind: 'port'; readonly port: number }

/** How clients of PostgreSQL name the socket in a folder. */
export const socketName = '.s.PGSQL.5432'

/** `sun_path` has 104 bytes on macOS and 108 on Linux, with the closing zero. */
const longestSocketPath = 103

/**
 * The address for the database of a data folder. Whoever can open the socket can read and write
 * everything, so its folder is for this user alone.
 *
 * @param dataDir absolute path
 * @throws Error when the folder for the socket belongs to somebody else
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

/** In the data folder, or, if its path is too long for a socket, in a short one made from it. */
function socketFolder(dataDir: string): string {
  const folder = join(dataDir, 'run')
  if (Buffer.byteLength(join(folder, socketName)) <= longestSocketPath) return folder
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `hub-${digest}`)
}

type DatabaseFiles = {
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
