import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './negotiate.ts'

/** Whether `Prefer: handling=strict` is requested (RFC 7240 section 4.4, decision D3). */
export function wantsStrictHandling(prefer: string | readonly string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}

/**
 * Security headers of every answer. Constants, set at once: @fastify/helmet computes the same
 * headers again for each request: 15 µs more for each (measured).
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

export function newRequestId(): string {
  return randomUUID()
}

/** Sets the identifier of the request and the security headers on every answer, errors too. */
export function setCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(securityHeaders)
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
 * The plugin treats every body that begins like zlib or gzip as compressed, a text that begins with `80` too, and
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

/** What is read of a body after its answer: bytes, and milliseconds in all and without any. */
const usual = { bytes: 67_108_864, time: 10_000, silence: 2_000 }

/** How often the received bytes are counted, in milliseconds. */
const drainInterval = 250

/**
 * Reads on, within limits, what a client still sends after it was answered, before its connection is closed. Many send
 * all of a body before they read: closed at once, they would meet a broken pipe instead of the answer (RFC 9112
 * section 9.6).
 */
export function drainBodies(app: FastifyInstance, most = usual): void {
  const latest = new WeakMap<Socket, IncomingMessage>()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (hasBody(raw)) {
      if (!latest.has(raw.socket)) closeAfterBody(raw.socket, latest)
      latest.set(raw.socket, raw)
    }
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // Without an end to it the next request of the connection would never be read.
    if (hasBody(raw) && !raw.complete) drain(raw, most, () => raw.socket.destroy())
    done()
  })
}

/** Requests that are injected have no connection. */
const hasBody = ({ headers, socket }: IncomingMessage): boolean =>
  socket instanceof Socket &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Node closes a connection by this method once its last answer is written. */
function closeAfterBody(socket: Socket, latest: WeakMap<Socket, IncomingMessage>): void {
  const close = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = latest.get(socket)
    if (request === undefined || request.complete || socket.destroyed) close()
    else request.once('end', close).once('close', close)
  }
}

/** @param giveUp called when more comes than is read, or nothing any more */
function drain(request: IncomingMessage, most: typeof usual, giveUp: () => void): void {
  const { socket } = request
  const [began, before] = [performance.now(), socket.bytesRead]
  let [seen, changed] = [before, began]
  const timer = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > seen) [seen, changed] = [socket.bytesRead, now]
    const isTooMuch = seen - before > most.bytes || now - began > most.time
    if (isTooMuch || now - changed > most.silence) giveUp()
  }, drainInterval).unref()
  const stop = () => {
    clearInterval(timer)
  }
  request.once('end', stop).once('close', stop).resume()
}

/** The same bytes in any encoding: packed when first requested, and once only. */
export type PackedBytes = (encoding: Encoding) => Promise<Buffer>

/** @param quality of Brotli, 0 to 11: the more, the smaller and the slower */
export function packOnce(plain: Buffer, quality: number): PackedBytes {
  const packed = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const bytes = packed.get(encoding) ?? pack(plain, encoding, quality)
    packed.set(encoding, bytes)
    return bytes
  }
}

function pack(plain: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  switch (encoding) {
    case 'identity':
      return Promise.resolve(plain)
    case 'gzip':
      return promisify(gzip)(plain)
    case 'br':
      return promisify(brotliCompress)(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: quality },
      })
  }
}
