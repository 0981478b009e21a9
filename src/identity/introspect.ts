import type { FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'
import { challenge } from '../access/index.ts'
import type { VerifyToken } from '../access/index.ts'
import type { Accounts } from './accounts.ts'
import { authenticateClient, readCredentials } from './client-credentials.ts'
import { paths } from './operations.ts'
import { UMA_TICKET } from './token-endpoint.ts'
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

const reported = [
  'sub',
  'email_verified',
  'name',
  'preferred_username',
  'given_name',
  'family_name',
  'email',
]

/** Tells the bearer of a token with the scope `openid` who it is (OpenID Connect Core 1.0, 5.3). */
export async function answerUserinfo(
  token: string | undefined,
  reply: FastifyReply,
  { verifyToken }: { readonly verifyToken: VerifyToken },
): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store')
  const found = token === undefined ? undefined : await verifyToken(token)
  if (found?.kind !== 'verified') {
    const why = found === undefined ? {} : { rejected: found.reason }
    const wanted = challenge({ kind: 'anonymous', ...why }) ?? ''
    const { rejected = 'No bearer token was sent' } = why
    const answer = { error: 'invalid_token', error_description: rejected }
    return reply.code(401).header('www-authenticate', wanted).send(answer)
  }
  const { claims } = found
  if (!String(claims['scope']).split(' ').includes('openid')) {
    const answer = { error: 'insufficient_scope', error_description: 'Missing openid scope' }
    return reply
      .code(403)
      .header('www-authenticate', 'Bearer error="insufficient_scope"')
      .send(answer)
  }
  return reply.send(
    Object.fromEntries(Object.entries(claims).filter(([name]) => reported.includes(name))),
  )
}

/**
 * What a collector needs to request decisions (UMA 2.0 Grant, section 2; push-traffic-auth.md 4.4).
 * Grants are made by the operator, so there are no endpoints for managing them.
 */
export function umaConfiguration(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${paths.authorization}`,
    token_endpoint: `${issuer}${paths.token}`,
    introspection_endpoint: `${issuer}${paths.introspection}`,
    end_session_endpoint: `${issuer}${paths.end_session}`,
    jwks_uri: `${issuer}${paths.jwks}`,
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'password',
      'client_credentials',
      UMA_TICKET,
    ],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: ['openid', 'profile', 'email', 'roles', 'address', 'phone'],
  }
}
