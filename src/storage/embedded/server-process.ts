/** The process of the embedded database: PGlite behind a socket. `start-server.ts` starts it. */
import { PGlite } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ListenOptions, Server } from 'node:net'
import { extname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { Check } from 'typebox/value'
import { openFiles, socketName, startMessage } from './address.ts'
import type { Address, Reply, StartMessage } from './address.ts'
import { createProtocolServer } from './protocol-server.ts'
import { syncAll, syncedStart } from './synced-files.ts'

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

// Killing it is safe: what was committed is in the write-ahead log.
new Worker(new URL(`../../async/end-orphan${extname(import.meta.filename)}`, import.meta.url), {
  workerData: 3000,
}).unref()

async function start({ dataDir, address, sync, patience }: StartMessage): Promise<Running> {
  mkdirSync(dataDir, { recursive: true })
  lockDataDir(dataDir, patience)
  const files = openFiles(dataDir)
  const { folder } = files
  const stored = sync === 'on' ? syncedStart(folder) : { dataDir: folder }
  const db = await PGlite.create({ ...stored, extensions })
  if (sync === 'on') syncAll(folder)
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

/** The address as requested, with the port that the system chose. */
function addressOf(server: Server, asked: Address): Address {
  const bound = server.address()
  return bound === null || typeof bound === 'string' ? asked : { kind: 'port', port: bound.port }
}

function reply(message: Reply): void {
  process.send?.(message)
}

/**
 * Makes this process the only one that uses a data folder, until it ends.
 *
 * Node has no file locks, but SQLite does: an exclusive transaction on an empty database holds a lock
 * of the operating system. It is taken atomically, it is seen from other containers that share the
 * folder, and it goes away with the process, however that ends. Process ids in a file do none of that.
 *
 * Blocks the thread for up to `patience` milliseconds while another process has the folder.
 * @throws Error with the folder and the remedy
 */
function lockDataDir(dataDir: string, patience: number): void {
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
