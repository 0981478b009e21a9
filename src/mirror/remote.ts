import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { fieldsOf, textOf } from '../lang/json.ts'
import { exportFile } from './copy.ts'
import type { ExportFile } from './copy.ts'
import { longest, maxTextLength, readPage } from './messages.ts'
import type { Message } from './messages.ts'
import type { Attempt, Patience } from './patience.ts'

const listedFeed = Type.Object({ name: Type.String(), needsToken: Type.Optional(Type.Boolean()) })
export type ListedFeed = Static<typeof listedFeed>
const feedList = Type.Object({ feeds: Type.Array(listedFeed) })

/** Limit on the files of an export. Each file has up to a million records. */
const maxFiles = 10_000

const manifest = Type.Object({
  feed: Type.String(),
  offset: Type.String({ maxLength: 5000 }),
  count: Type.Integer(),
  files: Type.Array(
    Type.Object({ ...exportFile.properties, format: Type.String(), count: Type.Integer() }),
  ),
})

/** Files with the records of a feed, and the offset at which the feed continues. */
type Export = { readonly offset: string; readonly files: ExportFile[] }

export type Page = {
  readonly kind: 'page'
  readonly messages: readonly Message[]
  readonly next: string
  readonly isUpToDate: boolean
}

export type RemoteDeps = {
  /** URL of the hub, without a trailing slash. */
  readonly url: string
  readonly token: string | undefined
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly patience: Patience
  readonly signal: AbortSignal
}

/** The hub that is mirrored. Requests are repeated until they get a response. */
export type Remote = {
  readonly patience: Patience
  readonly feeds: () => Promise<readonly ListedFeed[]>
  /** Returns undefined if the hub has no export of the feed, or none that this version can read. */
  readonly findExport: (feed: string) => Promise<Export | undefined>
  readonly page: (
    feed: string,
    offset: string,
    how: 'wait' | 'at once',
  ) => Promise<Page | { readonly kind: 'outdated' } | { readonly kind: 'missing' }>
  /**
   * Requests a part of a file by its path. `read` may get less than that part, or a response
   * without any of it.
   */
  readonly part: <Value>(path: string, range: string, read: Read<Value>) => Promise<Value>
}

/** A response as it arrives. If the connection ends early, so does the body. */
export type Incoming = {
  readonly status: number
  readonly headers: Headers
  readonly body: AsyncIterable<Uint8Array>
}
type Read<Value> = (incoming: Incoming) => Promise<Value>

export function openRemote(deps: RemoteDeps): Remote {
  const { url, patience } = deps
  const get = async (path: string): Promise<Answer> => {
    const answer = await patience.attempt(() =>
      exchange(deps, { url: `${url}${path}` }, (incoming) => readText(path, incoming)),
    )
    if (isRefused(answer)) throw refusal(deps, path, answer)
    return answer
  }
  return {
    patience,
    feeds: async () => {
      const answer = await get('/changes')
      if (answer.status === 404) throw new Error(`${url} has no change feeds (404 for /changes).`)
      const found: unknown =
        answer.status === 200 ? readJson(`${url}/changes`, answer.text) : undefined
      if (!Check(feedList, found)) throw unexpected('/changes', answer)
      return found.feeds
    },
    findExport: async (feed) => {
      const path = `/exports/${encodeURIComponent(feed)}/manifest.json`
      const { status, text } = await get(path)
      const found: unknown = status === 200 ? readJson(`${url}${path}`, text) : undefined
      return Check(manifest, found) ? toExport(deps, path, found) : undefined
    },
    page: async (feed, offset, how) => {
      const query = new URLSearchParams({ offset, ...(how === 'wait' && { live: 'long-poll' }) })
      const path = `/changes/${encodeURIComponent(feed)}?${query.toString()}`
      const answer = await get(path)
      if (answer.status === 410) return { kind: 'outdated' }
      if (answer.status === 404) return { kind: 'missing' }
      return toPage(answer, path)
    },
    part: (path, range, read) => loadPart(deps, { path, range, read }),
  }
}

/**
 * Parses the JSON of a response.
 * @throws Error for a response that is not JSON, so it is not from a hub
 */
