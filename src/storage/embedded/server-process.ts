/**
 * The process of the embedded database: PGlite behind a socket. `single-connection.ts` starts it.
 */
import { PGlite } from '@electric-sql/pglite'
import type { Extension, PGliteOptions } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { once } from 'node:events'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { ListenOptions, Server } from 'node:net'
import { extname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { openFiles, socketName } from './address.ts'
import { createProtocolServer } from './protocol-server.ts'
import type { Reply } from './single-connection.ts'
import { isWithoutSync } from '../sync-folder.ts'

/**
 * PostGIS with libraries that load when a statement first needs them. Otherwise each start would
 * compile and keep all of them, also those for rasters and topologies, which nobody uses.
 */
const lazyPostgis: Extension = {
  ...postgis,
  setup: (pg, options) => postgis.setup(pg, { ...options, noWasmDecoding: true }),
}

const extensions = { postgis: lazyPostgis, pg_trgm, unaccent, btree_gist, btree_gin }

type Running = { readonly db: PGlite; readonly server: Server }

// Arguments rather than a message: a schema to check one would take longer to load than everything
// else except the database.
const { values: task } = parseArgs({
  options: {
    /** Absolute path of the data folder. The database is in its subfolder `pg`. */
    data: { type: 'string', default: '' },
    /** Folder of the Unix socket. Without it, the server listens on a free port. */
    socket: { type: 'string' },
    /** Whether commits survive a power loss. */
    sync: { type: 'boolean', default: false },
    /** Milliseconds to wait for another process to release the folder. */
    patience: { type: 'string', default: '0' },
  },
})

/** Locks in force. Without a reference, the garbage collector would close them. */
const kept: DatabaseSync[] = []

// The hub closes the channel when it stops, and the operating system closes it when the hub dies.
process.once('disconnect', () => {
  void stop().finally(() => process.exit())
})

// A terminal and some supervisors signal the whole process group. The hub still needs its database
// to finish its work, and stops this process itself.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

// Killing this process is safe: committed data is in the write-ahead log.
new Worker(new URL(`../../async/end-orphan${extname(import.meta.filename)}`, import.meta.url), {
  workerData: 3000,
}).unref()

const started = start()
started.then(
  ({ server }) => {
    const bound = server.address()
    reply({ kind: 'ready', port: typeof bound === 'object' && bound !== null ? bound.port : 0 })
  },
  (error: unknown) => {
    reply({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  },
)

async function start(): Promise<Running> {
  const { data, sync, patience } = task
  mkdirSync(data, { recursive: true })
  lockDataDir(data, Number(patience))
  const files = openFiles(data)
  const { folder } = files
  const stored = sync ? syncedStart(folder) : { dataDir: folder }
  const db = await PGlite.create({ ...stored, extensions })
  if (sync) syncAll(folder)
  files.complete()
  const server = createProtocolServer(db, crash).listen(place())
  await once(server, 'listening')
  return { db, server }
}

async function stop(): Promise<void> {
  const running = await started.catch(() => undefined)
  running?.server.close()
  await running?.db.close()
}

/** Ends this process. The hub starts another, which recovers from the write-ahead log. */
function crash(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? String(error.stack) : String(error)}\n`)
  process.exit(1)
}

/**
 * Returns where to listen. An existing socket was left by a killed process, because this process
 * holds the lock.
 */
function place(): ListenOptions {
  if (task.socket === undefined) return { host: '127.0.0.1', port: 0 }
  const path = join(task.socket, socketName)
  rmSync(path, { force: true })
  return { path }
}

function reply(message: Reply): void {
  process.send?.(message)
}

/**
 * Makes this process the only one that uses a data folder, until it ends.
 *
 * Node has no file locks, but SQLite has: an exclusive transaction on an empty database holds a
 * lock of the operating system. It is acquired atomically, it is visible to other containers that
 * share the folder, and it is released when the process ends for any reason. A file with a process
 * id has none of these properties.
 *
 * Blocks the thread for up to `patience` milliseconds while another process holds the lock.
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

/** The parts of Emscripten's Node file system that are used here. */
type NodeFiles = {
  readonly stream_ops: object
  readonly realPath: (node: unknown) => string
}

type Stream = { readonly nfd?: number; readonly node: unknown }

/**
 * Returns the options with which PGlite lets PostgreSQL sync its files as on any disk. By default
 * PGlite starts it with `-F`, and its file system ignores fsync. fdatasync does nothing in
 * WebAssembly, so the write-ahead log uses fsync, too.
 */
function syncedStart(folder: string): Pick<PGliteOptions, 'fs' | 'startParams'> {
  const files = new NodeFS(folder)
  const init = files.init.bind(files)
  const synced = async (...given: Parameters<typeof init>) => {
    const { emscriptenOpts } = await init(...given)
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      ({ FS }: Module) => addSync(FS.filesystems.NODEFS),
    ]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
  const others = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
  return {
    fs: Object.assign(files, { init: synced }),
    startParams: [...others, '-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
  }
}

type Module = { readonly FS: { readonly filesystems: { readonly NODEFS: unknown } } }

function addSync(nodeFiles: unknown): void {
  if (!isNodeFiles(nodeFiles))
    throw new Error(
      'This version of PGlite has no known file system, so HUB_EMBEDDED_SYNC=on is not possible.',
    )
  const { stream_ops: operations, realPath } = nodeFiles
  const fsync = ({ nfd, node }: Stream) => {
    // Folders are streams without a file descriptor.
    if (nfd === undefined) syncFolder(realPath(node))
    else fsyncSync(nfd)
    return 0
  }
  Object.assign(operations, { fsync })
}

function isNodeFiles(value: unknown): value is NodeFiles {
  return typeof value === 'object' && value !== null && 'stream_ops' in value && 'realPath' in value
}

/**
 * Syncs everything in a folder: files from an earlier start without syncing, and from the creation
 * of the database.
 */
function syncAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncAll(path)
    else if (entry.isFile()) syncPath(path, 'r+')
  }
  syncFolder(folder)
}

function syncFolder(folder: string): void {
  try {
    syncPath(folder, 'r')
  } catch (error) {
    if (!isWithoutSync(error)) throw error
  }
}

function syncPath(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
