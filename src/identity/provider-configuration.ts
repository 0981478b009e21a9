import { createHash, hash } from 'node:crypto'
import { interactionPolicy } from 'oidc-provider'
import type { Adapter, Context, JwtParts, OidcClient, Session, Token } from 'oidc-provider'
import { parseObject } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Client } from './account.ts'
import type { Accounts } from './accounts.ts'
import {
  ACCESS_TOKEN,
  SESSION_MAXIMUM,
  clientClaims,
  grantedScope,
  profileClaims,
  refreshLifetime,
  scopes,
  userClaims,
} from './client-credentials.ts'
import { applicationType, escape, pagePolicy, toHtml } from './login.ts'
import type { Page } from './login.ts'
import { paths, providerPaths } from './operations.ts'
import type { Revocations } from './revocations.ts'
import type { SigningKeys } from './signing-keys.ts'
import { HUB, resourceServers } from './token-endpoint.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly revocations: Pick<Revocations, 'revoke'>
}

/** Lifetime of state without one of its own. Sessions and grants specify theirs. */
const DEFAULT_SECONDS = 86_400

/**
 * Stores one kind of oidc-provider's state (`RefreshToken`, `Grant`, `Session` …) in the database,
 * so that it survives a restart and all nodes share it. The id of a state is the token, code or
 * cookie that a caller sends. Only its hash is stored, so that nobody who reads a database or
 * backup can send it.
 */
function stateAdapter(model: string, { database, now, revocations }: Deps): Adapter {
  // Access tokens contain the id of their grant (`sid`), so it is stored unhashed.
  const stored = (id: string) => (model === 'Grant' ? id : hash('sha256', id))
  const find = async (condition: Sql) => {
    const [row] = await database.query<{ payload: string; consumed: string | null }>(sql`
      select payload::text as payload, extract(epoch from consumed)::bigint::text as consumed
      from identity_state where model = ${model} and ${condition}`)
    return row === undefined ? undefined : toState(row)
  }
  return {
    find: async (id) => {
      const state = await find(sql`id = ${stored(id)}`)
      return state && { ...state, jti: id }
    },
    findByUid: (uid) => find(sql`uid = ${uid}`),
    // Only the device flow, which is disabled, has user codes.
    findByUserCode: () => Promise.resolve(undefined),
    upsert: async (id, payload, expiresIn = DEFAULT_SECONDS) => {
      const expires = new Date(now().getTime() + expiresIn * 1000)
      await database.execute(storeState({ model, id: stored(id), payload, expires }))
      if (model === 'RefreshToken') await database.execute(prolongLogin(payload))
      await database.execute(forgetExpired(now()))
    },
    consume: async (id) => {
      const consumed = await database.execute(sql`
        update identity_state set consumed = ${now()}
        where model = ${model} and id = ${stored(id)} and consumed is null`)
      // If two requests use the same refresh token concurrently, one must fail.
      if (consumed === 0) throw tokenError(400, 'invalid_grant', 'The token was used already')
    },
    destroy: async (id) => {
      await database.execute(
        sql`delete from identity_state where model = ${model} and id = ${stored(id)}`,
      )
    },
    revokeByGrantId: async (grantId) => {
      // Access tokens are JWTs that are not stored; their `sid` is the grant.
      if (model === 'AccessToken') await revocations.revoke({ kind: 'session', id: grantId })
      await database.execute(sql`delete from identity_state where grant_id = ${grantId}`)
    },
  }
}

