import { PGlite } from '@electric-sql/pglite'
import type { PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isWithoutSync } from '../sync-folder.ts'

/** What Emscripten's file system of Node is made of, as far as it is used here. */
type NodeFiles = {
  readonly stream_ops: object
  readonly realPath: (node: unknown) => string
}

type Stream = { readonly nfd?: number; readonly node: unknown }

/**
 * How PGlite starts so that PostgreSQL syncs its files as on any disk. By itself PGlite starts it with `-F`, and its
 * file system ignores fsync; fdatasync does nothing in WebAssembly, so the write-ahead log takes fsync too.
 */
export function syncedStart(folder: string): Pick<PGliteOptions, 'fs' | 'startParams'> {
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
    // Folders are streams without a file.
    if (nfd === undefined) syncFolder(realPath(node))
    else fsyncSync(nfd)
    return 0
  }
  Object.assign(operations, { fsync })
}

function isNodeFiles(value: unknown): value is NodeFiles {
  return typeof value === 'object' && value !== null && 'stream_ops' in value && 'realPath' in value
}

/** Syncs everything in a folder: what was written by a start without syncing, and by the making of the database. */
export function syncAll(folder: string): void {
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
