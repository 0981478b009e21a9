import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }
import type { Principal } from '../access/index.ts'
import { isWorthPacking } from './request-hooks.ts'
import { requestKey } from './answer-memory.ts'
import type { Answer, AnswerMemory, KeptAnswer } from './answer-memory.ts'
import { chooseEncoding } from './negotiate.ts'
import { reportIgnored } from './query.ts'

/** A request, and what is answered to it. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

export const jsonType = 'application/json; charset=utf-8'

/** Headers of every read: what shaped the answer, and who may keep it (decision D8). */
export function setCaching(reply: FastifyReply, principal: Principal): void {
  void reply.header('vary', 'Accept, Accept-Encoding, Authorization, Prefer')
  void reply.header('cache-control', isPublic(principal) ? 'public, no-cache' : 'private, no-cache')
}

/**
 * Whether a shared cache may keep the answer to this caller. A rejected token shapes the answer, too:
 * headers report the rejection, and they are not for others (decision D6).
 */
export function isPublic(principal: Principal): boolean {
  return principal.kind === 'anonymous' && principal.rejected === undefined
}

/** Sets the tag and says whether the caller has this very answer already: then send 304 and nothing else. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header('etag', etag)
  if (!matchesEtag(request.headers['if-none-match'], etag)) return false
  void reply.code(304)
  return true
}

/**
 * Reads whose route states no tag get that of their text (decision D8), unless nobody may keep it. Call it before
 * answers are packed.
 */
export function tagReads(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isKnown =
      mustTag(request, reply) && isText(payload) && isUnchanged(request, reply, tagOf(payload))
    done(null, isKnown ? '' : payload)
  })
}

function mustTag({ method }: FastifyRequest, reply: FastifyReply): boolean {
  const isRead = (method === 'GET' || method === 'HEAD') && reply.statusCode === 200
  const mayBeKept = !String(reply.getHeader('cache-control')).includes('no-store')
  return isRead && mayBeKept && !reply.hasHeader('etag')
}

const isText = (payload: unknown) => typeof payload === 'string' || Buffer.isBuffer(payload)

const tagOf = (payload: string | Buffer) => weakEtag([payload.toString('latin1')])

/** A read that is planned, and ready to run. */
export type Read = {
  /** What this caller is not shown. */
  readonly withheld?: readonly Withheld[]
  /** Names of parameters that have no effect on the answer. */
  readonly ignored?: readonly string[]
  /** Replaces the default Cache-Control. */
  readonly caching?: Readonly<Record<string, string>>
  /** The tag of the answer, where it can be found without running the read. */
  readonly tag?: () => string | Promise<string>
  readonly run: () => Answer | Promise<Answer>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers that may be requested again; absent where none are kept. */
    answerMemory?: AnswerMemory
  }
}

/**
 * Answers a read: headers about who may keep the answer and what is missing in it, then 304 for a caller who
 * has it already (RFC 9110 section 13.1.2; not for POST), an answer that is kept, or else what the read gives.
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

/** The tag is found out first where it may spare running the read. */
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
  if (next !== undefined && next.length <= longestLink)
    addLink(reply, { target: next, relation: 'next' })
  return reply.type(type).send(body)
}

/** Proxies and clients refuse a response whose headers are longer than they expect: a missing link is no fault. */
const longestLink = 4096

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

/** Answers with a text that is whole already, under a tag of the text. */
export function sendText(
  exchange: Exchange,
  text: string,
  type: string = jsonType,
): Promise<FastifyReply> {
  return answerRead(exchange, { run: () => ({ body: text, type, etag: weakEtag([text]) }) })
}

/** A weak entity tag over everything that shapes an answer: version, request, caller's rights, and this program. */
export function weakEtag(parts: readonly string[]): string {
  return `W/"${digestOf([manifest.version, ...parts])}"`
}

/**
 * The tag of one record in one form: what stands before the dot changes with the record, what stands
 * after it with the form. So a writer may have read any form of the record (`matchesRevision`).
 */
