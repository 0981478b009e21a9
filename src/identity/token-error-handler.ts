import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import { AppError } from '../errors/index.ts'
import { isBasic } from './client-credentials.ts'
import { retryAfter } from './token-error.ts'

/** Answers errors as RFC 6749, section 5.2 has them: the only format of the token service (D1). */
export function answerTokenErrors(onError: (error: unknown) => void) {
  return (error: unknown, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.headers({ 'cache-control': 'no-store' })
    if (error instanceof errors.OIDCProviderError) {
      const { statusCode, error: code, error_description = '' } = error
      const seconds = retryAfter(error)
      if (seconds !== undefined) void reply.header('retry-after', seconds)
      if (statusCode === 401 && isBasic(headers)) {
        void reply.header('www-authenticate', 'Basic realm="hub", error="invalid_client"')
      }
      return reply.code(statusCode).send({ error: code, error_description })
    }
    onError(error)
    if (error instanceof AppError && error.status === 503) {
      const answer = { error: 'temporarily_unavailable', error_description: error.message }
      return reply.code(503).headers(error.headers).send(answer)
    }
    const answer = { error: 'server_error', error_description: 'The token service failed.' }
    return reply.code(500).send(answer)
  }
}
