import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/index.ts'
import { notTaken, notUnderstood, takenTypes, tooLarge } from './faults.ts'
import { charsetOf } from './fetch-file.ts'
import type { XmlFile } from './scan-xml.ts'
import { unlessAborted } from './unless-aborted.ts'

/** 10 MiB, of a body as of a file at a URL. */
const mostBytes = 10_485_760

/** Milliseconds in which a file that is sent has to come. */
const patience = 60_000

/** What lies around the file in a form. */
const mostAround = 65_536

/**
 * Has the addresses of this scope take files: as they are, or within a form. They are read as they come,
 * by `receiveFile`.
 */
export async function takeFiles(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: mostBytes + 1, fieldSize: mostBytes, parts: 20, fields: 20, files: 1 },
    throwFileSizeLimit: false,
  })
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done) => {
    const fault = faultOf(request)
    if (fault === undefined) done(null, payload)
    else done(fault)
  })
}

/** What is sent without a type, or as `curl` does by itself, is looked at all the same. */
function faultOf({ headers }: FastifyRequest): AppError | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const isTaken =
    type === '' || type.endsWith('+xml') || [...takenTypes, formOfCurl].some((one) => one === type)
  if (isTaken) return undefined
  return notTaken(`Files are not taken as ${type}.`)
}

const formOfCurl = 'application/x-www-form-urlencoded'

/**
 * The file of a request.
 * @throws AppError HUB-GEO-001 where there is none, HUB-GEO-004 for a large one, HUB-BDY-003 for a packed
 *   body
 */
export async function receiveFile(request: FastifyRequest): Promise<XmlFile> {
  const { 'content-length': length, 'content-encoding': packing = 'identity' } = request.headers
  if (packing !== 'identity') throw notTaken(`Bodies are not taken in the encoding ${packing}.`)
  const isForm = request.isMultipart()
  if (Number(length ?? 0) > mostBytes + (isForm ? mostAround : 0)) throw moreThanTaken()
  if (isForm) return fileOfForm(request)
  const { body } = request
  if (!(body instanceof Readable)) throw notUnderstood('There is no file in the request.')
  return { chunks: readAll(body), charset: charsetOf(request.headers['content-type']) }
}

/** The first file of a form, or the first of its texts. */
async function fileOfForm(request: FastifyRequest): Promise<XmlFile> {
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') return { chunks: readAll(part.file) }
      if (typeof part.value === 'string' && part.value.trim() !== '') {
        return { chunks: once(Buffer.from(part.value)), charset: 'utf-8' }
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw notUnderstood(`The form cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
  throw notUnderstood('There is no file in the form.')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

/**
 * A loop over the stream itself would end the connection with it, and nothing could be answered.
 * @throws AppError HUB-RTE-006 for a sender that is too slow
 */
async function* readAll(stream: Readable): AsyncGenerator<Uint8Array> {
  const signal = AbortSignal.timeout(patience)
  const chunks: AsyncIterator<unknown, unknown> = stream.iterator({ destroyOnReturn: false })
  for (;;) {
    const { done, value } = await unlessAborted(chunks.next(), signal).catch((cause: unknown) => {
      throw signal.aborted ? tooSlow(cause) : broken(cause)
    })
    if (done === true) return
    if (value instanceof Uint8Array) yield value
  }
}

function tooSlow(cause: unknown): AppError {
  const detail = `The file did not come within ${String(patience / 1000)} seconds.`
  return new AppError('HUB-RTE-006', detail, { headers: { connection: 'close' }, cause })
}

function broken(cause: unknown): AppError {
  return new AppError('HUB-BDY-001', 'The connection ended before the file did.', { cause })
}

/** @throws AppError HUB-GEO-004 as soon as more bytes have come than are taken */
export async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of chunks) {
    received += chunk.length
    if (received > mostBytes) throw moreThanTaken()
    yield chunk
  }
}

const moreThanTaken = () => tooLarge(`The file has more than ${String(mostBytes)} bytes.`)
