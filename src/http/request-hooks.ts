import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Socket, isIPv4, isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Principal, VerifyToken } from '../access/index.ts'
import { anonymous, challenge, notBearer } from '../access/principal.ts'
import type { Encoding } from './negotiate.ts'

/** What every request and its answer pass through; `app.ts` has the order. */

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
  'Accept-Ranges',
  'Content-Crs',
  'Content-Disposition',
  'Content-Range',
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
  'Stream-Cursor',
  'Stream-Next-Offset',
  'Stream-Up-To-Date',
  'X-Request-Id',
  'X-Ignored-Parameters',
  'X-Withheld',
  'X-Complete',
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
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders,
    maxAge: oneDay,
    // OPTIONS without the headers of a preflight asks for `Allow`, see answerUnrouted.
    strictPreflight: false,
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller: set before any route runs. */
    principal: Principal
  }
}

type Headers = { readonly authorization?: string | undefined }

/** Identifies the caller, from the header fields of a request. */
export type Authenticate = (headers: Headers) => Promise<Principal>

// Authorization: Bearer <token>, the scheme in any case (RFC 9110, section 11.1; RFC 6750, 2.1)
const BEARER = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*) *$/i

/**
 * Makes `authenticate`. A token that cannot be trusted makes its bearer anonymous with a reason
 * (decision D6); whether that is enough is for the route to say, with `requirePrincipal`.
 * @throws AppError HUB-ACC-004 from the returned function when the token cannot be judged
 */
export function authenticator(verifyToken: VerifyToken): Authenticate {
  return async ({ authorization }) => {
    if (authorization === undefined || authorization.trim() === '') return anonymous
    const token = BEARER.exec(authorization)?.groups?.['token']
    if (token === undefined) {
      return { kind: 'anonymous', rejected: notBearer }
    }
    const found = await verifyToken(token)
    if (found.kind === 'rejected') return { kind: 'anonymous', rejected: found.reason }
    return found.principal
  }
}

/**
 * Identifies the caller, before any route runs. A token that cannot be trusted makes the caller
 * anonymous and is answered with `WWW-Authenticate`, so that no one mistakes open data for all data
 * (decision D6); addresses that need a token refuse by themselves.
 */
export function identifyCallers(app: FastifyInstance, authenticate: Authenticate): void {
  const principals = new WeakMap<FastifyRequest, Principal>()
  app.decorateRequest('principal', {
    getter() {
      return principals.get(this) ?? anonymous
    },
    setter(principal: Principal) {
      principals.set(this, principal)
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    request.principal = await authenticate(request.headers)
    if (request.principal.kind === 'anonymous' && request.principal.rejected !== undefined) {
      void reply.header('www-authenticate', challenge(request.principal))
    }
  })
}

/** What is counted as one address: the owner of an IPv6 address usually has its whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const embedded = /^::ffff:(?<v4>[\d.]+)$/i.exec(address)?.groups?.['v4']
  if (embedded !== undefined) return embedded
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
  return all.slice(0, 4).join(':')
}

/** How much of the addresses of clients is logged (`HUB_LOG_ADDRESSES`). */
export type AddressDetail = 'full' | 'shortened' | 'none'

/** The address of a client as it is logged; shortened it is that of a network: /24, or /48 of IPv6. */
export function loggedAddress(detail: AddressDetail): (address: string) => string | undefined {
  return (address) => {
    if (detail === 'none' || address === '') return undefined
    if (detail === 'full') return address
    const network = networkOf(address)
    if (isIPv4(network)) return network.replace(/\d+$/, '0')
    return `${network.split(':').slice(0, 3).join(':')}::`
  }
}

/**
 * Has the address of clients taken from `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, as far as
 * proxies are trusted. Only one of the two is ever trusted: a proxy that sets one passes the other on
 * as the client wrote it.
 */
export function trustProxyHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    headers['x-forwarded-for'] = forwardedFor(headers.forwarded ?? '').join(', ')
    done()
  })
}

// forwarded-pair = token "=" ( token / quoted-string ); a field without quotes may hold colons in practice
const pair = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*(?:([;,])|$)/y

/**
 * The `for` of each element of a `Forwarded` field, without ports: the client first, the last proxy's
 * peer at the end. What is not `Forwarded` says nothing; an element that names nobody is `unknown`.
 */
export function forwardedFor(field: string): readonly string[] {
  const found: string[] = []
  let current = 'unknown'
  let at = 0
  while (at < field.length) {
    pair.lastIndex = at
    const match = pair.exec(field)
    if (match === null) return []
    const [all, name = '', value = '', separator] = match
    if (name.toLowerCase() === 'for') current = toAddress(value)
    if (separator !== ';') {
      found.push(current)
      current = 'unknown'
    }
    at += all.length
  }
  return found
}

/** node = nodename [ ":" node-port ]; an IPv6 address stands in brackets (RFC 7239, section 6). */
function toAddress(value: string): string {
  const node = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
  const [, bracketed] = /^\[([\da-fA-F:.]+)\]/.exec(node) ?? []
  const name = bracketed ?? node.replace(/:\w+$/, '')
  return /^[\w.:-]+$/.test(name) ? name : 'unknown'
}
