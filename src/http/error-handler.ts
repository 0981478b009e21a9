import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/index.ts'
import type { ErrorFormat } from './problem.ts'

type Deps = { readonly publicUrl: string; readonly now: () => Date }

type Handler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * The one place where an error becomes an answer. What is not an `AppError` is logged with its
 * cause and answered as HUB-SRV-001, so nothing of the inside (SQL, stacks) ever leaves.
 */
export function errorHandler(format: ErrorFormat, deps: Deps): Handler {
  return (error, request, reply) => {
    const known = asAppError(error)
    if (known.status >= 500) request.log.error({ err: error }, known.message)
    const occasion = { publicUrl: deps.publicUrl, requestId: request.id, now: deps.now() }
    const isRefusal = known.status === 429
    // An answer that broke before its first byte may have been about to be packed; this one is not.
    reply.removeHeader('content-encoding')
    return reply
      .code(known.status)
      .headers({ 'cache-control': 'no-store', ...known.headers })
      .type(`application/${isRefusal ? 'json' : 'problem+json'}; charset=utf-8`)
      .send(JSON.stringify(isRefusal ? toRefusal(known, occasion) : format(known, occasion)))
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const translated = isFastifyError(error) ? fromFramework(error) : undefined
  return translated ?? new AppError('HUB-SRV-001', 'The hub failed to answer.', { cause: error })
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

/** The hub's error for what Fastify itself refuses before a handler runs; undefined for the rest. */
function fromFramework(error: FastifyError): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('HUB-BDY-002', 'The body is larger than this address takes.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('HUB-BDY-003', 'This address does not take bodies of this Content-Type.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('HUB-BDY-001', 'The Content-Type says JSON, but the body is empty.')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('HUB-BDY-001', error.message)
    case 'FST_ERR_BAD_URL':
      return new AppError(
        'HUB-QRY-001',
        'The path holds a % that is not followed by two hex digits.',
      )
    default:
      return error instanceof SyntaxError ? new AppError('HUB-BDY-001', error.message) : undefined
  }
}

/**
 * What exceeds a quota is told in the interface's own form, not as problem details (decision D1): `hint`
 * is the address of the page that says which quotas there are; `retryAfter` is in seconds, where waiting
 * helps.
 */
const toRefusal: ErrorFormat = ({ message, policy, code, headers }, { publicUrl }) => ({
  message,
  hint: `${publicUrl}/docs/errors/${code}`,
  ...(policy === undefined ? {} : { policy }),
  ...(headers['retry-after'] === undefined ? {} : { retryAfter: Number(headers['retry-after']) }),
})
