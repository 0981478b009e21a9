import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Exchange } from '../http/index.ts'
import { syncFolder } from '../storage/index.ts'
import type { ExportFile } from './export-list.ts'

/** Storage of the exports. One process writes at a time, and all nodes read. */
export type ExportStore = {
  /**
   * Returns the list of the exports, or undefined if there is none yet.
   * @param isExact whether the list must not be a few seconds old, because it is going to be
   * rewritten
   */
  readonly readList: (isExact?: boolean) => Promise<string | undefined>
  /** Replaces the list atomically: readers get either the old or the new one. */
  readonly writeList: (text: string) => Promise<void>
  /** Creates a folder for files that are being written. The caller must remove it. */
  readonly openWorkFolder: () => Promise<string>
  /** Removes leftovers of interrupted processes. None that started before may still be working. */
  readonly removeUnfinished: (before: Date) => Promise<void>
  /** Moves a finished file from the work folder to the store, atomically. */
  readonly put: (path: string, file: ExportFile) => Promise<void>
  /**
   * Reads the bytes from `from` up to, not including, `to`. @throws Error if the file is shorter
   */
  readonly read: (name: string, from: number, to: number) => Promise<ArrayBuffer>
  readonly names: () => Promise<readonly string[]>
  readonly remove: (name: string) => Promise<void>
  /** Prepares an application to send files. */
  readonly register: (app: FastifyInstance) => Promise<void>
  /** Sends a file or a part of it. */
  readonly send: (sending: Sending) => Promise<FastifyReply>
}

export type Sending = {
  /** Headers about the whole file are already set. */
  readonly exchange: Exchange
  readonly file: ExportFile
  /** `Range` is `ignored` if the caller holds parts of another file. */
  readonly ranges: 'allowed' | 'ignored'
}

export const listName = 'exports.json'

/**
 * Reports whether a file of the store may belong to the hub, which leaves all other files alone.
 */
export function isExportName(name: string): boolean {
  return /^[\w.-]+-[0-9a-f]{24}\.(ndjson\.gz|parquet)$/.test(name)
}

/** @param prefix of the names of work folders in `parent` */
export function workFolders(
  parent: string,
  prefix: string,
): Pick<ExportStore, 'openWorkFolder' | 'removeUnfinished'> {
  return {
    openWorkFolder: async () => {
      await mkdir(parent, { recursive: true })
      return mkdtemp(join(parent, prefix))
    },
    removeUnfinished: async (before) => {
      for (const name of await unlessMissing(readdir(parent), [])) {
        if (!name.startsWith(prefix)) continue
        const path = join(parent, name)
        const begun = await unlessMissing(stat(path), undefined)
        if (begun !== undefined && begun.mtimeMs <= before.getTime())
          await rm(path, { recursive: true, force: true })
      }
    },
  }
}

/**
 * Keeps exports in a folder of this machine, or in one that several machines share.
 * @param unfinished prefix of the files and folders of a single process. Its names must be unique,
 * so that a process that was suspended does not remove those of its successor.
 */
export function folderStore(folder: string, unfinished = '.unfinished-'): ExportStore {
  const list = join(folder, listName)
  return {
    ...workFolders(folder, unfinished),
    readList: () => unlessMissing(readFile(list, 'utf8'), undefined),
    writeList: async (text) => {
      const path = join(folder, `${unfinished}${randomUUID()}`)
      await mkdir(folder, { recursive: true })
      const file = await open(path, 'w')
      await file.writeFile(text)
      await file.sync()
      await file.close()
      await rename(path, list)
      await syncFolder(folder)
    },
    put: async (path, { name }) => {
      await rename(path, join(folder, name))
      await syncFolder(folder)
    },
    read: async (name, from, to) => {
      const bytes = Buffer.alloc(to - from)
      await using file = await open(join(folder, name))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return wholePart(bytes.buffer.slice(0, bytesRead), to - from)
    },
    names: async () => {
      return (await unlessMissing(readdir(folder), [])).filter(isExportName)
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    register: async (app) => {
      await mkdir(folder, { recursive: true })
      await app.register(fastifyStatic, { root: folder, serve: false })
    },
    send: sendFile,
  }
}

/** @throws Error if a part of a file does not have the given number of bytes */
export function wholePart(part: ArrayBuffer, bytes: number): ArrayBuffer {
  if (part.byteLength === bytes) return part
  throw new Error('The file is shorter than it was written.')
}

async function unlessMissing<Value, Other>(
  found: Promise<Value>,
  other: Other,
): Promise<Value | Other> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return other
    throw error
  }
}

async function sendFile({ exchange, file, ranges }: Sending): Promise<FastifyReply> {
  const { request, reply } = exchange
  // The library compares these only with ETags and times of its own. The route has decided them.
  delete request.raw.headers['if-match']
  delete request.raw.headers['if-range']
  delete request.raw.headers['if-unmodified-since']
  return reply.sendFile(file.name, {
    acceptRanges: ranges === 'allowed',
    cacheControl: false,
    contentType: false,
    etag: false,
    lastModified: false,
  })
}
