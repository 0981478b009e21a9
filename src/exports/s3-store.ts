import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { S3mini } from 's3mini'
import { rangeBehindEnd } from '../http/index.ts'
import { contentTypes } from './export-list.ts'
import { isExportName, listName, wholePart, workFolders } from './store.ts'
import type { ExportStore, Sending } from './store.ts'

/** URL, region and credentials of a bucket in an S3-compatible store. */
export type S3Access = {
  /** URL including the bucket, such as `https://s3.example.org/exports`. */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
  readonly fetch: typeof fetch
  /** Larger files are uploaded in parts of at least this many bytes. Default: 16 MiB. */
  readonly partBytes?: number
}

/** How long the list is cached, in milliseconds. Other nodes may replace it. */
const patience = 5000

/**
 * Keeps exports in a bucket of an S3-compatible store. Callers download them through the hub, so
 * the bucket may be private.
 * @param prefix of the keys in the bucket, used for nothing else
 */
export function s3Store(access: S3Access, prefix = 'hub-exports/'): ExportStore {
  const open = openS3(access)
  const digest = createHash('sha256').update(`${access.url} ${prefix}`).digest('hex').slice(0, 16)
  let list: { readonly text: string | undefined; readonly until: number } | undefined
  return {
    ...workFolders(tmpdir(), `hub-exports-${digest}-`),
    readList: async (isExact = false) => {
      if (!isExact && list !== undefined && list.until > performance.now()) return list.text
      const text = (await (await open()).getObject(`${prefix}${listName}`)) ?? undefined
      list = { text, until: performance.now() + patience }
      return text
    },
    writeList: async (text) => {
      await (await open()).putObject(`${prefix}${listName}`, text, 'application/json')
      list = undefined
    },
    put: async (path, { name, format, ...file }) => {
      const object = { ...file, key: `${prefix}${name}`, type: contentTypes[format] }
      await moveToS3(await open(), path, object)
    },
    names: async () => {
      const objects = (await (await open()).listObjects('/', prefix)) ?? []
      return objects.map(({ Key }) => Key.slice(prefix.length)).filter(isExportName)
    },
    remove: async (name) => {
      await (await open()).deleteObject(`${prefix}${name}`).catch(ignoreMissing)
    },
    register: () => Promise.resolve(),
    read: async (name, from, to) => {
      const answer = await (await open()).getObjectRaw(`${prefix}${name}`, false, from, to)
      return wholePart(await answer.arrayBuffer(), to - from)
    },
    send: async (sending) => sendObject({ open, prefix }, sending),
  }
}

/**
 * Ignores that another node has already removed an object: S3 itself responds with 204, other
 * stores with 404.
 */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && error.status === 404)) throw error
}

/** Returns a function that opens a client of the bucket. The library is loaded on first use. */
export function openS3(access: S3Access): () => Promise<S3mini> {
  const { url, region, keyId, secret, fetch, partBytes = 16_777_216 } = access
  let client: S3mini | undefined
  return async () => {
    const { S3mini: Client } = await import('s3mini')
    client ??= new Client({
      ...{ endpoint: url, region, fetch, minPartSize: partBytes },
      ...{ accessKeyId: keyId, secretAccessKey: secret },
    })
    return client
  }
}

/** Maximum number of parts of one object. */
const maxParts = 10_000

/** Properties of an object to store. */
export type S3Object = {
  readonly key: string
  readonly type: string
  readonly bytes: number
  /** Digest of the content, in hexadecimal digits. */
  readonly sha256: string
}

/** Moves a file to the store, which checks the digest of what arrives. */
export async function moveToS3(client: S3mini, path: string, object: S3Object): Promise<void> {
  if (object.bytes > client.minPartSize) await putParts(client, path, object)
  else {
    const { key, type, bytes, sha256 } = object
    const headers = { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') }
    await client.putObject(key, await openAsBlob(path), type, undefined, headers, bytes)
  }
  await rm(path)
}

/**
 * Uploads a file in parts, each with a digest of its own. Stores accept at most 5 GiB at once, and
 * a Blob of Node has at most 2 GiB.
 */
async function putParts(client: S3mini, path: string, object: S3Object): Promise<void> {
  const { key, type, bytes } = object
  const size = Math.max(client.minPartSize, Math.ceil(bytes / maxParts))
  const upload = await client.getMultipartUploadId(key, type)
  try {
    const parts = []
    for await (const { body, md5 } of partsOf(path, size)) {
      const number: number = parts.length + 1
      const headers = { 'content-md5': md5 }
      parts.push(await client.uploadPart(key, upload, body, number, {}, undefined, headers))
    }
    const { etag } = await client.completeMultipartUpload(key, upload, parts)
    // A store may start its response before it knows whether that works.
    if (!etag) throw new Error(`The store did not put the parts of ${key} together.`)
  } catch (error) {
    await client.abortMultipartUpload(key, upload).catch(() => undefined)
    throw error
  }
}

/**
 * Reads and hashes a file piece by piece, because a whole part at once would block the event loop.
 */
async function* partsOf(path: string, size: number) {
  const file: AsyncIterable<Buffer<ArrayBuffer>> = createReadStream(path, {
    highWaterMark: Math.min(size, 1_048_576),
  })
  let pieces: Buffer<ArrayBuffer>[] = []
  let [bytes, hash] = [0, createHash('md5')]
  const take = () => ({ body: new Blob(pieces), md5: hash.digest('base64') })
  for await (const piece of file) {
    pieces.push(piece)
    bytes += piece.length
    hash.update(piece)
    if (bytes < size) continue
    yield take()
    ;[pieces, bytes, hash] = [[], 0, createHash('md5')]
  }
  if (bytes > 0) yield take()
}

type Bucket = { readonly open: () => Promise<S3mini>; readonly prefix: string }

async function sendObject({ open, prefix }: Bucket, { exchange, file, ranges }: Sending) {
  const { request, reply } = exchange
  const part = ranges === 'allowed' ? partOf(request.headers.range, file.bytes) : undefined
  void reply.header('accept-ranges', 'bytes')
  if (part !== undefined) {
    const { from, to } = part
    void reply.code(206).headers({
      'content-range': `bytes ${String(from)}-${String(to - 1)}/${String(file.bytes)}`,
    })
  }
  const { from, to } = part ?? { from: 0, to: file.bytes }
  void reply.header('content-length', to - from)
  if (request.method === 'HEAD') return reply.send('')
  const client = await open()
  const { body } = await client.getObjectRaw(`${prefix}${file.name}`, false, from, to)
  return reply.send(body)
}

type Part = { readonly from: number; readonly to: number }

/**
 * Parses a Range header with a single range (RFC 9110 section 14.1.2). Returns undefined, which
 * requests the whole file, for several ranges or an invalid one.
 * @throws AppError HUB-RTE-009 if the range starts after the end of the file
 */
function partOf(range: string | undefined, bytes: number): Part | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < from) return undefined
  if (from >= bytes) throw rangeBehindEnd(`bytes */${String(bytes)}`)
  return { from, to }
}
