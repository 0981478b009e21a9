import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, catalogue } from '../errors/index.ts'
import type { ErrorCode, Issue } from '../errors/index.ts'
import { fieldsOf } from '../lang/json.ts'
import { setCaching } from './answer.ts'
import { commonHeaders } from './request-hooks.ts'

/** RFC 9457 problem details with the fields that decision D1 adds. */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errorCode: string
  readonly hint?: string
  readonly errors?: readonly Issue[]
}

/** The context of an error that the wire formats need in addition to it. */
export type ErrorContext = {
  readonly publicUrl: string
  readonly requestId: string
  readonly now: Date
}

/** Formats an error for one interface. Content uses `toProblem`; others add fields to it. */
export type ErrorFormat = (error: AppError, context: ErrorContext) => object

/**
 * Formats an error as a problem. `type` is the URL of the error's page, `instance` identifies the
 * request.
 */
export function toProblem(error: AppError, context: ErrorContext): Problem {
  return {
    type: `${context.publicUrl}/docs/errors/${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    instance: `urn:uuid:${context.requestId}`,
    errorCode: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.issues.length === 0 ? {} : { errors: error.issues }),
  }
}

/**
 * Responds to a browser with the Explorer's page; undefined if the hub has no page for browsers.
 */
export type AnswerBrowser = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Adds the pages that the `type` of a problem refers to (decision D1): the Explorer's page in a
 * browser, and a plain one for other clients or without the Explorer.
 */
export function explainErrors(app: FastifyInstance, answerBrowser?: AnswerBrowser): void {
  app.get<{ Params: { code: string } }>(
    '/docs/errors/:code',
    { schema: { hide: true } },
    (request, reply) => {
      const { code } = request.params
      if (!isCode(code)) throw new AppError('HUB-RTE-001', `There is no error ${code}.`)
      if (answerBrowser !== undefined && isBrowser(request)) return answerBrowser(request, reply)
      setCaching(reply, request.principal)
      return reply.type('text/html; charset=utf-8').send(page(code))
    },
  )
}

/** Reports whether the client is a browser: only browsers list HTML in `Accept`. */
function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code)
}

function page(code: ErrorCode): string {
  const { status, title, explanation } = catalogue[code]
  const prose = explanation
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code}: ${title}</title>
<style>
  body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  code { font-size: .95em }
</style>
<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${String(status)}</p>
<p>${prose}</p>
<p><a href="/docs">Documentation of the hub</a></p>
</html>
`
}

type Deps = { readonly publicUrl: string; readonly now: () => Date }

type Handler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Returns the only handler that turns an error into a response. Anything but an `AppError` is
 * logged with its cause and reported as HUB-SRV-001, so that no internals (SQL, stacks) ever leak.
 * @param own format of the routes in this scope; by default that of the service with the path
 */
export function errorHandler(own: ErrorFormat | undefined, deps: Deps): Handler {
  return (error, request, reply) => {
    const format = own ?? formatAt(request)
    const known = asAppError(error, request)
    if (known.status >= 500) request.log.error({ err: error }, known.message)
    const context = { publicUrl: deps.publicUrl, requestId: request.id, now: deps.now() }
    const body = (known.status === 429 ? toRefusal : format)(known, context)
    // Only problems have a `type`.
    const type = 'type' in body ? 'problem+json' : 'json'
    // The failed response may have been about to be compressed; this one is not.
    reply.removeHeader('content-encoding')
    return reply
      .code(known.status)
      .headers({ 'cache-control': 'no-store', ...known.headers })
      .type(`application/${type}; charset=utf-8`)
      .send(JSON.stringify(body))
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Error formats by the path of the service; elsewhere errors are problems. */
    errorFormats: Map<string, ErrorFormat>
  }
}

/**
 * Formats the errors of a service, and of nonexistent paths below it, in its own format (decision
 * D1).
 */
export function formatErrors(
  app: FastifyInstance,
  { below, format }: { readonly below: string; readonly format: ErrorFormat },
  deps: Deps,
): void {
  app.setErrorHandler(errorHandler(format, deps))
  app.errorFormats.set(below, format)
}

function formatAt(request: FastifyRequest): ErrorFormat {
  const path = `${pathOf(request)}/`
  const formats = [...request.server.errorFormats]
  return formats.find(([below]) => path.startsWith(`${below}/`))?.[1] ?? toProblem
}

function asAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  const translated = isFastifyError(error) ? fromFramework(error, request) : undefined
  return (
    translated ??
    fromFiles(error) ??
    new AppError('HUB-SRV-001', 'The hub failed to answer.', { cause: error })
  )
}

