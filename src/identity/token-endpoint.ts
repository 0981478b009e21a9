import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { PushPermission, VerifyToken } from '../access/index.ts'
import type { Accounts } from './accounts.ts'
import { bearerOf } from './client-credentials.ts'
import { readForm } from './form.ts'
import { passOn, withForm } from './pass-on.ts'
import { UMA_TICKET, decidePush } from './push-decision.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly accounts: Accounts
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  readonly pushAudience: string
  readonly provider: () => Promise<Provider>
  /** Path of the issuer. */
  readonly root: string
}

/** `POST …/token`: decisions are ours, tokens come from oidc-provider. */
export function tokenEndpoint(deps: Deps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    const form = await readForm(request)
    assertTokenForm(form)
    if (form.get('grant_type') === UMA_TICKET) {
      return decidePush(bearerOf(request.headers), form, { ...deps, audience: deps.pushAudience })
    }
    await forgetPublicSecret(form, deps.accounts)
    const message = withForm(request.raw, form)
    passOn(await deps.provider(), { message, reply, root: deps.root })
    return reply
  }
}

/** Clients without a secret send one all the same (interface 5.3, refresh); Keycloak ignores it. */
export async function forgetPublicSecret(form: URLSearchParams, accounts: Accounts): Promise<void> {
  const clientId = form.get('client_id')
  if (clientId === null || !form.has('client_secret')) return
  const client = await accounts.findClient(clientId)
  if (client?.secret === null) form.delete('client_secret')
}

/** What the token endpoint offers. */
const grantTypes = [
  'client_credentials',
  'password',
  'refresh_token',
  'authorization_code',
  UMA_TICKET,
]

/**
 * Checks the form of a token request, which comes before its client, as with Keycloak
 * (push-traffic-auth.md 4.3). @throws token errors 400
 */
function assertTokenForm(form: URLSearchParams): void {
  const grantType = form.get('grant_type')
  if (grantType === null || grantType === '') {
    throw tokenError(400, 'invalid_request', 'Missing form parameter: grant_type')
  }
  if (!grantTypes.includes(grantType)) {
    throw tokenError(400, 'unsupported_grant_type', 'Unsupported grant_type')
  }
  if (grantType === 'refresh_token' && !form.get('refresh_token')) {
    throw tokenError(400, 'invalid_request', 'No refresh token')
  }
  // Only a decision request may ask for several permissions.
  const names = [...form.keys()].filter(
    (name) => !(grantType === UMA_TICKET && name === 'permission'),
  )
  if (new Set(names).size < names.length) {
    throw tokenError(400, 'invalid_request', 'duplicated parameter')
  }
}
