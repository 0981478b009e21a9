import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticate, Principal } from '../access/index.ts'
import { anonymous } from '../access/principal.ts'
import { challenge } from '../access/require.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: set before any route runs. */
    principal: Principal
  }
}

/**
 * Finds out who asks, before any route runs. A token that cannot be believed makes the caller
 * anonymous and is answered with `WWW-Authenticate`, so that no one mistakes open data for all data
 * (decision D6); addresses that need a token refuse by themselves.
 */
export function identifyCallers(app: FastifyInstance, authenticate: Authenticate): void {
  const principals = new WeakMap<FastifyRequest, Principal>()
  app.decorateRequest('principal', {
    getter() {
      return principals.get(this) ?? anonymous
    },
    setter(principal: Principal) {
      principals.set(this, principal)
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    request.principal = await authenticate(request.headers)
    if (request.principal.kind === 'anonymous' && request.principal.rejected !== undefined) {
      void reply.header('www-authenticate', challenge(request.principal))
    }
  })
}
