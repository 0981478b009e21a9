import type { Client, User } from './account.ts'
import type { Accounts } from './accounts.ts'
import { tokenError } from './token-error.ts'

/** Lifetimes of interface 5.5, in seconds. */
export const ACCESS_TOKEN = 300
export const SESSION_MAXIMUM = 36_000
export const SESSION_IDLE = 7_200

type Limits = {
  /** Start of the session and the current time, in seconds since 1970. */
  readonly began: number
  readonly now: number
  /** The client's own limit in seconds, if it has one. */
  readonly client: number | null
}

/**
 * Returns the lifetime of a refresh token in seconds: the smallest of the time left in the session,
 * the idle time and the client's limit.
 */
export function refreshLifetime({ began, now, client }: Limits): number {
  const remaining = began + SESSION_MAXIMUM - now
  return Math.max(1, Math.min(remaining, SESSION_IDLE, client ?? Infinity))
}

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

/** Scopes that every token has without a request. */
const DEFAULT_SCOPES = ['profile', 'email']

/** Returns the scope of a token for the requested scope. */
export function grantedScope(requested: string | undefined): string {
  const asked = (requested ?? '').split(' ').filter((scope) => scope !== '')
  // Other scopes, such as `roles`, shape the token, but Keycloak does not list them in its scope.
  const named = asked.filter((scope) => ['openid', 'address', 'phone'].includes(scope))
  return [...new Set([...named, ...DEFAULT_SCOPES])].join(' ')
}

/** Returns the claims of a token that a client got for itself, for its service account. */
export function clientClaims(client: Client): Readonly<Record<string, unknown>> {
  return {
    sub: `service-account-${client.clientId}`,
    ...roleClaims(client.roles, client.clientRoles),
    email_verified: false,
    preferred_username: `service-account-${client.clientId}`,
    client_id: client.clientId,
  }
}

/** Returns the claims of a user's token, with the roles that the client may see (interface 5.7). */
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

/** Returns the claims that identify a user in access tokens, ID tokens and userinfo. */
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

type Credentials = { readonly clientId: string; readonly secret: string }

/**
 * Returns the credentials that a client sends by HTTP Basic or in the form (RFC 6749, section
 * 2.3.1), for the endpoints that oidc-provider does not handle.
 */
export function readCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): Credentials | undefined {
  const basic = /^basic +(?<coded>[A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')
  const coded = basic?.groups?.['coded']
  if (coded !== undefined) return readBasic(Buffer.from(coded, 'base64').toString())
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  return clientId === null || secret === null ? undefined : { clientId, secret }
}

type Headers = { readonly authorization?: string | undefined }

/** Reports whether a client uses HTTP Basic, even if the header is malformed. */
export function isBasic({ authorization = '' }: Headers): boolean {
  return /^basic( |$)/i.test(authorization)
}

/** Returns the bearer token of a request. */
export function bearerOf(headers: Headers) {
  return /^bearer +(?<token>\S+) *$/i.exec(headers.authorization ?? '')?.groups?.['token']
}

/** Returns the client if its secret is right. */
export async function authenticateClient(
  {
    credentials,
    address,
  }: { readonly credentials: Credentials | undefined; readonly address: string },
  accounts: Accounts,
): Promise<Client | undefined> {
  if (credentials === undefined) return undefined
  const client = await accounts.findClient(credentials.clientId)
  if (client === undefined) return undefined
  const { secret } = credentials
  return (await accounts.checkClientSecret(client, { secret, address })) ? client : undefined
}

type Asking = {
  readonly authorization: string | undefined
  readonly form: URLSearchParams
  readonly address: string
}

/**
 * Returns the client of the request: authenticated by its secret, or identified by its id alone if
 * it is public.
 * @throws token error 401
 */
export async function requireClient(
  { authorization, form, address }: Asking,
  accounts: Accounts,
): Promise<Client> {
  const credentials = readCredentials(authorization, form)
  const proved = await authenticateClient({ credentials, address }, accounts)
  if (proved !== undefined) return proved
  const named = form.get('client_id')
  const known = named === null ? undefined : await accounts.findClient(named)
  if (known?.secret === null) return known
  throw tokenError(401, 'invalid_client', 'Invalid client or Invalid client credentials')
}

/**
 * Parses decoded HTTP Basic credentials. Both parts are form-encoded before they are joined (RFC
 * 6749, section 2.3.1).
 */
function readBasic(text: string): Credentials | undefined {
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(formDecoded)
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? ''
}
