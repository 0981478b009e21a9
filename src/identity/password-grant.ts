import type { Context, Provider } from 'oidc-provider'
import type { User } from './account.ts'
import type { Accounts } from './accounts.ts'
import { HUB, assertScopes, resourceServers } from './resource-server.ts'
import { addressOf } from './pass-on.ts'
import { grantedScope, profileClaims } from './token-claims.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly provider: Provider
  readonly accounts: Accounts
  readonly audience: string
}

/** Form fields of the password flow (interface 5.3). */
export const passwordParameters = ['username', 'password', 'scope']

/**
 * The password flow (RFC 6749, section 4.3), which oidc-provider leaves to its users. The client
 * is authenticated already.
 */
export function passwordGrant(deps: Deps): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const user = await authenticateUser(ctx, deps.accounts)
    assertScopes(ctx.oidc.params['scope'])
    const scope = grantedScope(ctx.oidc.params['scope'])
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
