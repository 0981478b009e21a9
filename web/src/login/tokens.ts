/** Tokens of a login. They live as long as the tab, in its memory and session storage. */
export type Tokens = {
  readonly access: string
  readonly refresh: string | undefined
  /** ID token, which identifies the session at logout. */
  readonly id: string | undefined
  /** Milliseconds since 1970. */
  readonly expires: number
}

const kept = 'hub.tokens'

export function keepTokens(tokens: Tokens | undefined): void {
  try {
    if (tokens === undefined) sessionStorage.removeItem(kept)
    else sessionStorage.setItem(kept, JSON.stringify(tokens))
  } catch {
    // Without storage, the login lasts until the page is reloaded.
  }
}

export function findTokens(): Tokens | undefined {
  try {
    return toTokens(JSON.parse(sessionStorage.getItem(kept) ?? 'null'))
  } catch {
    return undefined
  }
}

function toTokens(found: unknown): Tokens | undefined {
  if (typeof found !== 'object' || found === null) return undefined
  if (!('access' in found) || typeof found.access !== 'string') return undefined
  if (!('expires' in found) || typeof found.expires !== 'number') return undefined
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    access: found.access,
    expires: found.expires,
    refresh: 'refresh' in found ? textOf(found.refresh) : undefined,
    id: 'id' in found ? textOf(found.id) : undefined,
  }
}

/** Subject of a token. The page only displays it; the hub verifies tokens. */
export type Person = { readonly name: string; readonly roles: readonly string[] }

/** Returns the name and the roles in an access token, as Keycloak and the hub write them. */
export function readPerson(token: string): Person {
  const claims = readClaims(token)
  const access = claims['realm_access']
  const roles =
    isObject(access) && Array.isArray(access['roles']) ? access['roles'].map(String) : []
  const named = [claims['preferred_username'], claims['name'], claims['sub']]
  return { name: named.find((name) => typeof name === 'string') ?? '', roles }
}

function readClaims(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.')
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(claims) ? claims : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** State to keep while the user is at the identity provider (RFC 7636, RFC 6749 10.12). */
type Pending = {
  readonly verifier: string
  readonly state: string
  /** URL to return to afterwards. */
  readonly returnTo: string
}

const pendingKey = 'hub.login'

/**
 * Stores the state of a login. Throws if storage is blocked, because the login could not be
 * finished.
 */
export function keepPending(pending: Pending): void {
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
}

/** Returns and removes the state of a login, since it is valid for one response only. */
export function takePending(): Pending | undefined {
  const found = readPending()
  if (typeof found !== 'object' || found === null) return undefined
  if (!('verifier' in found && 'state' in found && 'returnTo' in found)) return undefined
  const { verifier, state, returnTo } = found
  return { verifier: String(verifier), state: String(state), returnTo: String(returnTo) }
}

/** Returns undefined or null if there is no valid JSON in storage. */
function readPending(): unknown {
  try {
    const text = sessionStorage.getItem(pendingKey)
    sessionStorage.removeItem(pendingKey)
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