function readJson(address: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`The response of ${address} is not of a hub: it is not JSON.`, { cause })
  }
}

type Answer = Omit<Incoming, 'body'> & { readonly text: string }

/**
 * Reads a response completely.
 * @throws Error for a response that is longer than any from a hub
 */
async function readText(path: string, { status, headers, body }: Incoming): Promise<Answer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxTextLength) throw new Error(`${path}: the response is longer than ${longest}.`)
  }
  return { status, headers, text: Buffer.concat(chunks).toString() }
}

function toPage(answer: Answer, path: string): Page {
  const { status, headers, text } = answer
  const next = headers.get('stream-next-offset')
  if ((status !== 200 && status !== 204) || next === null) throw unexpected(path, answer)
  return {
    kind: 'page',
    messages: status === 204 ? [] : readPage(text),
    next,
    isUpToDate: headers.get('stream-up-to-date') === 'true',
  }
}

function unexpected(path: string, { status, headers, text }: Answer): Error {
  const target = headers.get('location')
  const said = target === null ? (problemIn(text) ?? text.slice(0, 200)) : redirected(target)
  return new Error(`${path}: unexpected response with status ${String(status)}. ${said}`.trim())
}

/**
 * Returns the error text for a redirect. No redirect is followed, because it could lead anywhere.
 */
export function redirected(target: string): string {
  return `The mirror does not follow redirects. This one leads to ${target.slice(0, 200)}.`
}

function refusal({ token }: RemoteDeps, path: string, { status, text }: Answer): Error {
  const reason = isDenied(status) ? (problemIn(text) ?? '') : ''
  const refuses = isDenied(status)
    ? `refuses access (${String(status)})`
    : 'does not accept the token'
  const hint =
    token === undefined
      ? 'Set HUB_MIRROR_TOKEN to an access token.'
      : 'Is the token in HUB_MIRROR_TOKEN still valid, and does it have the role?'
  const parts = [`${path}: the hub ${refuses}.`, reason, hint]
  return new Error(parts.filter((part) => part !== '').join(' '))
}

/**
 * Returns the detail and the hint of a problem document (RFC 9457), or undefined for any other
 * text.
 */
function problemIn(text: string): string | undefined {
  try {
    const { detail, hint } = fieldsOf(JSON.parse(text))
    return [textOf(detail), textOf(hint)].filter((part) => part !== undefined).join(' ')
  } catch {
    return undefined
  }
}

/**
 * Returns the files of an export that have one record per line, or undefined if they do not have
 * all records.
 * @throws Error for more files than an export has, and for files that are not on the hub
 */
function toExport(
  { url: hub }: RemoteDeps,
  path: string,
  { count, files, feed, offset }: Static<typeof manifest>,
): Export | undefined {
  if (files.length > maxFiles) {
    const [has, most] = [files.length, maxFiles].map((number) => number.toLocaleString('en'))
    throw new Error(`${path}: the manifest has ${has} files. The mirror takes at most ${most}.`)
  }
  const found = files.filter(({ format }) => format === 'ndjson.gz')
  if (found.reduce((sum, file) => sum + file.count, 0) !== count) return undefined
  const lines = found.map(({ url, bytes, sha256 }) => {
    const own = toPath(url, feed, hub)
    if (own === undefined) {
      throw new Error(`${path}: the file ${url.slice(0, 200)} is not on the hub that is mirrored.`)
    }
    return { url: own, bytes, sha256 }
  })
  return { offset, files: lines }
}

/**
 * Returns the path of a file on the hub. Manifests contain the public URL of a hub, which may
 * differ from the URL by which it is mirrored. Files are always requested from the latter.
 * @returns undefined for a URL elsewhere
 */
function toPath(address: string, feed: string, hub: string): string | undefined {
  if (address.startsWith('/')) return address
  const publicUrl = feed.slice(0, Math.max(0, feed.lastIndexOf('/changes/')))
  const base = [publicUrl, hub].find((own) => own !== '' && address.startsWith(`${own}/`))
  return base === undefined ? undefined : address.slice(base.length)
}

type Part<Value> = {
  readonly path: string
  readonly range: string
  readonly read: Read<Value>
}

