import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }
import type { Principal } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { isWorthPacking } from './request-hooks.ts'
import { requestKey } from './answer-memory.ts'
import type { Answer, AnswerMemory, KeptAnswer } from './answer-memory.ts'
import { chooseEncoding } from './negotiate.ts'
import { reportIgnored } from './query.ts'

/** A request and its response. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

export const jsonType = 'application/json; charset=utf-8'

/**
 * Sets the headers of every read: what the response depends on, and who may cache it (decision D8).
 */
export function setCaching(reply: FastifyReply, principal: Principal): void {
  void reply.header('vary', 'Accept, Accept-Encoding, Authorization, Prefer')
  void reply.header('cache-control', isPublic(principal) ? 'public, no-cache' : 'private, no-cache')
}

/**
 * Reports whether a shared cache may store the response to this caller. A rejected token also
 * changes the response: its headers report the rejection, which concerns this caller only (decision
 * D6).
 */
export function isPublic(principal: Principal): boolean {
  return principal.kind === 'anonymous' && principal.rejected === undefined
}

/**
 * Sets the tag and reports whether the caller has this response cached. If so, the response must be
 * 304 without a body.
 */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header('etag', etag)
  if (!matchesEtag(request.headers['if-none-match'], etag)) return false
  void reply.code(304)
  return true
}

/**
 * Tags reads whose route sets no tag with a digest of their text (decision D8), unless they must
 * not be cached. Refuses reads whose conditions are false. Must be called before compression.
 */
export function tagReads(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isKnown =
      mustTag(request, reply) && isText(payload) && isUnchanged(request, reply, tagOf(payload))
    if (!isOtherState(request, reply)) {
      done(null, isKnown ? '' : payload)
      return
    }
    if (payload instanceof Readable) payload.destroy()
    done(otherState())
  })
}

function mustTag({ method }: FastifyRequest, reply: FastifyReply): boolean {
  const mayBeKept = !String(reply.getHeader('cache-control')).includes('no-store')
  return isRead(method) && reply.statusCode === 200 && mayBeKept && !reply.hasHeader('etag')
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/**
 * Reports whether the response to a read is not in the state that the caller requires (RFC 9110
 * sections 13.1.1 and 13.1.4). Weak tags are compared, too, as in writes: a caller who returns the
 * tag of this very response is not refused. Writes check the record, before they change it.
 */
function isOtherState({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const { 'if-match': ifMatch, 'if-unmodified-since': since } = headers
  if (ifMatch === undefined && since === undefined) return false
  if (!isRead(method) || ![200, 304].includes(reply.statusCode)) return false
  const [etag, modified] = [reply.getHeader('etag'), reply.getHeader('last-modified')]
  if (ifMatch !== undefined) return typeof etag === 'string' && !matchesEtag(ifMatch, etag)
  return typeof modified === 'string' && httpDate(modified) > httpDate(since ?? '')
}

const otherState = () =>
  new AppError(
    'HUB-RTE-008',
    'The response is not in the state that If-Match or If-Unmodified-Since requires.',
    { hint: 'Omit them to read the present state.' },
  )

const isText = (payload: unknown) => typeof payload === 'string' || Buffer.isBuffer(payload)

const tagOf = (payload: string | Buffer) => weakEtag([payload.toString('latin1')])

/** A planned read, ready to run. */
export type Read = {
  /** What is withheld from this caller. */
  readonly withheld?: readonly Withheld[]
  /** Names of parameters without effect on the response. */
  readonly ignored?: readonly string[]
  /** Replaces the default Cache-Control. */
  readonly caching?: Readonly<Record<string, string>>
  /** The tag of the response, if it can be computed without running the read. */
  readonly tag?: () => string | Promise<string>
  readonly run: () => Answer | Promise<Answer>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The cache of responses; missing if it is disabled. */
    answerMemory?: AnswerMemory
  }
}

/**
 * Responds to a read. Sets headers about who may cache the response and what is withheld, then
 * sends 304 if the caller has it cached (RFC 9110 section 13.1.2; not for POST), a response from
 * the hub's cache, or else the result of the read.
 */
export async function answerRead(exchange: Exchange, read: Read): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { withheld, ignored = [], caching, tag, run } = read
  if (caching === undefined) setCaching(reply, request.principal)
  else void reply.headers(caching)
  if (withheld !== undefined) reportWithheld(reply, withheld, reasonFor(request.principal))
  reportIgnored(reply, ignored)
  if (request.method === 'POST') return send(reply, await run())
  if (tag !== undefined) return answerTagged(exchange, { tag, run })
  const answer = await run()
  const isKnown = answer.etag !== undefined && isUnchanged(request, reply, answer.etag)
  return isKnown ? reply.send() : send(reply, answer)
}

