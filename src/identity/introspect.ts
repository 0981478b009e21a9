import type { Provider } from 'oidc-provider'
import type { VerifyToken } from '../access/index.ts'
import type { Accounts } from './accounts.ts'
import { authenticateClient, readCredentials } from './client-credentials.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly accounts: Accounts
  readonly verifyToken: VerifyToken
  readonly provider: Provider
}

type Request = {
  readonly authorization: string | undefined
  readonly form: URLSearchParams
  readonly address: string
}

const inactive = { active: false }

/**
 * Tells a confidential client about a token (RFC 7662; errors as push-traffic-auth.md 4.4).
 * @throws token errors 400, 401, 403
 */
export async function introspect(request: Request, deps: Deps): Promise<object> {
  await assertConfidential(request, deps.accounts)
  const token = request.form.get('token')
  if (token === null) throw tokenError(400, 'invalid_request', 'Token not provided.')
  const found = await deps.verifyToken(token)
  if (found.kind === 'verified') {
    const { client, name } = found.principal
    return {
      ...found.claims,
      client_id: client,
      username: name,
      token_type: 'Bearer',
      active: true,
    }
  }
  const refresh = await deps.provider.RefreshToken.find(token)
  if (refresh?.isValid !== true) return inactive
  const { clientId, accountId, exp, scope } = refresh
  return { sub: accountId, exp, scope, client_id: clientId, typ: 'Refresh', active: true }
}

async function assertConfidential({ authorization, form, address }: Request, accounts: Accounts) {
  const credentials = readCredentials(authorization, form)
  if (await authenticateClient({ credentials, address }, accounts)) return
  const named = form.get('client_id')
  const known = named === null ? undefined : await accounts.findClient(named)
  if (known?.secret === null) throw tokenError(403, 'invalid_request', 'Client not allowed.')
  throw tokenError(401, 'invalid_request', 'Authentication failed.')
}