async function loadPart<Value>(
  deps: RemoteDeps,
  { path, range, read }: Part<Value>,
): Promise<Value> {
  const outcome = await deps.patience.attempt(() =>
    exchange(deps, { url: `${deps.url}${path}`, range }, async (incoming) =>
      isRefused(incoming)
        ? { kind: 'refused' as const, answer: await readText(path, incoming) }
        : { kind: 'read' as const, value: await read(incoming) },
    ),
  )
  if (outcome.kind === 'refused') throw refusal(deps, path, outcome.answer)
  return outcome.value
}

/**
 * Reports whether the hub refused the token. It still serves open data for an invalid token, so
 * without this check the copy would lose its closed records.
 */
function isRefused({ status, headers }: Pick<Incoming, 'status' | 'headers'>): boolean {
  const challenge = headers.get('www-authenticate') ?? ''
  return isDenied(status) || challenge.includes('error="invalid_token"')
}

const isDenied = (status: number) => status === 401 || status === 403

/**
 * Milliseconds without a byte after which a connection is abandoned. A hub holds a long poll for
 * less.
 */
const silence = 60_000

type Request = { readonly url: string; readonly range?: string }

/** Sends one request. Errors of `read` are thrown; network errors are a reason to try again. */
async function exchange<Value>(
  deps: RemoteDeps,
  request: Request,
  read: Read<Value>,
): Promise<Attempt<Value>> {
  const ended = new AbortController()
  const timer = setTimeout(() => {
    ended.abort(new Error(`nothing arrived for ${String(silence / 1000)} s`))
  }, silence)
  const onStop = () => ended.abort()
  deps.signal.addEventListener('abort', onStop)
  const faults: unknown[] = []
  const note = (fault: unknown) => {
    deps.signal.throwIfAborted()
    faults.push(fault)
    return undefined
  }
  try {
    const response = await deps.fetch(request.url, toInit(deps, request, ended.signal)).catch(note)
    if (response === undefined) return brokenBy(deps, faults)
    const { status, headers } = response
    if (status === 408 || status === 429 || status >= 500) {
      await response.body?.cancel().catch(() => undefined)
      return tooEarly(deps, status, headers)
    }
    let received = 0
    const onChunk = (chunk: Uint8Array) => {
      received += chunk.length
      timer.refresh()
    }
    const body = chunksOf(response, { onChunk, note })
    const value = await read({ status, headers, body })
    const isUseful = faults.length === 0 || (request.range !== undefined && received > 0)
    return isUseful ? { kind: 'done', value } : brokenBy(deps, faults)
  } finally {
    clearTimeout(timer)
    deps.signal.removeEventListener('abort', onStop)
    ended.abort()
  }
}

function toInit({ token }: RemoteDeps, { range }: Request, signal: AbortSignal): RequestInit {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(range !== undefined && { range, 'accept-encoding': 'identity' }),
  }
  return { headers, signal, redirect: 'manual' }
}

type Watch = {
  readonly onChunk: (chunk: Uint8Array) => void
  readonly note: (fault: unknown) => undefined
}

async function* chunksOf(response: Response, { onChunk, note }: Watch): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  const chunks = response.body[Symbol.asyncIterator]()
  for (;;) {
    const next = await chunks.next().catch(note)
    const chunk: unknown = next?.value
    if (!(chunk instanceof Uint8Array)) return
    onChunk(chunk)
    yield chunk
  }
}

function brokenBy({ url }: RemoteDeps, faults: readonly unknown[]): Attempt<never> {
  const [fault] = faults
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault
  const said = cause instanceof Error && cause.message !== '' ? cause.message : String(cause)
  return { kind: 'later', reason: `${url} cannot be reached: ${said}.` }
}

function tooEarly({ url, now }: RemoteDeps, status: number, headers: Headers): Attempt<never> {
  const after = waitIn(headers.get('retry-after'), now())
  return { kind: 'later', reason: `${url} responds with status ${String(status)}.`, after }
}

/** Parses a `Retry-After` header (RFC 9110, section 10.2.3), seconds or a date, to milliseconds. */
function waitIn(written: string | null, now: Date): number {
  const text = written?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const time = Date.parse(text)
  return Number.isNaN(time) ? 0 : Math.max(0, time - now.getTime())
}
