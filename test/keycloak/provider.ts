import { credentialsOf, users } from './accounts.ts'

/** A running token service with the accounts of this folder. */
export type TokenProvider = {
  readonly kind: 'embedded' | 'keycloak'
  readonly issuer: string
  /**
   * Makes a new key sign, and returns when new tokens have it. Tokens signed with the old key
   * remain valid.
   */
  readonly rotateKeys: () => Promise<void>
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

type Form = Readonly<Record<string, string>> | readonly [string, string][]

/** Sends a form to an endpoint below `…/protocol/openid-connect/`. */
export async function post(
  { issuer }: TokenProvider,
  form: Form,
  { path = 'token', ...headers }: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`${issuer}/protocol/openid-connect/${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  return { status: response.status, headers: response.headers, body: await membersOf(response) }
}

/** Returns the members of a response; none if it has no body or the body is not an object. */
export async function membersOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text()
  if (!text.startsWith('{')) return {}
  const found: unknown = JSON.parse(text)
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

/** Requests a token for a client itself. */
export function clientTokens(provider: TokenProvider, clientId: string): Promise<Answer> {
  const grant = { grant_type: 'client_credentials', scope: 'openid' }
  return post(provider, { ...grant, ...credentialsOf(clientId) })
}

/** Logs a user in by the password flow. */
export function userTokens(
  provider: TokenProvider,
  clientId: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const [{ username, password } = { username: '', password: '' }] = users
  const login = { grant_type: 'password', scope: 'openid', username, password }
  return post(provider, { ...login, ...credentialsOf(clientId), ...changes })
}

export async function clientToken(provider: TokenProvider, clientId: string): Promise<string> {
  return String((await clientTokens(provider, clientId)).body['access_token'])
}

/** Refreshes the tokens of a client. */
export function refreshed(
  provider: TokenProvider,
  clientId: string,
  refreshToken: unknown,
): Promise<Answer> {
  const refresh = { grant_type: 'refresh_token', refresh_token: String(refreshToken) }
  return post(provider, { ...refresh, ...credentialsOf(clientId) })
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}