/** Translates errors of the library that sends files: preconditions, and ranges after the end. */
function fromFiles(error: unknown): AppError | undefined {
  const { status, headers } = fieldsOf(error)
  if (!(error instanceof Error)) return undefined
  if (status === 412) return anotherFile(error)
  return status === 416
    ? rangeBehindEnd(String(fieldsOf(headers)['Content-Range']), error)
    : undefined
}

/** Returns the error for a file that is not in the state that the caller requires. */
export function anotherFile(cause?: Error): AppError {
  return new AppError(
    'HUB-RTE-008',
    'The file is not in the state that If-Match or If-Unmodified-Since requires.',
    { ...(cause && { cause }), hint: 'Load the whole file again, without these headers.' },
  )
}

/**
 * Returns the error for a range after the end of a file.
 * @param size as in `Content-Range`
 */
export function rangeBehindEnd(size: string, cause?: Error): AppError {
  return new AppError('HUB-RTE-009', 'The range starts after the end of the file.', {
    ...(cause && { cause }),
    headers: { 'content-range': size },
  })
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

/**
 * Returns the hub's error for a refusal by Fastify before a handler runs, or undefined for other
 * errors.
 */
function fromFramework(error: FastifyError, request: FastifyRequest): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('HUB-BDY-002', tooLarge(request.routeOptions.bodyLimit))
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(
        'HUB-BDY-003',
        `This path does not accept bodies of the type ${request.headers['content-type'] ?? ''}.`,
        { hint: '/docs/api shows the types that it accepts.' },
      )
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('HUB-BDY-001', 'The Content-Type is JSON, but the body is empty.')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('HUB-BDY-001', error.message)
    case 'FST_ERR_BAD_URL':
      return new AppError(
        'HUB-QRY-001',
        /^[^?]*%(?![\da-f]{2})/i.test(error.message)
          ? 'The path holds a % that is not followed by two hex digits.'
          : 'The path holds percent-encoded bytes that are not UTF-8.',
      )
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('HUB-RTE-004', 'A segment of the path has more than 5000 characters.')
    default:
      return fromOther(error)
  }
}

function tooLarge(limit: number | undefined): string {
  const accepted = limit === undefined ? 'this path accepts' : `${String(limit)} bytes`
  return `The body is larger than ${accepted}.`
}

/** Translates refusals by plugins. Only messages of Fastify itself are shown to callers. */
function fromOther(error: FastifyError): AppError | undefined {
  if (error instanceof SyntaxError) return new AppError('HUB-BDY-001', error.message)
  const { code, statusCode = 500, message } = error
  if (!code.startsWith('FST_') || statusCode < 400 || statusCode >= 500) return undefined
  return new AppError(codes[statusCode] ?? 'HUB-RTE-005', message)
}

const codes: Readonly<Record<number, ErrorCode>> = {
  404: 'HUB-RTE-001',
  406: 'HUB-BDY-003',
  413: 'HUB-BDY-002',
  415: 'HUB-BDY-003',
}

/**
 * Formats an exceeded quota in the interface's own form, not as problem details (decision D1).
 * `hint` is the URL of the page about quotas; `retryAfter` is in seconds, and set if waiting helps.
 */
const toRefusal: ErrorFormat = ({ message, policy, code, headers }, { publicUrl }) => ({
  message,
  hint: `${publicUrl}/docs/errors/${code}`,
  ...(policy === undefined ? {} : { policy }),
  ...(headers['retry-after'] === undefined ? {} : { retryAfter: Number(headers['retry-after']) }),
})

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route only explains why its methods do not work. OPTIONS then omits them. */
    isRefusal?: boolean
  }
}

