import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { requirePrincipal } from '../access/index.ts'

/** Has the addresses of this scope take a token, and say so. */
export function requireTokens(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema = {} } = route
    const response = { ...schemasOf(schema.response), 401: Type.Ref('ProblemDetails') }
    route.schema = { ...schema, security: [{ bearer: [] }], response }
  })
  app.addHook('preHandler', (request, _reply, done) => {
    requirePrincipal(request.principal)
    done()
  })
}

function schemasOf(response: unknown): object {
  return typeof response === 'object' && response !== null ? response : {}
}
