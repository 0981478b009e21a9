import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { Static } from 'typebox'

/** Where the embedded database listens: a Unix socket, or a port of 127.0.0.1. */
export const address = Type.Union([
  Type.Object({ kind: Type.Literal('socket'), folder: Type.String() }),
  /** 0 takes a free port. */
  Type.Object({ kind: Type.Literal('port'), port: Type.Integer() }),
])
export type Address = Static<typeof address>

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