export function recordEtag(revision: readonly string[], form: readonly string[]): string {
  const known = digests.get(form) ?? digestOf([manifest.version, ...form])
  digests.set(form, known)
  return `W/"${digestOf(revision)}.${known}"`
}

/** A form is part of a plan, which is remembered. */
const digests = new WeakMap<readonly string[], string>()

function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\u0000'), 'base64url').slice(0, 22)
}

/** Whether `If-None-Match` names this tag; comparison is weak (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

/** Whether `If-Match` names this revision of a record, in any form in which it can be read. */
export function matchesRevision(ifMatch: string, revision: readonly string[]): boolean {
  const wanted = digestOf(revision)
  const revisionOf = (tag: string) => /^(?:W\/)?"([\w-]+)\.[\w-]*"$/.exec(tag.trim())?.[1]
  return ifMatch.split(',').some((tag) => tag.trim() === '*' || revisionOf(tag) === wanted)
}

/** What may be left out of an answer: records (also values and events), or fields of them. */
export type Withheld = 'fields' | 'records'

/** Why: what the caller is missing. The same is missing for everybody in an answer that is public by design. */
export type Reason = 'no-token' | 'invalid-token' | 'no-role' | 'public-feed'

/**
 * Reports in `X-Withheld` what this caller is not shown, and why (decision D6): a list of tokens with the
 * parameter `reason` (RFC 9651), such as `fields;reason=no-token, records;reason=no-token`. Nothing
 * withheld, no header.
 *
 * It is a statement about the caller's rights and the kind of data, true whether or not there is any
 * closed record among the matches: a header that depended on the data would reveal that there is one.
 * So `kinds` must never be worked out from rows. The header belongs to 304 and HEAD as well: set it
 * before the entity tag is compared.
 */
export function reportWithheld(
  reply: FastifyReply,
  kinds: readonly Withheld[],
  reason: Reason,
): void {
  void reply.removeHeader('x-withheld')
  void reply.headers(withheldHeader(kinds, reason))
}

/** The same as a header. */
export function withheldHeader(
  kinds: readonly Withheld[],
  reason: Reason,
): Readonly<Record<string, string>> {
  if (kinds.length === 0) return {}
  return { 'x-withheld': kinds.map((kind) => `${kind};reason=${reason}`).join(', ') }
}

/** What a caller would need to be shown more. */
export function reasonFor(principal: Principal): Reason {
  if (principal.kind === 'verified') return 'no-role'
  return principal.rejected === undefined ? 'no-token' : 'invalid-token'
}

/** Adds a link to the answer (RFC 8288), beside those that it has already. */
export function addLink(
  reply: FastifyReply,
  { target, relation }: { readonly target: string; readonly relation: string },
): void {
  const known = reply.getHeader('link')
  const links = typeof known === 'string' ? [known] : []
  void reply.header('link', [...links, `<${target}>; rel="${relation}"`].join(', '))
}

/** Begins a table for spreadsheets that would otherwise not read it as UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * Rows of a table of RFC 4180, with CRLF at the end of each line. Null is an empty cell; objects and
 * arrays are JSON by the library's own default.
 *
 * Cells are the data and nothing else: a text that begins with `=` or `+` stays as it is. An apostrophe
 * before it, as against formulas in spreadsheets, would spoil every telephone number.
 */
export function toCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts this request as many, because it takes the database long; absent where nothing is counted.
     * @throws AppError HUB-QTA-002 when that exhausts the quota of its caller
     */
    countAsHeavy?: (reply: FastifyReply) => Promise<void>
  }
}

/** What a request reads from that may keep the database busy for seconds, once it is counted as one (decision D70). */
export async function heavyReads<Reads>(
  { request, reply }: Exchange,
  database: { readonly heavy: () => Reads },
): Promise<Reads> {
  await request.countAsHeavy?.(reply)
  return database.heavy()
}
