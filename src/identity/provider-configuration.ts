import { createHash } from 'node:crypto'
import { interactionPolicy } from 'oidc-provider'
import type { Context, JwtParts, OidcClient, Session, Token } from 'oidc-provider'
import type { Queryable } from '../storage/database.ts'
import type { Accounts } from './accounts.ts'
import { ACCESS_TOKEN, SESSION_MAXIMUM, refreshLifetime } from './lifetimes.ts'
import { escape, pagePolicy, toHtml } from './page.ts'
import type { Page } from './page.ts'
import { paths, providerPaths } from './paths.ts'
import { HUB, resourceServers } from './resource-server.ts'
import type { Revocations } from './revocations.ts'
import { clientAdapter, stateAdapter } from './state-adapter.ts'
import type { SigningKeys } from './store-keys.ts'
import { clientClaims, grantedScope, profileClaims, scopes, userClaims } from './token-claims.ts'

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

/** Writes an access token as Keycloak does (push-traffic-auth.md 4.2), roles as they are now. */
function shapeAccessToken(accounts: Accounts) {
  return async (_: Context, token: Token, parts: JwtParts): Promise<void> => {
    const { exp, iat, jti, iss, aud } = parts.payload
    parts.header = { typ: 'JWT' }
    parts.payload = {
      exp,
      iat,
      jti,
      iss,
      aud,
      typ: 'Bearer',
      azp: token.clientId,
      acr: '1',
      ...(token.grantId === undefined ? {} : { sid: token.grantId }),
      scope: grantedScope(token.scope),
      ...(await bearerClaims(token, accounts)),
    }
  }
}

async function bearerClaims({ clientId, accountId }: Token, accounts: Accounts) {
  const client = await accounts.findClient(clientId)
  if (client === undefined) throw new Error(`The client ${clientId} is gone.`)
  if (accountId === undefined) return clientClaims(client)
  const user = await accounts.findUser(accountId)
  if (user === undefined) throw new Error(`The user ${accountId} is gone.`)
  return userClaims(user, client)
}

/** When a browser is shown the login page, and where that is. */
function loginInteractions(issuer: string) {
  const { Check, base } = interactionPolicy
  const policy = base()
  // The operator registers the clients; there is nothing to ask people about them.
  policy.remove('consent')
  policy
    .get('login')
    .checks.add(
      new Check('no_account', 'The account is gone or disabled', ({ oidc }) =>
        oidc.session.accountId !== undefined && oidc.account === undefined
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
      ),
    )
  return {
    policy,
    url: (_: Context, { uid }: { readonly uid: string }) => `${issuer}${paths.login}/${uid}`,
  }
}

/**
 * What the client may have of the person who is logged in: all that it asks for, once per session,
 * so that logging out ends it all.
 */
async function implyConsent({ oidc }: Context): Promise<object | undefined> {
  const { account, client, provider, session } = oidc
  if (account === undefined) return undefined
  const known = session.grantIdFor(client.clientId)
  const found = known === undefined ? undefined : await provider.Grant.find(known)
  const grant =
    found?.accountId === account.accountId
      ? found
      : new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope(scopes.join(' '))
  grant.addResourceScope(HUB, scopes.join(' '))
  await grant.save()
  return grant
}

/** The pages that oidc-provider lets us draw. */

function errorPage(ctx: Context, out: Readonly<Record<string, string>>): void {
  const reason = out['error_description'] ?? out['error'] ?? ''
  show(ctx, { title: 'That did not work', content: `<p>${escape(reason)}</p>` })
}

/** `form` is oidc-provider's own, with its protection against forged requests. */
function logoutPage(ctx: Context, form: string): void {
  const button =
    '<button class="main" type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>'
  const end = ctx.oidc.params['post_logout_redirect_uri']
  show(ctx, { title: 'Log out?', content: `${form}${button}` }, end)
}

function loggedOutPage(ctx: Context): void {
  show(ctx, { title: 'You are logged out', content: '' })
}

/** @param end where the form of the page ends */
function show(ctx: Context, page: Page, end?: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy(end))
  ctx.body = toHtml(page)
}
