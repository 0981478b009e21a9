import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorHandler } from './error-handler.ts'
import { toProblem } from './problem.ts'

type Deps = Parameters<typeof errorHandler>[1]

/**
 * Answers addresses that cannot even be routed, such as a lone percent sign. No hook has run for them,
 * so what every answer carries is set here.
 */
export function answerUnreadable(deps: Deps) {
  const answer = errorHandler(toProblem, deps)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers({ 'x-request-id': request.id, 'access-control-allow-origin': '*' })
    void answer(error, request, reply)
  }
}
