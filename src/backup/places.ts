import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { moveToS3, openS3 } from '../exports/index.ts'
import type { S3Access } from '../exports/index.ts'
import { syncFolder } from '../storage/index.ts'
import { manifestName, parseManifest } from './manifest.ts'
import type { BackupTable } from './manifest.ts'

/** Storage of one backup. */
export type BackupPlace = {
  /** Returns the folder that its files are written to. @throws Error if the place is not empty */
  readonly begin: () => Promise<string>
  /** Stores a finished file of that folder. The manifest must come last. */
  readonly take: (file: Pick<BackupTable, 'file' | 'bytes' | 'sha256'>) => Promise<void>
  /** Returns a folder with all files of the backup. @throws Error if there is no backup */
  readonly load: () => Promise<string>
  /** Removes temporary files. */
  readonly end: () => Promise<void>
}

type Place = Omit<S3Access, 'url'> & {
  /**
   * A folder, or the URL of a bucket with a prefix, such as
   * `https://s3.example.org/backups/2026-11-26`.
   */
  readonly place: string
}

/** @throws Error if a URL has no bucket or no prefix */
export function placeOfBackup({ place, ...access }: Place): BackupPlace {
  if (!/^https?:/.test(place)) return folderPlace(resolve(place))
  const [, url, prefix] =
    /^(https?:\/\/[^\s/@]+\/[^\s/?#]+)\/([^\s?#]*[^\s?#/])\/?$/.exec(place) ?? []
  if (url === undefined || prefix === undefined) {
    throw new Error(
      'The URL of a backup has a bucket and a prefix, such as https://s3.example.org/backups/2026-11-26.',
    )
  }
  return s3Place({ ...access, url }, `${prefix}/`)
}

function folderPlace(folder: string): BackupPlace {
  return {
    begin: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if ((await readdir(folder)).length > 0) {
        throw new Error(`${folder} is not empty. Each backup needs a folder of its own.`)
      }
      return folder
    },
    take: () => syncFolder(folder),
    load: () => Promise.resolve(folder),
    end: () => Promise.resolve(),
  }
}

function s3Place(access: S3Access, prefix: string): BackupPlace {
  const open = openS3(access)
  const folders: string[] = []
  const openFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-backup-'))
    folders.push(folder)
    return folder
  }
  return {
    begin: async () => {
      if ((await (await open()).getObject(`${prefix}${manifestName}`)) !== null) {
        throw new Error(`There is a backup in ${prefix} already. Choose another prefix.`)
      }
      return openFolder()
    },
    take: async ({ file, ...object }) => {
      const type = file === manifestName ? 'application/json' : 'application/gzip'
      const path = join(folders[0] ?? '', file)
      await moveToS3(await open(), path, { ...object, key: `${prefix}${file}`, type })
    },
    load: async () => {
      const [client, folder] = [await open(), await openFolder()]
      const text = await client.getObject(`${prefix}${manifestName}`)
      if (text === null) throw new Error(`There is no complete backup in ${prefix}.`)
      for (const { file } of [{ file: manifestName }, ...parseManifest(text).tables]) {
        const { body } = await client.getObjectRaw(`${prefix}${file}`)
        const written = createWriteStream(join(folder, file), { mode: 0o600 })
        await pipeline(body === null ? [] : piecesOf(body), written)
      }
      return folder
    },
    end: async () => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}
