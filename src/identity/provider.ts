import { Provider } from 'oidc-provider'
import type { Context, OidcClient } from 'oidc-provider'
import { fieldsOf } from '../lang/json.ts'
import type { User } from './account.ts'
import type { Accounts } from './accounts.ts'
import { addressOf } from './form.ts'
import { configureProvider, fromPrintable } from './provider-configuration.ts'
import type { ProviderDeps } from './provider-configuration.ts'
import { HUB, assertScopes, resourceServers } from './token-endpoint.ts'
import type { SigningKeys } from './signing-keys.ts'
import { grantedScope, profileClaims } from './client-credentials.ts'
import { retryAfter, toKeycloakError, tokenError } from './token-error.ts'

/**
 * Creates the certified OpenID provider, configured to behave like Keycloak. It keeps no state in
 * memory.
 */
export function makeProvider(deps: ProviderDeps, signing: SigningKeys): Provider {
  const { issuer, accounts, audience } = deps
  const provider = new Provider(issuer, configureProvider(deps, signing))
  provider.use(async ({ state }: Context, next) => {
    state.arrived = deps.now()
    await next()
  })
  provider.use(pinOrigin(issuer))
  provider.registerGrantType(
    'password',
    passwordGrant({ provider, accounts, audience }),
    passwordParameters,
  )
  provider.Client.prototype.compareClientSecret = async function (this: OidcClient, secret) {
    const client = await accounts.findClient(this.clientId)
    const address = addressOf(Provider.ctx?.req ?? {})
    return client !== undefined && (await accounts.checkClientSecret(client, { secret, address }))
  }
  // Runs after oidc-provider has checked the id, so that tokens and comparisons use the id that
  // callers send.
  Object.defineProperty(provider.Client.prototype, 'clientId', {
    set(this: OidcClient, written: string) {
      Object.defineProperty(this, 'clientId', { value: fromPrintable(written), enumerable: true })
    },
  })
  provider.on('grant.success', (ctx) => {
    ctx.body = toTokenAnswer(ctx)
  })
  provider.on('grant.error', (ctx, error) => {
    const seconds = retryAfter(error)
    if (seconds !== undefined) ctx.set('retry-after', seconds)
    const known = toKeycloakError(ctx, error)
    if (known === undefined) return
    ctx.status = known.status
    ctx.body = { error: known.error, error_description: known.description }
  })
  provider.on('server_error', (_, error) => {
    deps.onError(error)
  })
  // Errors outside of its routes, such as of a connection. Without a listener Koa would print them.
  provider.on('error', deps.onError)
  return provider
}

/** Makes links contain the public URL, regardless of the Host header that a proxy sends. */
function pinOrigin(issuer: string) {
  const { host, protocol } = new URL(issuer)
  return async ({ request }: Context, next: () => Promise<void>) => {
    Object.defineProperties(request, {
      host: { value: host },
      protocol: { value: protocol.slice(0, -1) },
    })
    await next()
  }
}

/**
 * Returns a token response with the fields of Keycloak, in its order (push-traffic-auth.md 4.2).
 */
function toTokenAnswer({ body, oidc }: Context): Readonly<Record<string, unknown>> {
  const answer = fieldsOf(body)
  const refresh = oidc.entities.RefreshToken
  const session = refresh?.grantId
  return {
    access_token: answer['access_token'],
    expires_in: answer['expires_in'],
    refresh_expires_in: refresh?.expiration ?? 0,
    ...(refresh === undefined ? {} : { refresh_token: answer['refresh_token'] }),
    token_type: 'Bearer',
    ...(answer['id_token'] === undefined ? {} : { id_token: answer['id_token'] }),
    'not-before-policy': 0,
    ...(session === undefined ? {} : { session_state: session }),
    scope: grantedScope(oidc.params['scope'] ?? refresh?.scope),
  }
}

type Deps = {
  readonly provider: Provider
  readonly accounts: Accounts
  readonly audience: string
}

const passwordParameters = ['username', 'password', 'scope']

/**
 * Handles the password grant (RFC 6749, section 4.3), which oidc-provider does not implement. The
 * client is already authenticated.
 */
function passwordGrant(deps: Deps): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const user = await authenticateUser(ctx, deps.accounts)
    assertScopes(ctx.oidc.params['scope'])
    const requested = ctx.oidc.params['scope'] ?? ''
    // With what a token does not list, such as `roles`, so that a refresh may request it again.
    const scope = [...new Set(`${requested} ${grantedScope(requested)}`.trim().split(/ +/))].join(
      ' ',
    )
    const session = await openSession(ctx, user, { scope, provider: deps.provider })
    const access = await issueAccessToken(ctx, session, deps)
    const refresh = await issueRefreshToken(ctx, session, deps.provider)
    const wantsIdToken = scope.split(' ').includes('openid')
    ctx.body = {
      ...access,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      ...(wantsIdToken ? { id_token: await issueIdToken(ctx, session, { user, ...deps }) } : {}),
    }
  }
}

type Session = {
  readonly accountId: string
  readonly grantId: string
  readonly client: unknown
  readonly scope: string
}

async function authenticateUser({ oidc, req }: Context, accounts: Accounts): Promise<User> {
  const { username, password } = oidc.params
  if (username === undefined)
    throw tokenError(401, 'invalid_request', 'Missing parameter: username')
  const user = await accounts.checkPassword(username, {
    secret: password ?? '',
    address: addressOf(req),
  })
  if (user === undefined) throw tokenError(400, 'invalid_grant', 'Invalid user credentials')
  if (!user.enabled) throw tokenError(400, 'invalid_grant', 'Account disabled')
  return user
}

async function openSession(
  ctx: Context,
  user: User,
  { scope, provider }: { readonly scope: string; readonly provider: Provider },
): Promise<Session> {
  const { client } = ctx.oidc
  const grant = new provider.Grant({ accountId: user.id, clientId: client.clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(HUB, scope)
  return { accountId: user.id, grantId: await grant.save(), client, scope }
}

async function issueAccessToken(ctx: Context, session: Session, { provider, audience }: Deps) {
  const token = new provider.AccessToken({ ...session, gty: 'password' })
  const hub = resourceServers(audience).getResourceServerInfo(ctx, HUB)
  token.resourceServer = new provider.ResourceServer(HUB, hub)
  token.scope = session.scope
  ctx.oidc.entity('AccessToken', token)
  return { access_token: await token.save(), expires_in: token.expiration }
}

async function issueRefreshToken(ctx: Context, session: Session, provider: Provider) {
  if (!ctx.oidc.client.grantTypes.includes('refresh_token')) return undefined
  const token = new provider.RefreshToken({
    ...session,
    gty: 'password',
    resource: HUB,
    rotations: 0,
    expiresWithSession: false,
  })
  ctx.oidc.entity('RefreshToken', token)
  return await token.save()
}

async function issueIdToken(
  ctx: Context,
  session: Session,
  { user, provider }: { readonly user: User; readonly provider: Provider },
): Promise<string> {
  const token = new provider.IdToken(profileClaims(user), { ctx })
  token.scope = session.scope
  token.set('sid', session.grantId)
  token.set('azp', ctx.oidc.client.clientId)
  return await token.issue({ use: 'idtoken' })
}
