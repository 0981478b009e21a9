import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLimit } from '../async/index.ts'
import { AppError, catalogue } from '../errors/index.ts'
import type { ErrorCode } from '../errors/index.ts'
import { fieldsOf, textOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'

/** Values of parameters; a list is written with commas. What is undefined is left out. */
export type Parameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** What the public interface answered, with what its headers report. */
export type HubAnswer = {
  /** The request, as anybody can send it. */
  readonly request: string
  readonly body: Members
  /** `X-Withheld`: what this caller is not shown, and why. */
  readonly withheld: string | undefined
  /** `X-Ignored-Parameters` */
  readonly ignored: string | undefined
  /** Of the link to the next page. */
  readonly cursor: string | undefined
}

/**
 * Makes a request of the public interface on behalf of the caller: a path, or an address of this hub.
 * @throws AppError of a refusal, whose cause is the problem that the hub answered
 */
export type Ask = (path: string, parameters?: Parameters) => Promise<HubAnswer>

type Deps = {
  readonly app: FastifyInstance
  readonly publicUrl: string
  readonly memory: AnswerMemory
}

type Caller = {
  readonly request: Pick<FastifyRequest, 'headers' | 'ip'>
  /** Aborted when the caller has left: then requests end, and no other begins. */
  readonly gone: AbortSignal
}

/** Requests of one caller's messages that run at the same time: a batch may have a hundred messages. */
const mostTogether = 4

/**
 * Requests run in this process, through every hook that they would run through from outside: token, quota, access
 * rules, limits and log. So a tool can show no more than the caller could read, and costs what the request costs.
 */
export function askHub({ app, publicUrl, memory }: Deps, { request: caller, gone }: Caller): Ask {
  const { authorization, referer, 'user-agent': agent } = caller.headers
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(referer === undefined ? {} : { referer }),
    ...(agent === undefined ? {} : { 'user-agent': agent }),
  }
  const { run } = createLimit({ places: mostTogether })
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

/** Answers that were read, each of which holds for everybody to whom the hub confirms its tag. */
export type AnswerMemory = {
  readonly conditionOf: (url: string) => { readonly 'if-none-match'?: string }
  readonly find: (url: string, etag: string | undefined) => HubAnswer | undefined
  readonly note: (url: string, etag: string | undefined, answer: HubAnswer) => void
}

/** Of the catalogue, which nearly every tool reads: there is one for each of the rights that callers have. */
const mostKept = 16

/**
 * Keeps what the catalogue answered last. It is requested again each time, with the tags of what is known: so rights,
 * quota and changes count as ever, and what has not changed is neither written nor read again.
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
      if (kept.size > mostKept) kept.delete(oldest)
    },
  }
}

/** Adds to the parameters that an address has already. */
function withParameters(path: string, parameters: Parameters): string {
  const [bare = '', query = ''] = path.split('?')
  const all = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) all.set(name, [value].flat().join(','))
  }
  // These are legal in a query (RFC 3986 section 3.4), and easier to read.
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
  return new AppError(codeOf(problem['errorCode'], status), detail, { cause: problem })
}

function codeOf(written: unknown, status: number): ErrorCode {
  const isCode = (code: string): code is ErrorCode => Object.hasOwn(catalogue, code)
  if (typeof written === 'string' && isCode(written)) return written
  return status === 429 ? 'HUB-QTA-002' : 'HUB-SRV-001'
}
