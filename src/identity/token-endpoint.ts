import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { PushPermission, VerifyToken } from '../access/index.ts'
import type { Accounts } from './accounts.ts'
import { bearerOf } from './client-credentials.ts'
import { readForm } from './form.ts'
import { passOn, withForm } from './pass-on.ts'
import { UMA_TICKET, decidePush } from './push-decision.ts'
import { assertTokenForm } from './token-form.ts'

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
