import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/index.ts'
import { fromFramework } from './framework-errors.ts'
import type { ErrorFormat } from './problem.ts'
import { toRefusal } from './to-refusal.ts'

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
