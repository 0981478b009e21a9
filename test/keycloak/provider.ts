import { credentialsOf, users } from './accounts.ts'

/** A running token service with the accounts of this folder. */
export type TokenProvider = {
  readonly kind: 'embedded' | 'keycloak'
  readonly issuer: string
  /** Makes a new key sign. What the old one signed stays good. Returns when new tokens have the new key. */
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

/** Answers without a body, or whose body is not an object, have no members. */
export async function membersOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text()
  if (!text.startsWith('{')) return {}
  const found: unknown = JSON.parse(text)
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

/** The answer to a client that requests a token of its own. */
export function clientTokens(provider: TokenProvider, clientId: string): Promise<Answer> {
  const grant = { grant_type: 'client_credentials', scope: 'openid' }
  return post(provider, { ...grant, ...credentialsOf(clientId) })
}

/** The answer to a user who logs in by the password flow. */
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

/** The answer to a client that renews its tokens. */
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
