import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Socket, isIPv4, isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import { constants } from 'node:zlib'
import type { Principal, VerifyToken } from '../access/index.ts'
import { anonymous, challenge, notBearer } from '../access/principal.ts'
import { AppError } from '../errors/index.ts'
import { chooseEncoding } from './negotiate.ts'

/** Hooks that every request and response passes through; `app.ts` determines their order. */

/** Reports whether `Prefer: handling=strict` is requested (RFC 7240 section 4.4, decision D3). */
export function wantsStrictHandling(prefer: string | readonly string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}

/**
 * Security headers of every response, as constants. @fastify/helmet computes the same headers for
 * each request, which costs 15 µs (measured).
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
  // The XSS filters of old browsers did more harm than good.
  'x-xss-protection': '0',
}

export function newRequestId(): string {
  return randomUUID()
}

/** Sets the request id and the security headers on every response, including errors. */
export function setCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(securityHeaders)
    done()
  })
}

/**
 * Refuses what Node.js would refuse without a body: HTTP/1.1 without `Host` (RFC 9112, section 3.2),
 * and expectations that it does not know (RFC 9110, section 10.1.1).
 */
export function refuseUnmet(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', ({ headers: { expect, host }, raw }, _reply, done) => {
    if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
      done(new AppError('HUB-RTE-010', `The hub does not know the expectation ${expect}.`))
    } else if (host === undefined && raw.httpVersion === '1.1') {
      done(new AppError('HUB-RTE-005', 'The request has no Host header.'))
    } else done()
  })
}

/** The hub's own response headers, exposed to browser applications (decision D7). */
const exposedHeaders = [
  'Accept-Ranges',
  'Allow',
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

/** Headers of responses before any hook runs: those that the hooks of all other responses set. */
export const commonHeaders = {
  ...securityHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
}

const oneDay = 86_400

/**
 * Allows any origin without credentials, caches preflights, and covers errors too (decision D7).
 */
export async function allowCrossOrigin(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    exposedHeaders,
    maxAge: oneDay,
    // OPTIONS without preflight headers requests `Allow`, see `answerUnrouted`.
    strictPreflight: false,
  })
}

/**
 * Responds to HEAD without reading a streamed body (RFC 9110, section 9.3.2). The framework would
 * read the whole stream, and with it the dataset, only to discard it.
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

/** Compressible media types: all that the hub writes is text of some kind, including JSON lines. */
const packed =
  /^text\/(?!event-stream)|(?:\+|\/|-)(?:json|text|xml|javascript|ndjson|jsonl|ldjson|rawdata)(?:;|$)/

/** Reports whether a response is compressed for callers that accept it. */
export function isWorthPacking(
  reply: FastifyReply,
  { type, length }: { readonly type: string; readonly length: number },
): boolean {
  return length >= smallestWorthPacking && packed.test(type) && !mustNotChange(reply)
}

/**
 * Compresses responses. Brotli at quality 1 compresses JSON faster and smaller than gzip; Node's
 * default of 11 is two hundred times slower (measured, docs/performance.md).
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  // Must come first, because compression would keep the stream open.
  answerHead(app)
  preparePlugin(app)
  await app.register(compress, {
    global: true,
    // Request bodies are decompressed by code that limits their decompressed size (decision D51).
    globalDecompression: false,
    threshold: smallestWorthPacking,
    customTypes: packed,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  })
}

/**
 * Decides what the plugin, or that which serves compressed files, would decide wrongly. They take
 * `*` for codings that are refused by name. The plugin would also mistake bodies for compressed
 * ones: it only checks whether a body starts like zlib or gzip, as a text starting with `80` does,
 * and then labels it without compressing. Also leaves alone what must not be transformed (RFC 9111,
 * section 5.2.2.6).
 */
function preparePlugin(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    headers['accept-encoding'] = chooseEncoding(headers['accept-encoding']?.toString())
    done()
  })
  app.addHook('onSend', ({ headers }, reply, payload, done) => {
    if (mustNotChange(reply) || beginsAsPacked(payload)) headers['x-no-compression'] = 'always'
    done(null, payload)
  })
}

