import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'
import { providerUnreachable } from './identity-provider.ts'
import type { Discover } from './identity-provider.ts'
import type { Verified } from './principal.ts'
import type { PushPermission } from './push-permission.ts'
import { challenge } from './require.ts'

type Deps = {
  readonly discover: Discover
  /** Client id of the resource server that holds the permissions (`HUB_PUSH_AUDIENCE`). */
  readonly audience: string
  readonly fetch: typeof fetch
  readonly now: () => Date
}

type Decision = { readonly granted: boolean; readonly until: number }

const TIMEOUT = 2_000
const KEPT = 60_000
/** Bound of the cache in characters of tokens and paths. */
const CACHED_CHARACTERS = 8_000_000

const granted = Type.Object({ result: Type.Literal(true) })

/**
 * Asks the identity provider on the bearer's behalf (User-Managed Access, grant for OAuth 2.0,
 * section 3.3.1, with Keycloak's decision mode). A decision is kept for a minute per token and path.
 */
export function umaPushPermission(deps: Deps): PushPermission {
  const decisions = new LRUCache<string, Decision>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  })
  return {
    mayPush: async (principal, path) => {
      const key = `${principal.token} ${path}`
      const now = deps.now().getTime()
      const known = decisions.get(key)
      if (known !== undefined && now < known.until) return known.granted
      const decision = await decide(principal, path, deps)
      decisions.set(key, { granted: decision, until: now + KEPT })
      return decision
    },
  }
}

async function decide(principal: Verified, path: string, deps: Deps): Promise<boolean> {
  const response = await ask(principal, path, deps)
  if (response.status === 401) throw refused()
  if (response.status === 400 || response.status === 403) return false
  if (response.status !== 200) {
    throw providerUnreachable(new Error(`The decision request got ${String(response.status)}`))
  }
  const body: unknown = await response.json().catch((cause: unknown) => {
    throw providerUnreachable(cause)
  })
  return Check(granted, body)
}

async function ask({ token }: Verified, path: string, deps: Deps): Promise<Response> {
  const { token_endpoint } = await deps.discover()
  const { fetch } = deps
  try {
    return await fetch(token_endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
        audience: deps.audience,
        permission: path,
        permission_resource_format: 'uri',
        permission_resource_matching_uri: 'true',
        response_mode: 'decision',
        response_include_resource_name: 'true',
      }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    })
  } catch (cause) {
    throw providerUnreachable(cause)
  }
}

/** The provider knows better than the signature: the session may have ended. */
function refused(): AppError {
  const rejected = 'The identity provider does not accept the token'
  return new AppError('HUB-ACC-002', `${rejected}.`, {
    headers: { 'www-authenticate': challenge({ kind: 'anonymous', rejected }) ?? '' },
    hint: 'Get a new token from the token endpoint.',
  })
}
