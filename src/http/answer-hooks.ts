import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { constants } from 'node:zlib'

/** Whether `Prefer: handling=strict` is asked for (RFC 7240 section 4.4, decision D3). */
export function wantsStrictHandling(prefer: string | readonly string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}

/**
 * What browsers are told about every answer. Constants, set at once: @fastify/helmet works the same
 * headers out anew for each request: 15 µs more for each (measured).
 */
const securityHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  // Open data is meant to be embedded by pages of other origins.
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  // The filters of old browsers did more harm than good.
  'x-xss-protection': '0',
}

/** Sets the security headers on every answer, errors too. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(securityHeaders)
    done()
  })
}

/** Our own response headers, so that a browser application may read them (decision D7). */
const exposedHeaders = [
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'Preference-Applied',
  'Deprecation',
  'Sunset',
  'RateLimit',
  'RateLimit-Policy',
  'Server-Timing',
  'X-Request-Id',
  'X-Ignored-Parameters',
  'X-Withheld',
  'X-Rate-Limit-Policy',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
]

const oneDay = 86_400

/** Any origin, no credentials, preflights cached, on errors too (decision D7). */
export async function allowCrossOrigin(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    exposedHeaders,
    maxAge: oneDay,
  })
}

/**
 * Answers HEAD without reading the body of a streamed answer (RFC 9110, section 9.3.2): the framework
 * reads the whole stream, and with it the dataset, to throw it away.
 */
function answerHead(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) {
      done(null, payload)
      return
    }
    payload.destroy()
    done(null, Readable.from([]))
  })
}

const smallestWorthPacking = 1024

/** Everything that the hub writes is text of one kind or another, media types of JSON lines too. */
const packed =
  /^text\/(?!event-stream)|(?:\+|\/|-)(?:json|text|xml|javascript|ndjson|jsonl|ldjson|rawdata)(?:;|$)/

/** Whether an answer is packed for those who take it so. */
export function isWorthPacking(
  reply: FastifyReply,
  { type, length }: { readonly type: string; readonly length: number },
): boolean {
  return length >= smallestWorthPacking && packed.test(type) && !mustNotChange(reply)
}

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
  const [first = 0, second = 0] =
    typeof payload === 'string' ? Buffer.from(payload.slice(0, 2)) : payload
  const isZlib = (first & 0x8f) === 0x08 && (first * 256 + second) % 31 === 0
  return isZlib || (first === 0x1f && second === 0x8b)
}
