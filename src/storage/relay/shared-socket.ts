import { EventEmitter } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Database } from '../database.ts'
import { addressFor } from '../embedded/address.ts'
import { relayedDatabase, serveDatabase } from './relay.ts'
import type { Port, Reply, Request } from './relay.ts'

/** Where an embedded database lies, and on what kind of system. */
type Place = { readonly dataDir: string; readonly platform: NodeJS.Platform }

/**
 * Lets commands use the embedded database of this running hub, by a socket beside that of the database, which
 * only this user can open.
 * @returns ends it
 */
export async function shareDatabase(database: Database, place: Place): Promise<() => void> {
  const path = socketOf(place)
  if (path === undefined) return () => undefined
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    const endTransactions = serveDatabase(database, portOn<Request, Reply>(socket))
    socket.on('close', () => {
      open.delete(socket)
      endTransactions()
    })
  })
  // Left behind by a hub that was killed: the data folder is locked by this one now.
  rmSync(path, { force: true })
  const listening = Promise.withResolvers<undefined>()
  server.once('error', listening.reject)
  server.listen(path, () => {
    listening.resolve(undefined)
  })
  await listening.promise
  server.unref()
  return () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
}

/** The embedded database of a hub that runs, if one does on this data folder. */
export async function joinDatabase(place: Place): Promise<Database | undefined> {
  const path = socketOf(place)
  if (path === undefined) return undefined
  const socket = connect(path)
  const isThere = await new Promise<boolean>((settle) => {
    socket.once('connect', () => {
      settle(true)
    })
    socket.once('error', () => {
      settle(false)
    })
  })
  if (!isThere) return undefined
  const database = relayedDatabase(portOn<Reply, Request>(socket), 'embedded')
  return {
    ...database,
    close: () => {
      socket.destroy()
      return Promise.resolve()
    },
  }
}

function socketOf({ dataDir, platform }: Place): string | undefined {
  const address = addressFor(resolve(dataDir), platform)
  return address.kind === 'socket' ? join(address.folder, 'hub.sock') : undefined
}

const lengthBytes = 4

/** Messages over a socket as threads send them to each other: each behind its length. */
function portOn<In, Out>(socket: Socket): Port<In, Out> {
  // Whoever vanishes is seen by `close`.
  socket.on('error', () => undefined)
  return {
    on: (listener) => {
      // Only programs of this user, and of this version, are at the other end.
      const incoming = new EventEmitter().on('message', listener)
      let left: Buffer = Buffer.alloc(0)
      socket.on('data', (piece: Buffer) => {
        left = Buffer.concat([left, piece])
        while (left.length >= lengthBytes) {
          const end = lengthBytes + left.readUInt32BE()
          if (left.length < end) return
          incoming.emit('message', deserialize(left.subarray(lengthBytes, end)))
          left = left.subarray(end)
        }
      })
    },
    onClose: (listener) => {
      socket.on('close', listener)
    },
    postMessage: (message) => {
      const bytes = serialize(message)
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(bytes.length)
      socket.write(Buffer.concat([length, bytes]))
    },
  }
}
