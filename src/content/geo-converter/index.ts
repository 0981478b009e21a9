import multipart from '@fastify/multipart'
import type { Multipart } from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { commaList, problem, referer } from '../../lang/schemas.ts'
import type { Limit } from '../../async/index.ts'
import { createLimit, inSlices, unlessAborted } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { answerRead, internet, wantsStrictHandling } from '../../http/index.ts'
import type { Outside } from '../../http/index.ts'
import { convert, gpx, kml } from './convert.ts'
import type { Conversion } from './convert.ts'
import { notTaken, notUnderstood, takenTypes, tooLarge } from './faults.ts'
import { charsetOf, fetchFile } from './fetch-file.ts'
import type { XmlFile } from './scan-xml.ts'

type Deps = {
  /** Source of files at URLs: the internet, unless tests replace it. */
  readonly outside?: Outside
  /** Milliseconds within which a file at a URL must arrive. */
  readonly patience?: number
}

const tenSeconds = 10_000

/** Limits of concurrent conversions, by source of the file: a large file takes some 100 MB. */
const most = { fetched: 4, sent: 16 }

/**
 * Registers `/v1/GeoConverter/…`: KML and GPX to GeoJSON (interface 4.7, reference content.md 6.6).
 */
export const geoConverterRoutes =
  ({ outside = internet, patience = tenSeconds }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await takeFiles(app)
    const [fetching, sending] = [limitTo(most.fetched), limitTo(most.sent)]
    for (const conversion of [kml, gpx]) {
      const address = `/v1/GeoConverter/${conversion.name === 'KML' ? 'Kml' : 'Gpx'}ToGeoJson`
      app.get(address, { schema: urlOperation(conversion) }, async (request, reply) => {
        const { url, parts } = request.query
        const converted = await fetching.run(async () => {
          const file = await fetchFile(outside, url, AbortSignal.timeout(patience))
          return convertFile(conversion, file, { request, parts })
        })
        const answer = { ...toAnswer(converted), etag: await inSlices(toEtag(converted)) }
        return answerRead({ request, reply }, { run: () => answer })
      })
      app.post(address, { schema: uploadOperation(conversion) }, async (request, reply) => {
        const { parts } = request.query
        // A refused file is not read to its end, so no other request can follow on the connection.
        void reply.header('connection', 'close')
        const converted = await sending.run(async () =>
          convertFile(conversion, await receiveFile(request), { request, parts }),
        )
        void reply.removeHeader('connection')
        return answerRead({ request, reply }, { run: () => toAnswer(converted) })
      })
    }
  }

type ConversionRequest = {
  readonly request: FastifyRequest
  readonly parts: readonly string[] | undefined
}

function convertFile(conversion: Conversion, file: XmlFile, { request, parts }: ConversionRequest) {
  const isStrict = wantsStrictHandling(request.headers['prefer'])
  return convert(conversion, { ...file, chunks: limited(file.chunks) }, { parts, isStrict })
}

function* toEtag(pieces: readonly string[]): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const piece of pieces) yield void hash.update(piece)
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

/**
 * Returns the response. A long one is sent in pieces, so that encoding it blocks no other request.
 */
function toAnswer(pieces: readonly string[]) {
  const type = 'application/geo+json; charset=utf-8'
  const [first = ''] = pieces
  if (pieces.length === 1) return { type, body: first }
  return { type, body: Readable.from(pieces, { objectMode: false, encoding: 'utf8' }) }
}

/** Returns a limit that refuses further files with HUB-GEO-006 (503) and `Retry-After`. */
function limitTo(most: number): Limit {
  return createLimit({
    places: most,
    maxWaiting: 0,
    refuse: () =>
      new AppError('HUB-GEO-006', `${String(most)} files are being converted already.`, {
        headers: { 'retry-after': '5' },
      }),
  })
}

const geojson = {
  description:
    'GeoJSON (RFC 7946): the geometry of the file. Several of one kind are a MultiPoint, MultiLineString or MultiPolygon, several of different kinds a GeometryCollection',
  content: {
    'application/geo+json': {
      schema: Type.Object(
        {
          type: Type.String(),
          coordinates: Type.Optional(Type.Array(Type.Unknown())),
          geometries: Type.Optional(Type.Array(Type.Unknown())),
        },
        { description: 'A geometry, longitude first' },
      ),
    },
  },
}

const refusals = { 400: problem, 413: problem, 415: problem, 503: problem }

const exampleFiles = {
  KML: '<kml><Placemark><Point><coordinates>11,46.5</coordinates></Point></Placemark></kml>',
  GPX: '<gpx version="1.1"><wpt lat="46.5" lon="11"/></gpx>',
}

/** Returns the parameter for the parts to convert, for files that have several. */
function partsOf({ parts }: Conversion) {
  return Type.Optional(
    commaList(Type.Enum([...parts]), {
      minItems: 1,
      maxItems: parts.length,
      description: `Which parts of the file to convert; default: the first of these that it contains: ${parts.join(', ')}`,
    }),
  )
}

