import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Queryable } from '../storage/database.ts'
import type { Accounts } from './accounts.ts'
import { requireClient } from './client-credentials.ts'
import { readForm } from './form.ts'
import type { Revocations } from './revocations.ts'
import { endSession } from './store-revocation.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly accounts: Accounts
  readonly database: Queryable
  readonly revocations: Revocations
  readonly provider: () => Promise<Provider>
}

/**
 * `POST …/logout`. A program logs its user out with the refresh token, as with Keycloak; a browser
 * that posts is sent to the page that asks (OpenID Connect RP-Initiated Logout 1.0, section 2).
 * @throws token errors 400, 401
 */
export function logOut({ accounts, database, revocations, provider }: Deps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = await readForm(request)
    const refreshToken = form.get('refresh_token')
    const { url, headers, ip } = request
    if (refreshToken === null) {
      const [path = ''] = url.split('?')
      return reply.redirect(`${path}?${form.toString()}`, 303)
    }
    const asking = { authorization: headers.authorization, form, address: ip }
    const client = await requireClient(asking, accounts)
    const { RefreshToken } = await provider()
    const token = await RefreshToken.find(refreshToken)
    if (token?.clientId !== client.clientId || token.grantId === undefined) {
      throw tokenError(400, 'invalid_grant', 'Invalid refresh token')
    }
    await revocations.revoke({ kind: 'session', id: token.grantId })
    await endSession(database, token.grantId)
    return reply.code(204).header('cache-control', 'no-store').send()
  }
}