/** Responds to a read with a tag, which is computed first if that may avoid running the read. */
async function answerTagged(
  { request, reply }: Exchange,
  { tag, run }: Required<Pick<Read, 'tag' | 'run'>>,
): Promise<FastifyReply> {
  const memory = request.server.answerMemory
  const key = requestKey(request)
  const isExpected = memory?.expects(key) === true
  let etag: string | undefined
  if (isExpected || request.headers['if-none-match'] !== undefined) {
    etag = await (memory === undefined ? tag() : memory.findTag(key, tag))
    if (isUnchanged(request, reply, etag)) return reply.send()
    const kept = isExpected ? memory.find(key, etag) : undefined
    if (kept !== undefined) return sendKept({ request, reply }, kept)
  }
  const answer = await (etag === undefined || memory === undefined ? run() : memory.run(etag, run))
  return send(reply, memory?.note(key, answer, tag) ?? answer)
}

function send(reply: FastifyReply, { body, type, etag, headers, next }: Answer): FastifyReply {
  if (etag !== undefined) void reply.header('etag', etag)
  if (headers !== undefined) void reply.headers(headers)
  if (next !== undefined && next.length <= maxLinkLength)
    addLink(reply, { target: next, relation: 'next' })
  return reply.type(type).send(body)
}

/**
 * Limit on the link header. Proxies and clients reject long headers, while a missing link does no
 * harm.
 */
const maxLinkLength = 4096

async function sendKept(
  { request, reply }: Exchange,
  { bytes, length, isStream, ...answer }: KeptAnswer,
): Promise<FastifyReply> {
  const encoding = isWorthPacking(reply, { type: answer.type, length })
    ? chooseEncoding(request.headers['accept-encoding']?.toString())
    : 'identity'
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  const body = await bytes(encoding)
  return send(reply, { ...answer, body: isStream ? Readable.from([body]) : body })
}

/** Sends a complete text, tagged with its digest. */
export function sendText(
  exchange: Exchange,
  text: string,
  type: string = jsonType,
): Promise<FastifyReply> {
  return answerRead(exchange, { run: () => ({ body: text, type, etag: weakEtag([text]) }) })
}

/**
 * Returns a weak entity tag over everything that determines a response: data version, request,
 * caller's rights, and the version of this program.
 */
export function weakEtag(parts: readonly string[]): string {
  return `W/"${digestOf([manifest.version, ...parts])}"`
}

/**
 * Returns the tag of one record in one form. The part before the dot changes with the record, the
 * part after it with the form, so a writer may have read any form of the record
 * (`matchesRevision`).
 */
export function recordEtag(revision: readonly string[], form: readonly string[]): string {
  const known = digests.get(form) ?? digestOf([manifest.version, ...form])
  digests.set(form, known)
  return `W/"${digestOf(revision)}.${known}"`
}

/** Digests by form. A form is part of a plan, which is cached. */
const digests = new WeakMap<readonly string[], string>()

function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\u0000'), 'base64url').slice(0, 22)
}

/**
 * Reports whether a condition such as `If-None-Match` contains this tag; comparison is weak (RFC
 * 9110 section 13.1.2).
 */
export function matchesEtag(condition: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.replace(/^W\//, '')
  return condition !== undefined && names(condition, (tag) => opaque(tag) === opaque(etag))
}

/**
 * Reports whether `If-Match` contains this tag. Comparison is strong: a weak tag matches nothing
 * (RFC 9110 section 13.1.1).
 */
export function matchesStrongly(ifMatch: string, etag: string): boolean {
  return names(ifMatch, (tag) => tag === etag && !tag.startsWith('W/'))
}

// #entity-tag; opaque-tag = DQUOTE *etagc DQUOTE (RFC 9110 section 8.8.3), with commas inside
const entityTags = /(?<![^\s,])(?:W\/)?"[^"]*"/g

/** Reports whether a condition is `*`, or one of its tags passes. */
function names(condition: string, passes: (tag: string) => boolean): boolean {
  return condition.trim() === '*' || (condition.match(entityTags) ?? []).some(passes)
}

const imfDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
/** Older forms, which recipients must accept as well: `Sunday, 06-Nov-94 …`, `Sun Nov  6 … 1994`. */
const oldDate =
  /^(?:[A-Z][a-z]+, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d\d:\d\d:\d\d \d{4})$/

/**
 * Parses a date of a header (RFC 9110 section 5.6.7) into milliseconds since 1970; NaN for anything
 * else.
 */
export function httpDate(written: string): number {
  if (!imfDate.test(written) && !oldDate.test(written)) return Number.NaN
  return Date.parse(written.endsWith('GMT') ? written : `${written} GMT`)
}

/**
 * Reports whether `If-Match` contains this revision of a record, in any form in which it can be
 * read.
 */
export function matchesRevision(ifMatch: string, revision: readonly string[]): boolean {
  const wanted = digestOf(revision)
  const revisionOf = (tag: string) => /^(?:W\/)?"([\w-]+)\.[\w-]*"$/.exec(tag)?.[1]
  return names(ifMatch, (tag) => revisionOf(tag) === wanted)
}

/**
 * Parts that may be withheld from a response: records (also values and events), or fields of
 * records.
 */
export type Withheld = 'fields' | 'records'

/**
 * Why something is withheld, by what the caller lacks. A public feed withholds it from everybody.
 */
export type Reason = 'no-token' | 'invalid-token' | 'no-role' | 'public-feed'

/**
 * Reports in `X-Withheld` what is withheld from this caller, and why (decision D6): a list of
 * tokens with the parameter `reason` (RFC 9651), such as `fields;reason=no-token,
 * records;reason=no-token`. If nothing is withheld, there is no header.
 *
 * The header is a statement about the caller's rights and the kind of data, whether or not a closed
 * record matches: a header that depended on the data would reveal that one exists. So `kinds` must
 * never be computed from rows. The header also belongs to 304 and HEAD: set it before the entity
 * tag is compared.
 */
export function reportWithheld(
  reply: FastifyReply,
  kinds: readonly Withheld[],
  reason: Reason,
): void {
  void reply.removeHeader('x-withheld')
  void reply.headers(withheldHeader(kinds, reason))
}

/** Returns the header `X-Withheld`, or no header if nothing is withheld. */
export function withheldHeader(
  kinds: readonly Withheld[],
  reason: Reason,
): Readonly<Record<string, string>> {
  if (kinds.length === 0) return {}
  return { 'x-withheld': kinds.map((kind) => `${kind};reason=${reason}`).join(', ') }
}

/** Returns what a caller lacks to be shown more. */
export function reasonFor(principal: Principal): Reason {
  if (principal.kind === 'verified') return 'no-role'
  return principal.rejected === undefined ? 'no-token' : 'invalid-token'
}

/** Adds a link to the response (RFC 8288), after existing ones. */
export function addLink(
  reply: FastifyReply,
  { target, relation }: { readonly target: string; readonly relation: string },
): void {
  const known = reply.getHeader('link')
  const links = typeof known === 'string' ? [known] : []
  void reply.header('link', [...links, `<${target}>; rel="${relation}"`].join(', '))
}

/** The start of a table for spreadsheets, which otherwise would not read it as UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * Formats rows as CSV (RFC 4180), with CRLF at the end of each line. Null is an empty cell; objects
 * and arrays are JSON by the library's own default.
 *
 * Cells contain the data and nothing else: a text that starts with `=` or `+` stays unchanged. A
 * prefixed apostrophe, the usual defence against formulas in spreadsheets, would spoil every
 * telephone number.
 */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    // Also quotes cells with only one of the two characters, which readers take for the end of a row.
    quote_record_delimiter: true,
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts this request as several, because it keeps the database busy; missing if nothing is
     * counted.
     * @throws AppError HUB-QTA-002 if that exhausts the quota of its caller
     */
    countAsHeavy?: (reply: FastifyReply) => Promise<void>
  }
}

/**
 * Counts a request as heavy, and returns the reader for queries that may take seconds (decision
 * D70).
 * @throws AppError HUB-QTA-002
 */
export async function heavyReads<Reads>(
  { request, reply }: Exchange,
  database: { readonly heavy: () => Reads },
): Promise<Reads> {
  await request.countAsHeavy?.(reply)
  return database.heavy()
}
