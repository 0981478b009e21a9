import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { answerHead } from './head-answers.ts'

const smallestWorthPacking = 1024

/** Everything that the hub writes is text of one kind or another, media types of JSON lines too. */
const packed =
  /^text\/(?!event-stream)|(?:\+|\/|-)(?:json|text|xml|javascript|ndjson|jsonl|ldjson|rawdata)(?:;|$)/

/**
 * Brotli at quality 1 packs JSON faster and smaller than gzip; Node's default of 11 is two hundred
 * times slower (measured, docs/performance.md).
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  // Before: packing would hold the stream.
  answerHead(app)
  leaveAsIs(app)
  await app.register(compress, {
    global: true,
    // Request bodies are unpacked by those who cap what may come out (decision D51).
    globalDecompression: false,
    threshold: smallestWorthPacking,
    customTypes: packed,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  })
}

/**
 * The plugin takes whatever begins like zlib or gzip for packed already, a text that begins with `80` too, and
 * says so without packing it. Such a body goes as it is, and so does what must not be transformed (RFC 9111,
 * section 5.2.2.6).
 */
function leaveAsIs(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (mustNotChange(reply) || beginsAsPacked(payload))
      request.headers['x-no-compression'] = 'always'
    done(null, payload)
  })
}

function mustNotChange(reply: FastifyReply): boolean {
  return String(reply.getHeader('cache-control')).includes('no-transform')
}

/** The first bytes of gzip (RFC 1952), or a header of zlib whose check is right (RFC 1950). */
function beginsAsPacked(payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  const [first = 0, second = 0] = Buffer.from(payload.slice(0, 2))
  const isZlib = (first & 0x8f) === 0x08 && (first * 256 + second) % 31 === 0
  return isZlib || (first === 0x1f && second === 0x8b)
}
