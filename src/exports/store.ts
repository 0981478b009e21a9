import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { matchesEtag } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { ExportFile } from './export-list.ts'

/** Where exports are kept. One process writes at a time; all nodes read. */
export type ExportStore = {
  /** The list of the exports as it was written last; undefined where there is none yet. */
  readonly readList: () => Promise<string | undefined>
  /** Replaces the list at once: whoever reads finds the one before or this one. */
  readonly writeList: (text: string) => Promise<void>
  /** An empty folder for files that are being written. */
  readonly openWorkFolder: () => Promise<string>
  readonly removeWorkFolder: () => Promise<void>
  /** Takes a finished file of the work folder, whole or not at all. */
  readonly put: (path: string, file: ExportFile) => Promise<void>
  readonly names: () => Promise<readonly string[]>
  readonly remove: (name: string) => Promise<void>
  /** Prepares an application to send files. */
  readonly register: (app: FastifyInstance) => Promise<void>
  /** Sends a file or the requested part of it; headers about who may keep it are set already. */
  readonly send: (exchange: Exchange, file: ExportFile) => Promise<FastifyReply>
}

const listName = 'exports.json'
const workName = '.unfinished'

/** Exports in a folder of the machine, or one that several share. */
export function folderStore(folder: string): ExportStore {
  const list = join(folder, listName)
  const work = join(folder, workName)
  return {
    readList: () => unlessMissing(readFile(list, 'utf8'), undefined),
    writeList: async (text) => {
      const path = join(work, listName)
      await mkdir(work, { recursive: true })
      const file = await open(path, 'w')
      await file.writeFile(text)
      await file.sync()
      await file.close()
      await rename(path, list)
      await syncFolder(folder)
    },
    openWorkFolder: async () => {
      await rm(work, { recursive: true, force: true })
      await mkdir(work, { recursive: true })
      return work
    },
    removeWorkFolder: () => rm(work, { recursive: true, force: true }),
    put: async (path, { name }) => {
      await rename(path, join(folder, name))
      await syncFolder(folder)
    },
    names: async () => {
      const names = await unlessMissing(readdir(folder), [])
      return names.filter((name) => /\.(ndjson\.gz|parquet)$/.test(name))
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    register: async (app) => {
      await mkdir(folder, { recursive: true })
      await app.register(fastifyStatic, { root: folder, serve: false })
    },
    send: sendFile,
  }
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

/** A name that was given to a file is on the disk only after this. Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EISDIR' && code !== 'EPERM') throw error
  }
}

async function sendFile({ request, reply }: Exchange, { name, sha256 }: ExportFile) {
  const etag = `"${sha256}"`
  void reply.header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  // The library compares If-Range only with tags of its own, which differ between nodes.
  const condition = request.headers['if-range']
  const acceptRanges = condition === undefined || condition === etag
  delete request.raw.headers['if-range']
  return reply.sendFile(name, {
    acceptRanges,
    cacheControl: false,
    contentType: false,
    etag: false,
    lastModified: false,
  })
}
