import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors/index.ts'
import { errorHandler, toProblem } from './error-handler.ts'

/** What one client, or all of them together, may take of the server. Times in milliseconds. */
export type ServerLimits = {
  /** Until the headers of a request must have arrived, counted from its first byte or the connection. */
  readonly headersTimeout: number
  /** Until a request must have arrived as a whole, with its body. */
  readonly requestTimeout: number
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number
}

/** How often connections are checked for slow requests, in milliseconds. */
const interval = 1000

/** Address and headers together; documented with HUB-RTE-004. */
const headerBytes = 16_384

/**
 * The options of Fastify for these limits. A client that sends byte by byte is answered 408 and
 * disconnected (HUB-RTE-006), at any address.
 */
export function toServerOptions(limits: ServerLimits | undefined) {
  if (limits === undefined) return {}
  const { headersTimeout, requestTimeout } = limits
  return {
    requestTimeout,
    http: {
      // Node refuses a time for headers that is longer than the one for all.
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: interval,
      maxHeaderSize: headerBytes,
    },
  }
}

export function limitConnections(app: FastifyInstance, limits: ServerLimits | undefined): void {
  if (limits !== undefined) app.server.maxConnections = limits.maxConnections
}

type UnreadableDeps = Parameters<typeof errorHandler>[1]

/**
 * Answers addresses that cannot even be routed, such as a lone percent sign. No hook has run for them,
 * so what every answer carries is set here.
 */
export function answerUnreadable(deps: UnreadableDeps) {
  const answer = errorHandler(toProblem, deps)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers({ 'x-request-id': request.id, 'access-control-allow-origin': '*' })
    void answer(error, request, reply)
  }
}

type Deps = { readonly publicUrl: string; readonly now: () => Date }

type ParseError = Error & { readonly code?: string }

/**
 * Answers what Node could not read as HTTP: without a request to route, only a connection. The
 * problem is written to the socket as it is (decision D1), which ends.
 */
export function answerUnparsed({ publicUrl, now }: Deps) {
  return (error: ParseError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const requestId = randomUUID()
    const known = toAppError(error)
    const body = JSON.stringify(toProblem(known, { publicUrl, requestId, now: now() }))
    const head = [
      `HTTP/1.1 ${String(known.status)} ${known.title}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${String(Buffer.byteLength(body))}`,
      `x-request-id: ${requestId}`,
      'access-control-allow-origin: *',
      'cache-control: no-store',
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}

/**
 * Whether a request of this connection is being answered: more bytes would corrupt that. A request whose
 * body is still awaited has an answer too, but nobody has begun to write it.
 */
function isAnswering(socket: Socket): boolean {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  if (!(answer instanceof ServerResponse)) return answer !== null
  const request: unknown = answer.req
  const isAwaited = request instanceof IncomingMessage && !request.complete
  return answer.headersSent || !isAwaited
}

function toAppError(error: ParseError): AppError {
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
