/** What a login gave. It lives as long as the tab, in its memory and session storage. */
export type Tokens = {
  readonly access: string
  readonly refresh: string | undefined
  /** Proves at logout whose session is to end. */
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
    // Without storage a login lasts until the page is loaded anew.
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

/** Who a token is about. The hub checks tokens; the page only shows what stands in them. */
export type Person = { readonly name: string; readonly roles: readonly string[] }

/** The name and the roles in an access token as Keycloak and the hub write them. */
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

/** What has to be remembered while somebody is at the identity provider (RFC 7636, RFC 6749 10.12). */
type Pending = {
  readonly verifier: string
  readonly state: string
  /** Where to go on afterwards. */
  readonly returnTo: string
}

const pendingKey = 'hub.login'

/** It throws where the browser keeps nothing: without it a login cannot be finished. */
export function keepPending(pending: Pending): void {
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
}

/** It is good for one answer only. */
export function takePending(): Pending | undefined {
  const found = readPending()
  if (typeof found !== 'object' || found === null) return undefined
  if (!('verifier' in found && 'state' in found && 'returnTo' in found)) return undefined
  const { verifier, state, returnTo } = found
  return { verifier: String(verifier), state: String(state), returnTo: String(returnTo) }
}

/** What is not there, cannot be read or is not JSON is nothing. */
function readPending(): unknown {
  try {
    const text = sessionStorage.getItem(pendingKey)
    sessionStorage.removeItem(pendingKey)
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
