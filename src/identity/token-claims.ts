import type { Client, User } from './account.ts'

/** Scopes that a request may name (push-traffic-auth.md 4.2). */
export const scopes = [
  'openid',
  'profile',
  'email',
  'roles',
  'web-origins',
  'acr',
  'basic',
  'address',
  'phone',
]

/** What every token has without asking. */
const DEFAULT_SCOPES = ['profile', 'email']

/** The scope of a token, from the scope that was asked for. */
export function grantedScope(requested: string | undefined): string {
  const asked = (requested ?? '').split(' ').filter((scope) => scope !== '')
  // `roles` and its like shape the token, but Keycloak does not name them in its scope.
  const named = asked.filter((scope) => ['openid', 'address', 'phone'].includes(scope))
  return [...new Set([...named, ...DEFAULT_SCOPES])].join(' ')
}

/** Claims of a token that a client got for itself: its service account. */
export function clientClaims(client: Client): Readonly<Record<string, unknown>> {
  return {
    sub: `service-account-${client.clientId}`,
    ...roleClaims(client.roles, client.clientRoles),
    email_verified: false,
    preferred_username: `service-account-${client.clientId}`,
    client_id: client.clientId,
  }
}

/** Claims of a user's token for a client, with the roles that the client may see (interface 5.7). */
export function userClaims(user: User, client: Client): Readonly<Record<string, unknown>> {
  const visible = (roles: readonly string[]) =>
    roles.filter((role) => client.scopeRoles?.includes(role) ?? true)
  const byClient = Object.fromEntries(
    Object.entries(user.clientRoles).map(([name, roles]) => [name, visible(roles)] as const),
  )
  return {
    ...profileClaims(user),
    ...roleClaims(visible(user.roles), byClient),
  }
}

/** Who a user is, for access tokens, ID tokens and userinfo alike. */
export function profileClaims(user: User): Readonly<Record<string, unknown>> {
  const names = [user.givenName, user.familyName].filter((name) => name !== null)
  return {
    sub: user.id,
    email_verified: false,
    preferred_username: user.username,
    ...(names.length === 0 ? {} : { name: names.join(' ') }),
    ...(user.givenName === null ? {} : { given_name: user.givenName }),
    ...(user.familyName === null ? {} : { family_name: user.familyName }),
    ...(user.email === null ? {} : { email: user.email }),
  }
}

function roleClaims(
  roles: readonly string[],
  byClient: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, unknown>> {
  const access = Object.entries(byClient).map(([name, held]) => [name, { roles: held }])
  return {
    realm_access: { roles },
    ...(access.length === 0 ? {} : { resource_access: Object.fromEntries(access) }),
  }
}
