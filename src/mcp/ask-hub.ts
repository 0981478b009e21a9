import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLimit } from '../async/index.ts'
import { AppError, catalogue } from '../errors/index.ts'
import type { ErrorCode } from '../errors/index.ts'
import { fieldsOf, textOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'

/** Query parameters by name. Lists are joined with commas; undefined values are left out. */
export type Parameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** A response of the public interface, with the information from its headers. */
export type HubAnswer = {
  /** The URL of the request, which anyone can repeat. */
  readonly request: string
  readonly body: Members
  /** `X-Withheld`: what is hidden from this caller, and why. */
  readonly withheld: string | undefined
  /** `X-Ignored-Parameters` */
  readonly ignored: string | undefined
  /** Cursor from the link to the next page. */
  readonly cursor: string | undefined
}

/**
 * Sends a request to the public interface on behalf of the caller. `path` is a path or a URL of
 * this hub.
 * @throws AppError if the hub refuses the request; its cause is the problem document of the
 * response
 */
export type Ask = (path: string, parameters?: Parameters) => Promise<HubAnswer>

type Deps = {
  readonly app: FastifyInstance
  readonly publicUrl: string
  readonly memory: AnswerMemory
}

type Caller = {
  readonly request: Pick<FastifyRequest, 'headers' | 'ip'>
  /** Aborted when the caller disconnects: running requests end, and no further requests start. */
  readonly gone: AbortSignal
}

/**
 * Maximum number of requests that run concurrently for the messages of one caller. A batch may have
 * a hundred messages.
 */
const maxConcurrent = 4

/**
 * Returns a function that requests paths of this hub inside the process. Each request passes the
 * same hooks as one from outside: token, quota, access rules, limits and log. So a tool shows no
 * more than its caller may read, and costs the same quota as the request itself.
 */
export function askHub({ app, publicUrl, memory }: Deps, { request: caller, gone }: Caller): Ask {
  const { authorization, referer, 'user-agent': agent } = caller.headers
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(referer === undefined ? {} : { referer }),
    ...(agent === undefined ? {} : { 'user-agent': agent }),
  }
  const { run } = createLimit({ places: maxConcurrent })
  const read = (url: string) =>
    run(() => {
      gone.throwIfAborted()
      const condition = memory.conditionOf(url)
      const options = { method: 'GET', url, remoteAddress: caller.ip, signal: gone } as const
      return app.inject({ ...options, headers: { ...headers, ...condition } })
    })
  return async (path, parameters = {}) => {
    const own = path.startsWith(publicUrl) ? path.slice(publicUrl.length) : path
    const url = withParameters(own, parameters)
    const answer = await read(url)
    const header = (name: string) => textOf(answer.headers[name])
    const known = memory.find(url, header('etag'))
    if (answer.statusCode === 304 && known !== undefined) return known
    const request = `${publicUrl}${url}`
    const body = readBody(answer.body)
    if (answer.statusCode >= 400) throw refusal(answer.statusCode, { ...body, request })
    const asked = {
      request,
      body,
      withheld: header('x-withheld'),
      ignored: header('x-ignored-parameters'),
      cursor: cursorIn(header('link') ?? ''),
    }
    memory.note(url, header('etag'), asked)
    return asked
  }
}

/**
 * Cache of responses. A cached response is used for any caller to whom the hub confirms its ETag.
 */
export type AnswerMemory = {
  readonly conditionOf: (url: string) => { readonly 'if-none-match'?: string }
  readonly find: (url: string, etag: string | undefined) => HubAnswer | undefined
  readonly note: (url: string, etag: string | undefined, answer: HubAnswer) => void
}

/**
 * Maximum number of cached catalogue responses. Nearly every tool requests the catalogue, which has
 * one version per set of access rights.
 */
const maxCached = 16

/**
 * Creates a cache of catalogue responses. Each call still sends a conditional request with the
 * ETags of all cached versions, so access rights, quota and changes apply as before. An unchanged
 * catalogue is neither serialized nor parsed again.
 */
export function rememberCatalogue(): AnswerMemory {
  const kept = new Map<
    string,
    { readonly url: string; readonly etag: string; readonly answer: HubAnswer }
  >()
  return {
    conditionOf: (url) => {
      const tags = [...kept.values()].filter((one) => one.url === url).map(({ etag }) => etag)
      return tags.length === 0 ? {} : { 'if-none-match': tags.join(', ') }
    },
    find: (url, etag) => kept.get(`${url} ${etag ?? ''}`)?.answer,
    note: (url, etag, answer) => {
      if (etag === undefined || !url.startsWith('/catalogue')) return
      kept.set(`${url} ${etag}`, { url, etag, answer })
      const [oldest = ''] = kept.keys()
      if (kept.size > maxCached) kept.delete(oldest)
    },
  }
}

/** Adds parameters to a URL, replacing those of the same name. */
function withParameters(path: string, parameters: Parameters): string {
  const [bare = '', query = ''] = path.split('?')
  const all = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) all.set(name, [value].flat().join(','))
  }
  // "(", ")", ",", "/" and ":" are legal in a query (RFC 3986 section 3.4) and easier to read
  // unencoded.
  const text = all.toString().replaceAll(/%(?:28|29|2C|2F|3A)/g, decodeURIComponent)
  return text === '' ? bare : `${bare}?${text}`
}

function readBody(text: string): Members {
  if (text === '') return {}
  const parsed: unknown = JSON.parse(text)
  return Array.isArray(parsed) ? { Items: parsed } : fieldsOf(parsed)
}

function cursorIn(link: string): string | undefined {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(link) ?? []
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}

function refusal(status: number, problem: Members): AppError {
  const detail = textOf(problem['detail']) ?? textOf(problem['message']) ?? 'The hub refused it.'
  // An exceeded quota has its code only in the URL of its explanation.
  const code = problem['errorCode'] ?? textOf(problem['hint'])?.split('/').at(-1)
  return new AppError(codeOf(code, status), detail, { cause: problem })
}

function codeOf(written: unknown, status: number): ErrorCode {
  const isCode = (code: string): code is ErrorCode => Object.hasOwn(catalogue, code)
  if (typeof written === 'string' && isCode(written)) return written
  return status === 429 ? 'HUB-QTA-002' : 'HUB-SRV-001'
}
