import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { challenge } from '../access/index.ts'
import type { PushPermission, VerifyToken } from '../access/index.ts'
import type { Accounts } from './accounts.ts'
import {
  authenticateClient,
  bearerOf,
  grantedScope,
  isBasic,
  readCredentials,
} from './client-credentials.ts'
import { passOn, readForm } from './form.ts'
import { logOut, showLogin, submitLogin } from './login.ts'
import {
  REALMS,
  confirmOperation,
  introspectOperation,
  logOutOperation,
  loginOperation,
  passedOn,
  paths,
  revokeOperation,
  showLoginOperation,
  tokenOperation,
  umaOperation,
  userinfoOperation,
} from './operations.ts'
import type { ProviderDeps } from './provider-configuration.ts'
import { makeProvider } from './provider.ts'
import { revokeToken } from './revocations.ts'
import type { KeyStore, SigningKeys } from './signing-keys.ts'
import { UMA_TICKET, answerTokenErrors, toTokenError, tokenEndpoint } from './token-endpoint.ts'
import { tokenError } from './token-error.ts'

export type IdentityDeps = ProviderDeps & {
  readonly keys: KeyStore
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  /** The audience of decision requests (`HUB_PUSH_AUDIENCE`). */
  readonly pushAudience: string
}

type Parts = IdentityDeps & { readonly provider: () => Promise<Provider>; readonly root: string }

/**
 * Returns the embedded token service, in Keycloak's path layout (interface 4.12). The issuer's path
 * must be `/auth/realms/<realm>`.
 */
export function identityService(deps: IdentityDeps): FastifyPluginAsync {
  const parts = { ...deps, provider: providerOf(deps), root: new URL(deps.issuer).pathname }
  return async (app) => {
    // Bodies stay streams, because oidc-provider reads those of its requests itself.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => {
      done(null, payload)
    })
    app.setErrorHandler(answerTokenErrors(deps.onError))
    app.errorFormats.set('/auth', toTokenError)
    app.addHook('onRequest', refuseOtherRealms(parts.root))
    app.addHook('onRequest', takeBasic)
    app.addHook('onReady', deps.revocations.start)
    app.addHook('onClose', async () => {
      deps.revocations.stop()
    })
    addLogins(app, parts)
    addTokens(app, parts)
    addQuestions(app, parts)
  }
}

/** Adds the pages for browsers, and the metadata and keys for programs. */
function addLogins(app: FastifyInstance, parts: Parts): void {
  const pass = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    passOn(await parts.provider(), { message: raw, reply, root: parts.root })
  }
  for (const { path, schema, config } of passedOn) app.get(at(path), { schema, config }, pass)
  app.post(at(`${paths.end_session}/confirm`), confirmOperation, pass)
  app.post(at(paths.end_session), logOutOperation, logOut(parts))
  const login = at(`${paths.login}/:uid`)
  app.get(login, showLoginOperation, showLogin(parts))
  app.post(login, loginOperation, submitLogin(parts))
}

function addTokens(app: FastifyInstance, parts: Parts): void {
  app.post(at(paths.token), tokenOperation, tokenEndpoint(parts))
  app.post(at(paths.revocation), revokeOperation, revokeToken(parts))
}

function addQuestions(app: FastifyInstance, parts: Parts): void {
  app.get(at(paths.uma), umaOperation, () => umaConfiguration(parts.issuer))
  app.post(at(paths.introspection), introspectOperation, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const { headers, ip } = request
    const form = await readForm(request)
    const asked = { authorization: headers.authorization, form, address: ip }
    return introspect(asked, { ...parts, provider: await parts.provider() })
  })
  const report = ({ headers }: FastifyRequest, reply: FastifyReply) =>
    answerUserinfo(bearerOf(headers), reply, parts)
  app.get(at(paths.userinfo), userinfoOperation('getUserinfo'), report)
  app.post(at(paths.userinfo), userinfoOperation('postUserinfo'), report)
}

function at(path: string): string {
  return `${REALMS}/:realm${path}`
}

/**
 * Returns the provider for the current keys. It is recreated when the keys change, which costs
 * little.
 */
function providerOf(deps: IdentityDeps): () => Promise<Provider> {
  let made: { readonly keys: SigningKeys; readonly provider: Provider } | undefined
  return async () => {
    const keys = await deps.keys.current()
    if (made?.keys !== keys) made = { keys, provider: makeProvider(deps, keys) }
    return made.provider
  }
}

function refuseOtherRealms(root: string) {
  return async ({ url }: FastifyRequest, reply: FastifyReply) => {
    if (url.startsWith(`${root}/`)) return
    return reply.code(404).send({ error: 'Realm does not exist' })
  }
}

/**
 * Removes the complaint about a header that is not a bearer token (decision D6): on these paths
 * clients authenticate with HTTP Basic.
 */
async function takeBasic({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (isBasic(headers)) void reply.removeHeader('www-authenticate')
}

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
 * Introspects a token for a confidential client (RFC 7662; errors as in push-traffic-auth.md 4.4).
 * @throws token errors 400, 401, 403
 */
async function introspect(request: Request, deps: Deps): Promise<object> {
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
  const granted = grantedScope(scope)
  return { sub: accountId, exp, scope: granted, client_id: clientId, typ: 'Refresh', active: true }
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

/** Sends the user of a token with the scope `openid` (OpenID Connect Core 1.0, 5.3). */
async function answerUserinfo(
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
 * Returns what a collector needs to request decisions (UMA 2.0 Grant, section 2;
 * push-traffic-auth.md 4.4). The operator grants permissions, so there are no endpoints to manage
 * them.
 */
function umaConfiguration(issuer: string) {
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