/** Lets oidc-provider find clients. It must not write any; `hub access` does. */
function clientAdapter(accounts: Accounts): Adapter {
  const refuse = () => Promise.reject(new Error('Clients are not written through the provider.'))
  return {
    find: async (id) => {
      const client = await accounts.findClient(id)
      return client === undefined ? undefined : toOidcClient(client)
    },
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}

type State = {
  readonly model: string
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly expires: Date
}

function storeState({ model, id, payload, expires }: State): Sql {
  const { grantId = null, uid = null } = payload
  const { jti: _id, ...kept } = payload
  return sql`
    insert into identity_state (model, id, payload, grant_id, uid, expires)
    values (${model}, ${id}, ${JSON.stringify(kept)}::jsonb #- '{session,cookie}', ${grantId}, ${uid},
      ${expires})
    on conflict (model, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      expires = excluded.expires`
}

/**
 * Prolongs the login in the browser to the lifetime of its renewed tokens. Renewing them shows that
 * the user is active, so the idle time of a session counts for both.
 */
function prolongLogin({ sessionUid = null, exp = null }: State['payload']): Sql {
  return sql`
    update identity_state
    set expires = to_timestamp(${exp}::float8),
      payload = jsonb_set(payload, '{exp}', to_jsonb(${exp}::bigint))
    where model = 'Session' and uid = ${sessionUid}
      and (payload ->> 'exp')::bigint < ${exp}::bigint`
}

/** Deletes some entries that expired over an hour ago, at each write, so that nothing piles up. */
function forgetExpired(now: Date): Sql {
  const ended = new Date(now.getTime() - 3_600_000)
  return sql`
    delete from identity_state where (model, id) in (
      select model, id from identity_state where expires < ${ended}
      limit 20 for update skip locked)`
}

function toState(row: { payload: string; consumed: string | null }) {
  const state = parseObject(row.payload)
  return row.consumed === null ? state : { ...state, consumed: Number(row.consumed) }
}

/**
 * Encodes a client id for oidc-provider, which accepts printable ASCII only (RFC 6749, appendix
 * A.1), while any string may be the id of a development client (interface 5.4). `fromPrintable`
 * reverses it.
 */
function toPrintable(clientId: string): string {
  if (/^(?!=)[\x20-\x7e]*$/.test(clientId)) return clientId
  return `=${Buffer.from(clientId).toString('base64url')}`
}

export function fromPrintable(written: string): string {
  return written.startsWith('=') ? Buffer.from(written.slice(1), 'base64url').toString() : written
}

/**
 * Returns the metadata of a client for oidc-provider (OpenID Connect Dynamic Client Registration
 * 1.0, section 2). Its secret is a placeholder, because oidc-provider requires one;
 * `compareClientSecret` checks the real one.
 */
function toOidcClient(client: Client): Readonly<Record<string, unknown>> {
  const usesBrowser = client.grantTypes.includes('authorization_code')
  return {
    client_id: toPrintable(client.clientId),
    ...(client.secret === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'kept elsewhere' }),
    grant_types: client.grantTypes,
    response_types: usesBrowser ? ['code'] : [],
    redirect_uris: usesBrowser ? client.redirectUris : [],
    post_logout_redirect_uris: usesBrowser ? [...client.redirectUris, ...client.logoutUris] : [],
    application_type: applicationType(client.redirectUris),
    refresh_seconds: client.refreshSeconds,
  }
}

export type ProviderDeps = {
  readonly issuer: string
  readonly audience: string
  readonly accounts: Accounts
  readonly database: Queryable
  readonly now: () => Date
  readonly revocations: Revocations
  /** Receives internal errors; callers learn only that one occurred. */
  readonly onError: (error: unknown) => void
}

/** Returns the configuration of oidc-provider: features, URLs, lifetimes, and callbacks. */
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
    formats: { customizers: { jwt: shapeAccessToken(deps) } },
    ttl: lifetimes(deps.now),
    rotateRefreshToken: true,
    issueRefreshToken: (_: Context, client: OidcClient) =>
      client.grantTypes.includes('refresh_token'),
    findAccount: findAccount(accounts),
    renderError: errorPage,
  }
}

/** User claims that each scope adds to an ID token (OpenID Connect Core 1.0, section 5.4). */
const claims = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username'],
  email: ['email', 'email_verified'],
}

function features(audience: string) {
  return {
    // oidc-provider's userinfo and introspection do not support JWT access tokens; the hub's do.
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

/**
 * Configures cookies: signed with a secret that all nodes share, sent to the token service only.
 */
function cookies(issuer: string, keys: SigningKeys['keys']) {
  const guarded = { httpOnly: true, sameSite: 'lax' }
  const secrets = keys.map(({ d = '' }) =>
    createHash('sha256').update(`cookies ${d}`).digest('base64url'),
  )
  // Each login has its own cookie for its own path, so that several can be in progress at once.
  return { keys: secrets, long: { ...guarded, path: new URL(issuer).pathname }, short: guarded }
}

/**
 * Returns a function that rewrites an access token to Keycloak's form (push-traffic-auth.md 4.2),
 * with the current roles. `iat_ms` is when the request arrived, before anything was read that a
 * revocation may have changed since.
 */
function shapeAccessToken({ accounts, now }: ProviderDeps) {
  return async ({ state }: Context, token: Token, parts: JwtParts): Promise<void> => {
    const { exp, iat, jti, iss, aud } = parts.payload
    parts.header = { typ: 'JWT' }
    parts.payload = {
      exp,
      iat,
      iat_ms: (state.arrived ?? now()).getTime(),
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

/** Configures when a browser is sent to the login page, and the URL of that page. */
function loginInteractions(issuer: string) {
  const { Check, base } = interactionPolicy
  const policy = base()
  // The operator registers the clients, so users need not consent to them.
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
 * Grants the client everything that it may request about the logged-in person, with one grant per
 * session, so that logging out ends it completely.
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

/** Pages that oidc-provider lets the hub render. */

function errorPage(ctx: Context, out: Readonly<Record<string, string>>): void {
  const reason = out['error_description'] ?? out['error'] ?? ''
  show(ctx, { title: 'That did not work', content: `<p>${escape(reason)}</p>` })
}

/** Renders the confirmation page. `form` is oidc-provider's own, safe against forged requests. */
function logoutPage(ctx: Context, form: string): void {
  const button =
    '<button class="main" type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>'
  const end = ctx.oidc.params['post_logout_redirect_uri']
  show(ctx, { title: 'Log out?', content: `${form}${button}` }, end)
}

function loggedOutPage(ctx: Context): void {
  show(ctx, { title: 'You are logged out', content: '' })
}

/** @param end URL at which the form ends after its redirects */
function show(ctx: Context, page: Page, end?: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy(end))
  ctx.body = toHtml(page)
}
