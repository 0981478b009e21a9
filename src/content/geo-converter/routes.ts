import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inSlices, isUnchanged, setCaching, wantsStrictHandling } from '../../http/index.ts'
import { convert, gpx, kml } from './convert.ts'
import type { Conversion } from './convert.ts'
import { internet } from './exchange.ts'
import type { Outside } from './exchange.ts'
import { fetchFile } from './fetch-file.ts'
import { createGate } from './gate.ts'
import { uploadOperation, urlOperation } from './operations.ts'
import { limited, receiveFile, takeFiles } from './receive-file.ts'
import type { XmlFile } from './scan-xml.ts'

type Deps = {
  /** Where files at URLs come from; the internet, unless tests put something else in its place. */
  readonly outside?: Outside
  /** Milliseconds in which a file at a URL has to come. */
  readonly patience?: number
}

const tenSeconds = 10_000

/** Files at URLs, and files that are sent, that are converted at a time: a large one takes some 100 MB. */
const most = { fetched: 4, sent: 16 }

/** `/v1/GeoConverter/…`: KML and GPX to GeoJSON (interface 4.7, reference content.md 6.6). */
export const geoConverterRoutes =
  ({ outside = internet, patience = tenSeconds }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await takeFiles(app)
    const [fetching, sending] = [createGate(most.fetched), createGate(most.sent)]
    for (const conversion of [kml, gpx]) {
      const address = `/v1/GeoConverter/${conversion.name === 'KML' ? 'Kml' : 'Gpx'}ToGeoJson`
      app.get(address, { schema: urlOperation(conversion) }, async (request, reply) => {
        const { url, parts } = request.query
        const converted = await fetching(async () => {
          const file = await fetchFile(outside, url, AbortSignal.timeout(patience))
          return convertFile(conversion, file, { request, parts })
        })
        setCaching(reply, request.principal)
        if (isUnchanged(request, reply, await etagOf(converted))) return reply.send()
        return send(reply, converted)
      })
      app.post(address, { schema: uploadOperation(conversion) }, async (request, reply) => {
        const { parts } = request.query
        // A file that is refused is not read to its end, so no other request can follow it.
        void reply.header('connection', 'close')
        const converted = await sending(async () =>
          convertFile(conversion, await receiveFile(request), { request, parts }),
        )
        void reply.removeHeader('connection')
        setCaching(reply, request.principal)
        return send(reply, converted)
      })
    }
  }

type Asked = { readonly request: FastifyRequest; readonly parts: readonly string[] | undefined }

function convertFile(conversion: Conversion, file: XmlFile, { request, parts }: Asked) {
  const isStrict = wantsStrictHandling(request.headers['prefer'])
  return convert(conversion, { ...file, chunks: limited(file.chunks) }, { parts, isStrict })
}

/** Also of a long answer without keeping others waiting. */
function etagOf(pieces: readonly string[]): Promise<string> {
  return inSlices(toEtag(pieces))
}

function* toEtag(pieces: readonly string[]): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const piece of pieces) yield void hash.update(piece)
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

/** A long answer is sent in pieces, so that encoding it keeps nobody waiting. */
function send(reply: FastifyReply, pieces: readonly string[]) {
  void reply.type('application/geo+json; charset=utf-8')
  const [first = ''] = pieces
  if (pieces.length === 1) return reply.send(first)
  return reply.send(Readable.from(pieces, { objectMode: false, encoding: 'utf8' }))
}