/** Describes `GET /v1/GeoConverter/KmlToGeoJson` and `GpxToGeoJson` (interface 4.7). */
const urlOperation = (conversion: Conversion) => ({
  operationId: `convert${conversion.name}AtUrl`,
  summary: `Convert a ${conversion.name} file at a URL to GeoJSON`,
  description:
    'Fetches http and https URLs of the public internet on the ports 80, 443, 8080 and 8443, with at most 3 redirects, within 10 seconds, up to 10 MiB.',
  tags: ['Content'],
  querystring: Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'Where the file is',
      examples: [`https://example.org/area.${conversion.name.toLowerCase()}`],
    }),
    parts: partsOf(conversion),
    referer,
  }),
  response: { 200: geojson, ...refusals, 404: problem, 504: problem },
})

/** Describes `POST /v1/GeoConverter/KmlToGeoJson` and `GpxToGeoJson` (interface 4.7). */
const uploadOperation = (conversion: Conversion) => ({
  operationId: `convert${conversion.name}`,
  summary: `Convert a ${conversion.name} file to GeoJSON`,
  description: 'The file is the body, or the first file of a form; at most 10 MiB.',
  tags: ['Content'],
  querystring: Type.Object({ parts: partsOf(conversion), referer }),
  body: {
    content: {
      ...Object.fromEntries(
        takenTypes.map((type) => [
          type,
          { schema: Type.String({ examples: [exampleFiles[conversion.name]] }) },
        ]),
      ),
      'multipart/form-data': {
        schema: Type.Object({ file: Type.String({ format: 'binary' }) }),
      },
    },
  },
  response: { 200: geojson, ...refusals },
})

/** Size limit of a file, 10 MiB, whether it is uploaded or at a URL. */
const maxBytes = 10_485_760

/** Milliseconds within which an uploaded file must arrive. */
const patience = 60_000

/** Bytes that a form may have in addition to its file. */
const maxAround = 65_536

/**
 * Makes the routes of this scope accept files, as the body or within a form. `receiveFile` reads
 * them while they arrive.
 */
async function takeFiles(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: maxBytes + 1, fieldSize: maxBytes, parts: 20, fields: 20, files: 2 },
    throwFileSizeLimit: false,
  })
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done) => {
    const fault = faultOf(request)
    if (fault === undefined) done(null, payload)
    else done(fault)
  })
}

/**
 * Returns the error for a media type that is not accepted. A file without a type, or with the
 * default type of `curl`, is accepted and examined.
 */
function faultOf({ headers }: FastifyRequest): AppError | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const isTaken =
    type === '' || type.endsWith('+xml') || [...takenTypes, formOfCurl].some((one) => one === type)
  if (isTaken) return undefined
  return notTaken(`Files of the type ${type} are not accepted.`)
}

const formOfCurl = 'application/x-www-form-urlencoded'

/**
 * Returns the file of a request.
 * @throws AppError HUB-GEO-001 without a file, HUB-GEO-004 for a large one, HUB-BDY-003 for a
 *   compressed body
 */
async function receiveFile(request: FastifyRequest): Promise<XmlFile> {
  const { 'content-length': length, 'content-encoding': packing = 'identity' } = request.headers
  if (packing !== 'identity') throw notTaken(`Bodies in the encoding ${packing} are not accepted.`)
  const isForm = request.isMultipart()
  if (Number(length ?? 0) > maxBytes + (isForm ? maxAround : 0)) throw moreThanTaken()
  if (isForm) return fileOfForm(request)
  const { body } = request
  if (!(body instanceof Readable)) throw notUnderstood('There is no file in the request.')
  return { chunks: readAll(body), charset: charsetOf(request.headers['content-type']) }
}

/** Returns the file of a form; without one, the first text that is not blank. */
async function fileOfForm(request: FastifyRequest): Promise<XmlFile> {
  const parts = partsOfForm(request)
  let text: string | undefined
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const part = next.value
    if (part.type === 'file') return { chunks: onlyFile(part.file, parts) }
    if (typeof part.value === 'string' && part.value.trim() !== '') text ??= part.value
  }
  if (text === undefined) throw notUnderstood('There is no file in the form.')
  return { chunks: once(Buffer.from(text)), charset: 'utf-8' }
}

async function* partsOfForm(request: FastifyRequest): AsyncGenerator<Multipart> {
  try {
    yield* request.parts()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw notUnderstood(`The form cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

/**
 * Yields the file of a form.
 * @throws AppError HUB-GEO-001 if another file follows, which would be ignored silently
 */
async function* onlyFile(
  file: Readable,
  others: AsyncGenerator<Multipart>,
): AsyncGenerator<Uint8Array> {
  yield* readAll(file)
  for await (const part of others) {
    if (part.type === 'file') throw notUnderstood('There is more than one file in the form.')
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

/**
 * Reads a stream by its iterator. A loop over the stream itself would destroy it and end the
 * connection, so that no response could be sent.
 * @throws AppError HUB-RTE-006 if the sender is too slow, HUB-BDY-001 if the connection ends early
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
  const detail = `The file did not arrive within ${String(patience / 1000)} seconds.`
  return new AppError('HUB-RTE-006', detail, { headers: { connection: 'close' }, cause })
}

function broken(cause: unknown): AppError {
  return new AppError('HUB-BDY-001', 'The connection ended before the file was complete.', {
    cause,
  })
}

/** @throws AppError HUB-GEO-004 as soon as more bytes have arrived than are accepted */
async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of chunks) {
    received += chunk.length
    if (received > maxBytes) throw moreThanTaken()
    yield chunk
  }
}

const moreThanTaken = () => tooLarge(`The file has more than ${String(maxBytes)} bytes.`)
