/** The process of the embedded database: PGlite behind a socket. `start-server.ts` starts it. */
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import type { ListenOptions, Server } from 'node:net'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { postgis } from '@electric-sql/pglite-postgis'
import { Check } from 'typebox/value'
import { socketName } from './address.ts'
import type { Address } from './address.ts'
import { lockDataDir } from './data-lock.ts'
import { openFiles } from './database-files.ts'
import { startMessage } from './messages.ts'
import type { Reply, StartMessage } from './messages.ts'
import { createProtocolServer } from './protocol-server.ts'

const extensions = { postgis, pg_trgm, unaccent, btree_gist, btree_gin }

type Running = { readonly db: PGlite; readonly server: Server }

let started: Promise<Running> | undefined

process.once('message', (message) => {
  if (!Check(startMessage, message)) throw new Error('The first message must say what to start')
  started = start(message)
  started.then(
    ({ server }) => {
      reply({ kind: 'ready', address: addressOf(server, message.address) })
    },
    (error: unknown) => {
      reply({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
    },
  )
})

// The hub closes the channel when it stops, and the system closes it when the hub dies.
process.once('disconnect', () => {
  void stop().finally(() => process.exit())
})

// A terminal and some supervisors signal the whole group. The hub still needs its database to finish
// what it is doing, and says itself when to stop.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

new Worker(new URL(`./orphan-watch${extname(import.meta.filename)}`, import.meta.url)).unref()

async function start({ dataDir, address, patience }: StartMessage): Promise<Running> {
  mkdirSync(dataDir, { recursive: true })
  lockDataDir(dataDir, patience)
  const files = openFiles(dataDir)
  const db = await PGlite.create({ dataDir: files.folder, extensions })
  files.complete()
  const server = createProtocolServer(db, crash).listen(listenOn(address))
  await once(server, 'listening')
  return { db, server }
}

async function stop(): Promise<void> {
  const running = await started?.catch(() => undefined)
  running?.server.close()
  await running?.db.close()
}

/** Ends this process; the hub starts another, which recovers from the write-ahead log. */
function crash(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? String(error.stack) : String(error)}\n`)
  process.exit(1)
}

/** A socket that is already there was left behind by a killed process: the lock is ours. */
function listenOn(address: Address): ListenOptions {
  if (address.kind === 'port') return { host: '127.0.0.1', port: address.port }
  const path = join(address.folder, socketName)
  rmSync(path, { force: true })
  return { path }
}

/** The address as asked for, with the port that the system chose. */
function addressOf(server: Server, asked: Address): Address {
  const bound = server.address()
  return bound === null || typeof bound === 'string' ? asked : { kind: 'port', port: bound.port }
}

function reply(message: Reply): void {
  process.send?.(message)
}
