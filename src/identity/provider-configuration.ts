import { createHash } from 'node:crypto'
import type { Context, OidcClient, Session, Token } from 'oidc-provider'
import type { Queryable } from '../storage/database.ts'
import { shapeAccessToken } from './access-token.ts'
import type { Accounts } from './accounts.ts'
import { ACCESS_TOKEN, SESSION_MAXIMUM, refreshLifetime } from './lifetimes.ts'
import { implyConsent, loginInteractions } from './login-policy.ts'
import { errorPage, loggedOutPage, logoutPage } from './pages.ts'
import { providerPaths } from './paths.ts'
import { resourceServers } from './resource-server.ts'
import type { Revocations } from './revocations.ts'
import { clientAdapter, stateAdapter } from './state-adapter.ts'
import type { SigningKeys } from './store-keys.ts'
import { profileClaims } from './token-claims.ts'

export type ProviderDeps = {
  readonly issuer: string
  /** `aud` of the access tokens. */
  readonly audience: string
  readonly accounts: Accounts
  readonly database: Queryable
  readonly now: () => Date
  readonly revocations: Revocations
  /** Told what went wrong inside; callers learn only that something did. */
  readonly onError: (error: unknown) => void
}

/** How oidc-provider is set up: what it offers, where, for how long, and what it asks us. */
export function configureProvider(deps: ProviderDeps, { keys }: SigningKeys) {
  const { accounts, issuer } = deps
  return {
    adapter: (model: string) =>
      model === 'Client' ? clientAdapter(accounts) : stateAdapter(model, deps),
    jwks: { keys },
    cookies: cookies(issuer, keys),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: ['refresh_seconds'] },
    scopes: ['openid', 'profile', 'email', 'roles', 'address', 'phone'],
    claims,
    responseTypes: ['code'],
    conformIdTokenClaims: false,
    clientBasedCORS: () => true,
    routes: providerPaths,
    discovery: {
      userinfo_endpoint: `${issuer}${providerPaths.userinfo}`,
      introspection_endpoint: `${issuer}${providerPaths.introspection}`,
    },
    interactions: loginInteractions(issuer),
    loadExistingGrant: implyConsent,
    pkce: { required: () => true },
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
  const seconds = () => Math.floor(now().getTime() / 1000)
  return {
    AccessToken: ACCESS_TOKEN,
    ClientCredentials: ACCESS_TOKEN,
    IdToken: ACCESS_TOKEN,
    AuthorizationCode: 60,
    Interaction: 1_800,
    Session: (_: Context, { loginTs = seconds() }: Session) =>
      refreshLifetime({ began: loginTs, now: seconds(), client: null }),
    Grant: SESSION_MAXIMUM,
    RefreshToken: (_: Context, token: Token, { refresh_seconds = null }: OidcClient) => {
      const { iiat = seconds(), authTime = iiat } = token
      const began = Math.min(iiat, authTime)
      return refreshLifetime({ began, now: seconds(), client: refresh_seconds })
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

/** Cookies are signed with what all nodes share, and sent to the token service only. */
function cookies(issuer: string, keys: SigningKeys['keys']) {
  const guarded = { httpOnly: true, sameSite: 'lax' }
  const secrets = keys.map(({ d = '' }) =>
    createHash('sha256').update(`cookies ${d}`).digest('base64url'),
  )
  // A login has a cookie of its own at its own address, so that several can go on side by side.
  return { keys: secrets, long: { ...guarded, path: new URL(issuer).pathname }, short: guarded }
}