type Route = { readonly method: string; readonly pattern: RegExp }

/**
 * Responds to requests that no route matches: 405 with `Allow` if the path exists for another
 * method, otherwise 404 (decision D2); a browser gets the Explorer's page, which explains this.
 * Must be called before the routes are added, because it hooks into their registration.
 */
export function answerUnrouted(app: FastifyInstance, answerBrowser?: AnswerBrowser): void {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isRefusal === true) return
    const pattern = toPattern(url)
    // OPTIONS works everywhere, so it does not make a path exist.
    const methods = [method].flat().filter((name) => name !== 'OPTIONS')
    for (const name of methods) routes.push({ method: name, pattern })
  })
  const methodsAt = (path: string) =>
    routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method === 'OPTIONS' && !isPreflight)
      void reply.header('allow', allowOf(methodsAt(pathOf(request))))
    done()
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    const allowed = methodsAt(path)
    // The router rejects some paths that match a pattern, such as one with a line break before a
    // suffix.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      const isPerson = request.method === 'GET' && isBrowser(request) && !ofPrograms.test(path)
      if (answerBrowser !== undefined && isPerson) return answerBrowser(request, reply.code(404))
      throw new AppError('HUB-RTE-001', `There is nothing at ${path}.`, {
        hint: 'See /docs for the paths of the hub.',
      })
    }
    const allow = allowOf(allowed)
    throw new AppError('HUB-RTE-002', `${request.method} does not work at ${path}.`, {
      headers: { allow },
      hint: `Allowed: ${allow}.`,
    })
  }
  app.setNotFoundHandler(refuse)
  // Refuses before Fastify checks the Content-Type, which may be missing (QUERY) or unsupported.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404 && request.method !== 'GET') await refuse(request, reply)
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

const allowOf = (methods: readonly string[]) =>
  [...new Set([...methods, 'OPTIONS'])].sort().join(', ')

/** Paths with data. There a browser gets the same response as a program. */
const ofPrograms = /^\/(v1|v2|traffic|gbfs|push|auth|catalogue|assets|demo)(\/|$)|\.\w+$/

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  const source = escaped.replace(/:[A-Za-z]+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`)
}

/**
 * Responds to URLs that cannot even be routed, such as one with a lone percent sign. No hook has
 * run for them, so the headers of every response are set here.
 */
export function answerUnreadable(deps: Deps) {
  const answer = errorHandler(undefined, deps)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers({ ...commonHeaders, 'x-request-id': request.id })
    void answer(error, request, reply)
  }
}

type ParseError = Error & { readonly code?: string }

/**
 * Responds to what Node could not parse as HTTP, which has a connection but no request to route.
 * Writes the problem directly to the socket (decision D1) and closes it.
 */
export function answerUnparsed({ publicUrl, now }: Deps) {
  return (error: ParseError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    const known = fromParser(error)
    const body = JSON.stringify(toProblem(known, { publicUrl, requestId, now: now() }))
    const head = [
      `HTTP/1.1 ${String(known.status)} ${known.title}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${String(Buffer.byteLength(body))}`,
      `x-request-id: ${requestId}`,
      ...Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}`),
      'cache-control: no-store',
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}

/**
 * Reports whether a response is being written to this connection, which more bytes would corrupt. A
 * request whose body is still awaited has a response object, but nothing has been written yet.
 */
function isAnswering(socket: Socket): boolean {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  if (!(answer instanceof ServerResponse)) return answer !== null
  const request: unknown = answer.req
  const isAwaited = request instanceof IncomingMessage && !request.complete
  return answer.headersSent || !isAwaited
}

function fromParser(error: ParseError): AppError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('HUB-RTE-004', 'Address and headers have more than 16 KiB together.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('HUB-RTE-006', 'The request was not complete in time.')
    case 'HPE_INVALID_METHOD':
      return new AppError('HUB-RTE-005', 'The request has a method that HTTP does not know.')
    default:
      return new AppError('HUB-RTE-005', 'The request cannot be read as HTTP/1.1.')
  }
}
