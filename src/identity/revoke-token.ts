import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { VerifyToken } from '../access/index.ts'
import type { Accounts } from './accounts.ts'
import { requireClient } from './client-credentials.ts'
import { readForm } from './form.ts'
import { passOn, withForm } from './pass-on.ts'
import type { Revocations } from './revocations.ts'
import { forgetPublicSecret } from './token-endpoint.ts'

type Deps = {
  readonly accounts: Accounts
  readonly verifyToken: VerifyToken
  readonly revocations: Revocations
  readonly provider: () => Promise<Provider>
  readonly root: string
}

/** A JWT, as our access tokens are; refresh tokens have no dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * `POST …/revoke` (RFC 7009). Refresh tokens are oidc-provider's, and end their session with them;
 * access tokens it cannot revoke, so we note their ids.
 */
export function revokeToken({ accounts, verifyToken, revocations, provider, root }: Deps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = await readForm(request)
    const token = form.get('token') ?? ''
    if (!JWT.test(token)) {
      await forgetPublicSecret(form, accounts)
      passOn(await provider(), { message: withForm(request.raw, form), reply, root })
      return reply
    }
    const { authorization } = request.headers
    const client = await requireClient({ authorization, form, address: request.ip }, accounts)
    const found = await verifyToken(token)
    // Of what is no good anyway, or is somebody else's, nothing is told (RFC 7009, section 2.2).
    if (found.kind === 'verified' && found.principal.client === client.clientId) {
      await revocations.revoke({ kind: 'token', id: String(found.claims.jti) })
    }
    return reply.header('cache-control', 'no-store').send('')
  }
}
