import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Exchange } from '../http/index.ts'
import { syncFolder } from '../storage/index.ts'
import type { ExportFile } from './export-list.ts'

/** Where exports are kept. One process writes at a time; all nodes read. */
export type ExportStore = {
  /**
   * The list of the exports; undefined where there is none yet.
   * @param isExact whether it must not be some seconds old, because it is written anew
   */
  readonly readList: (isExact?: boolean) => Promise<string | undefined>
  /** Replaces the list at once: whoever reads finds the one before or this one. */
  readonly writeList: (text: string) => Promise<void>
  /** A new folder for files that are being written; whoever opened it removes it. */
  readonly openWorkFolder: () => Promise<string>
  /** Removes what others have left that were interrupted. No other process may be at work that began before. */
  readonly removeUnfinished: (before: Date) => Promise<void>
  /** Takes a finished file of the work folder, whole or not at all. */
  readonly put: (path: string, file: ExportFile) => Promise<void>
  /** The bytes of a file from one place on and before another. @throws Error where it has not so many */
  readonly read: (name: string, from: number, to: number) => Promise<ArrayBuffer>
  readonly names: () => Promise<readonly string[]>
  readonly remove: (name: string) => Promise<void>
  /** Prepares an application to send files. */
  readonly register: (app: FastifyInstance) => Promise<void>
  /** Sends a file, or a part of it. */
  readonly send: (sending: Sending) => Promise<FastifyReply>
}

export type Sending = {
  /** Headers about the whole file are set already. */
  readonly exchange: Exchange
  readonly file: ExportFile
  /** `Range` may be `ignored`, because the caller has parts of another file. */
  readonly ranges: 'allowed' | 'ignored'
}

export const listName = 'exports.json'

/** Whether a file of the store may be one of the hub; it leaves all others alone. */
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
 * Exports in a folder of the machine, or one that several share.
 * @param unfinished prefix of files and folders of one process each: one that was suspended must not remove those of
 * its successor
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

/** @throws Error where a part of a file has other than so many bytes */
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
  // The library compares If-Range only with tags of its own.
  delete request.raw.headers['if-range']
  return reply.sendFile(file.name, {
    acceptRanges: ranges === 'allowed',
    cacheControl: false,
    contentType: false,
    etag: false,
    lastModified: false,
  })
}
