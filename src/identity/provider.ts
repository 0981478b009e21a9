import { createHash } from 'node:crypto'
import { Provider } from 'oidc-provider'
import type { Context, OidcClient, Token } from 'oidc-provider'
import type { Queryable } from '../storage/database.ts'
import { shapeAccessToken } from './access-token.ts'
import type { Accounts } from './accounts.ts'
import { ACCESS_TOKEN, SESSION_IDLE, SESSION_MAXIMUM, refreshLifetime } from './lifetimes.ts'
import { errorPage, loggedOutPage, logoutPage } from './pages.ts'
import { passwordGrant, passwordParameters } from './password-grant.ts'
import { paths } from './paths.ts'
import { resourceServers } from './resource-server.ts'
import type { SigningKeys } from './signing-keys.ts'
import { clientAdapter, stateAdapter } from './state-adapter.ts'
import { toTokenAnswer } from './token-answer.ts'
import { profileClaims } from './token-claims.ts'
import { toKeycloakError } from './token-error.ts'

export type ProviderDeps = {
  readonly issuer: string
  /** `aud` of the access tokens. */
  readonly audience: string
  readonly accounts: Accounts
  readonly database: Queryable
  readonly now: () => Date
  /** Told what went wrong inside; callers learn only that something did. */
  readonly onError: (error: unknown) => void
}

/** The certified OpenID provider, set up to speak like Keycloak. Keeps nothing in memory. */
export function makeProvider(deps: ProviderDeps, signing: SigningKeys): Provider {
  const { issuer, accounts, audience } = deps
  const provider = new Provider(issuer, configuration(deps, signing))
  provider.use(pinOrigin(issuer))
  provider.registerGrantType(
    'password',
    passwordGrant({ provider, accounts, audience }),
    passwordParameters,
  )
  provider.Client.prototype.compareClientSecret = async function (this: OidcClient, secret) {
    const client = await accounts.findClient(this.clientId)
    return client !== undefined && (await accounts.checkClientSecret(client, secret))
  }
  provider.on('grant.success', (ctx) => {
    ctx.body = toTokenAnswer(ctx)
  })
  provider.on('grant.error', (ctx, error) => {
    const known = toKeycloakError(ctx, error)
    if (known === undefined) return
    ctx.status = known.status
    ctx.body = { error: known.error, error_description: known.description }
  })
  provider.on('server_error', (_, error) => {
    deps.onError(error)
  })
  // What breaks outside of its routes, such as a connection; Koa would print it.
  provider.on('error', deps.onError)
  return provider
}

function configuration(deps: ProviderDeps, { keys }: SigningKeys) {
  const { accounts, issuer } = deps
  return {
    adapter: (model: string) =>
      model === 'Client' ? clientAdapter(accounts) : stateAdapter(model, deps),
    jwks: { keys },
    cookies: cookies(issuer, keys[0]?.d ?? ''),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: ['refresh_seconds'] },
    scopes: ['openid', 'profile', 'email', 'roles', 'address', 'phone'],
    claims,
    responseTypes: ['code'],
    conformIdTokenClaims: false,
    clientBasedCORS: () => true,
    routes: paths,
    discovery: {
      userinfo_endpoint: `${issuer}${paths.userinfo}`,
      introspection_endpoint: `${issuer}${paths.introspection}`,
    },
    features: features(deps.audience),
    formats: { customizers: { jwt: shapeAccessToken(accounts) } },
    ttl: lifetimes(deps.now),
    rotateRefreshToken: true,
    issueRefreshToken: (_: Context, client: OidcClient) =>
      client.grantTypes.includes('refresh_token'),
    findAccount: findAccount(accounts),
    renderError: errorPage,
  }
}

/** What each scope tells about a user in an ID token (OpenID Connect Core 1.0, section 5.4). */
const claims = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username'],
  email: ['email', 'email_verified'],
}

function features(audience: string) {
  return {
    // Its user information and introspection know no JWT access tokens; ours do.
    userinfo: { enabled: false },
    introspection: { enabled: false },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: logoutPage,
      postLogoutSuccessSource: loggedOutPage,
    },
    resourceIndicators: resourceServers(audience),
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    requestObjects: { enabled: false },
  }
}

function lifetimes(now: () => Date) {
  return {
    AccessToken: ACCESS_TOKEN,
    ClientCredentials: ACCESS_TOKEN,
    IdToken: ACCESS_TOKEN,
    AuthorizationCode: 60,
    Interaction: 1_800,
    Session: SESSION_IDLE,
    Grant: SESSION_MAXIMUM,
    RefreshToken: (_: Context, { iiat }: Token, { refresh_seconds = null }: OidcClient) => {
      const seconds = Math.floor(now().getTime() / 1000)
      return refreshLifetime({ began: iiat ?? seconds, now: seconds, client: refresh_seconds })
    },
  }
}

function findAccount(accounts: Accounts) {
  return async (_: Context, id: string) => {
    const user = await accounts.findUser(id)
    if (user === undefined || !user.enabled) return undefined
    return { accountId: user.id, claims: () => Promise.resolve(profileClaims(user)) }
  }
}

function isOwnToken(_: Context, client: OidcClient, token: Token): boolean {
  return token.clientId === client.clientId
}

/** Links name the public address, whatever a proxy in between made of the Host header. */
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

/** Cookies are signed with what all nodes share, and sent to the token service only. */
function cookies(issuer: string, privateKey: string) {
  const scope = { path: new URL(issuer).pathname, httpOnly: true, sameSite: 'lax' }
  const key = createHash('sha256').update(`cookies ${privateKey}`).digest('base64url')
  return { keys: [key], long: scope, short: scope }
}
