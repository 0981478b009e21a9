import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import type { Context, Provider, ResourceServerInfo } from 'oidc-provider'
import type { PushPermission, VerifyToken } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import type { Accounts } from './accounts.ts'
import { ACCESS_TOKEN, bearerOf, isBasic, scopes } from './client-credentials.ts'
import { passOn, readForm, withForm } from './form.ts'
import { retryAfter, tokenError } from './token-error.ts'

type DecisionDeps = {
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  /** Client id of the resource server that the paths belong to. */
  readonly audience: string
}

/** The grant type of a decision request. */
export const UMA_TICKET = 'urn:ietf:params:oauth:grant-type:uma-ticket'

/**
 * Decides whether the bearer of a token may push to a path, as Keycloak does (push-traffic-auth.md
 * 1.4), so that other collectors can use the embedded service too.
 * @throws token errors 400, 401, 403
 */
async function decidePush(
  token: string | undefined,
  form: URLSearchParams,
  { verifyToken, permission, audience }: DecisionDeps,
): Promise<{ readonly result: true }> {
  const found = token === undefined ? undefined : await verifyToken(token)
  if (found?.kind !== 'verified') throw tokenError(401, 'invalid_grant', 'Invalid bearer token')
  if (form.get('response_mode') !== 'decision') {
    throw tokenError(400, 'invalid_request', 'Only response_mode=decision is offered')
  }
  const asked = form.get('audience')
  if (asked !== audience) {
    throw tokenError(400, 'invalid_request', `Unknown resource server id: [${asked ?? ''}]`)
  }
  const paths = form.getAll('permission')
  const decisions = await Promise.all(
    paths.map((path) => permission.mayPush(found.principal, path)),
  )
  if (decisions.length === 0 || decisions.includes(false)) {
    throw tokenError(403, 'access_denied', 'not_authorized')
  }
  return { result: true }
}

/**
 * The only resource. oidc-provider issues JWT access tokens only for a resource (RFC 8707), so the
 * hub supplies the parameter that clients of Keycloak never send.
 */
export const HUB = 'urn:hub'

/** Describes the hub to oidc-provider, and rejects other resources and unknown scopes. */
export function resourceServers(audience: string) {
  const hub: ResourceServerInfo = {
    scope: scopes.join(' '),
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN,
    jwt: { sign: { alg: 'RS256' } },
  }
  return {
    enabled: true,
    defaultResource: () => HUB,
    useGrantedResource: () => true,
    getResourceServerInfo: ({ oidc }: Context, resource: string) => {
      if (resource !== HUB) throw tokenError(400, 'invalid_target', 'There is no such resource')
      assertScopes(oidc.params['scope'])
      return hub
    },
  }
}

/** Rejects unknown scopes, which oidc-provider would silently drop. @throws token error 400 */
export function assertScopes(requested: string | undefined): void {
  const unknown = (requested ?? '')
    .split(' ')
    .filter((scope) => scope !== '' && !scopes.includes(scope))
  if (unknown.length > 0) {
    throw tokenError(400, 'invalid_scope', `Invalid scopes: ${unknown.join(' ')}`)
  }
}

/**
 * Returns an error handler that sends errors in the format of RFC 6749, section 5.2, the only one
 * of the token service (D1).
 */
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
    if (error instanceof AppError && error.status < 500) {
      const status = [412, 417].includes(error.status) ? error.status : 400
      return reply.code(status).send(toTokenError(error))
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

/**
 * Formats a refusal of the hub itself, such as of an unknown path below `/auth`, in the same format.
 */
export function toTokenError({ message }: AppError): object {
  return { error: 'invalid_request', error_description: message }
}

type Deps = {
  readonly accounts: Accounts
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  readonly pushAudience: string
  readonly provider: () => Promise<Provider>
  /** The path of the issuer. */
  readonly root: string
}

/** Handles `POST …/token`: the hub makes decisions itself, and oidc-provider issues tokens. */
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

/**
 * Removes the secret that public clients send nevertheless (interface 5.3, refresh); Keycloak
 * ignores it.
 */
export async function forgetPublicSecret(form: URLSearchParams, accounts: Accounts): Promise<void> {
  const clientId = form.get('client_id')
  if (clientId === null || !form.has('client_secret')) return
  const client = await accounts.findClient(clientId)
  if (client?.secret === null) form.delete('client_secret')
}

const grantTypes = [
  'client_credentials',
  'password',
  'refresh_token',
  'authorization_code',
  UMA_TICKET,
]

/**
 * Checks the form of a token request before the client is authenticated, as Keycloak does
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
  // Only a decision request may repeat a parameter: it can name several permissions.
  const names = [...form.keys()].filter(
    (name) => !(grantType === UMA_TICKET && name === 'permission'),
  )
  if (new Set(names).size < names.length) {
    throw tokenError(400, 'invalid_request', 'duplicated parameter')
  }
}
