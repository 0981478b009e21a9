import type { Client, User } from './account.ts'
import type { Accounts } from './accounts.ts'
import { tokenError } from './token-error.ts'

/** Lifetimes of interface 5.5, in seconds. */
export const ACCESS_TOKEN = 300
export const SESSION_MAXIMUM = 36_000
export const SESSION_IDLE = 7_200

type Limits = {
  /** When the session began and what time it is, seconds since 1970. */
  readonly began: number
  readonly now: number
  /** The client's own limit, if it has one. */
  readonly client: number | null
}

/** How long a refresh token lives: the smallest of session maximum, idle time and client limit. */
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

/** What every token has without asking. */
const DEFAULT_SCOPES = ['profile', 'email']

/** The scope of a token, from the scope that was requested. */
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

type Credentials = { readonly clientId: string; readonly secret: string }

/**
 * Who a client says it is, by HTTP Basic or in the form (RFC 6749, section 2.3.1), for the endpoints
 * that are not oidc-provider's.
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

/** Whether a client means to prove itself by HTTP Basic, well or badly. */
export function isBasic({ authorization = '' }: Headers): boolean {
  return /^basic( |$)/i.test(authorization)
}

/** The bearer token of a request. */
export function bearerOf(headers: Headers) {
  return /^bearer +(?<token>\S+) *$/i.exec(headers.authorization ?? '')?.groups?.['token']
}

/** The client, when its secret is right. */
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
 * The client of the request: by its secret, or by its name alone if it has none.
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

/** Both parts are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function readBasic(text: string): Credentials | undefined {
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(formDecoded)
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? ''
}