function mustNotChange(reply: FastifyReply): boolean {
  return String(reply.getHeader('cache-control')).includes('no-transform')
}

/** Reports whether a body starts like gzip (RFC 1952) or with a valid zlib header (RFC 1950). */
function beginsAsPacked(payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  const [first = 0, second = 0] =
    typeof payload === 'string' ? Buffer.from(payload.slice(0, 2)) : payload
  const isZlib = (first & 0x8f) === 0x08 && (first * 256 + second) % 31 === 0
  return isZlib || (first === 0x1f && second === 0x8b)
}

/** Limits on reading a body after its response: bytes, and milliseconds in all and without data. */
const usual = { bytes: 67_108_864, time: 10_000, silence: 2_000 }

/** Milliseconds between two counts of the received bytes. */
const drainInterval = 250

/**
 * Keeps reading, within limits, the body of a request that was already answered, before closing its
 * connection. Many clients send the whole body before they read: if closed at once, they would see
 * a broken pipe instead of the response (RFC 9112 section 9.6).
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
    // Otherwise the next request of the connection would never be read.
    if (hasBody(raw) && !raw.complete) drain(raw, most, () => raw.socket.destroy())
    done()
  })
}

/** Injected requests have no connection. */
const hasBody = ({ headers, socket }: IncomingMessage): boolean =>
  socket instanceof Socket &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Delays closing a connection, by Node after the last response, until its last body is read. */
function closeAfterBody(socket: Socket, latest: WeakMap<Socket, IncomingMessage>): void {
  const close = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = latest.get(socket)
    if (request === undefined || request.complete || socket.destroyed) close()
    else request.once('end', close).once('close', close)
  }
}

/** @param giveUp called if more is sent than the limits allow, or nothing any more */
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, set before any route runs. */
    principal: Principal
  }
}

type Headers = { readonly authorization?: string | undefined }

/** Identifies the caller from the header fields of a request. */
export type Authenticate = (headers: Headers) => Promise<Principal>

// Authorization: Bearer <token>, with the scheme in any case (RFC 9110, section 11.1; RFC 6750,
// 2.1)
const BEARER = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*) *$/i

/**
 * Returns the function that identifies callers. The bearer of an invalid token is anonymous with a
 * reason (decision D6); a route that requires more calls `requirePrincipal`.
 * @throws AppError HUB-ACC-004 from the returned function if the token cannot be verified
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
 * Identifies the caller before any route runs. With an invalid token the caller is anonymous, and
 * the response carries `WWW-Authenticate`, so that nobody mistakes open data for all data (decision
 * D6). Routes that require a token refuse by themselves.
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

/**
 * Returns the network that counts as one address: the /64 of an IPv6 address, because its owner
 * usually has all of it, or the IPv4 address itself.
 */
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

/** How much of client addresses is logged (`HUB_LOG_ADDRESSES`). */
export type AddressDetail = 'full' | 'shortened' | 'none'

/** Returns a function that shortens client addresses to their network: /24, or /48 of IPv6. */
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
 * Takes client addresses from `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, as far as
 * proxies are trusted. Only one of the two is ever trusted: a proxy that sets one forwards the
 * other as the client sent it.
 */
export function trustProxyHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    headers['x-forwarded-for'] = forwardedFor(headers.forwarded ?? '').join(', ')
    done()
  })
}

// forwarded-pair = token "=" ( token / quoted-string ); in practice unquoted values may contain
// colons
const pair = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*(?:([;,])|$)/y

/**
 * Returns the `for` of each element of a `Forwarded` field, without ports, from the client to the
 * last proxy's peer. An invalid field yields nothing; an element without `for` is `unknown`.
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

/** node = nodename [ ":" node-port ]; IPv6 addresses are in brackets (RFC 7239, section 6) */
function toAddress(value: string): string {
  const node = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
  const [, bracketed] = /^\[([\da-fA-F:.]+)\]/.exec(node) ?? []
  const name = bracketed ?? node.replace(/:\w+$/, '')
  return /^[\w.:-]+$/.test(name) ? name : 'unknown'
}
