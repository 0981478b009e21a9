import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'
import { providerUnreachable, waitForProvider } from './identity-provider.ts'
import type { Discover } from './identity-provider.ts'
import type { Verified } from './principal.ts'
import { challenge } from './principal.ts'

/** Decides who may push where. `path` is `/<provider>/<dataset>`, decoded (interface 5.10). */
export type PushPermission = {
  /**
   * Reports whether the principal may push to the path.
   * @throws AppError HUB-ACC-002 or HUB-ACC-004 if an external provider causes it (decision D52)
   */
  readonly mayPush: (principal: Verified, path: string) => Promise<boolean>
  /**
   * Returns the patterns of all permitted paths, or undefined if only an external provider knows
   * them.
   */
  readonly pathsOf: (principal: Verified) => readonly string[] | undefined
  /**
   * Returns the holder of the permission by which the principal pushes to the path. Messages are
   * stored under it as their sender.
   */
  readonly senderOf: (principal: Verified, path: string) => string
}

const personPrefix = 'user:'

/**
 * Returns the name under which a person holds push permissions. User names are case-insensitive.
 */
export function personHolder(name: string): string {
  return `${personPrefix}${name.toLowerCase()}`
}

/** Reports whether a name is that of a person (`personHolder`), which no client may have. */
export function isPersonHolder(name: string): boolean {
  return name.startsWith(personPrefix)
}

/**
 * Returns the names under which a principal may hold push permissions: its client, and the person
 * that the token was issued to. A client cannot pass for a person by an id such as `user:ada`,
 * which callers of the development client can choose.
 */
export function holdersOf({ client, name }: Verified): readonly string[] {
  const isService = name.toLowerCase() === `service-account-${client}`.toLowerCase()
  return [...(isPersonHolder(client) ? [] : [client]), ...(isService ? [] : [personHolder(name)])]
}

type Deps = {
  readonly discover: Discover
  /** Client id of the resource server that holds the permissions (`HUB_PUSH_AUDIENCE`). */
  readonly audience: string
  readonly fetch: typeof fetch
  readonly now: () => Date
}

type Decision = { readonly answer: Promise<boolean>; readonly until: number }

/**
 * Milliseconds until a request to the provider is aborted. Callers wait less, and get a late
 * response when they retry.
 */
const TIMEOUT = 3_000
const KEPT = 60_000
/** Bound of the cache in characters of tokens and paths. */
const CACHED_CHARACTERS = 8_000_000

const granted = Type.Object({ result: Type.Literal(true) })
const badToken = Type.Object({ error: Type.Literal('invalid_grant') })

/**
 * Decides by asking the identity provider on the bearer's behalf (User-Managed Access, grant for
 * OAuth 2.0, section 3.3.1, with Keycloak's decision mode). A decision is cached for a minute per
 * token and path; concurrent callers share one request. A failure is not cached.
 */
export function umaPushPermission(deps: Deps): PushPermission {
  const decisions = new LRUCache<string, Decision>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  })
  return {
    pathsOf: () => undefined,
    senderOf: (principal) => holdersOf(principal)[0] ?? principal.subject,
    mayPush: async (principal, path) => {
      const key = `${principal.token} ${path}`
      const now = deps.now().getTime()
      const known = decisions.get(key)
      if (known !== undefined && now < known.until) return await waitForProvider(known.answer)
      const decision = { answer: decide(principal, path, deps), until: now + KEPT }
      decisions.set(key, decision)
      decision.answer.catch(() => {
        if (decisions.get(key) === decision) decisions.delete(key)
      })
      return await waitForProvider(decision.answer)
    },
  }
}

async function decide(principal: Verified, path: string, deps: Deps): Promise<boolean> {
  const response = await ask(principal, path, deps)
  const { status } = response
  if (![200, 400, 401, 403].includes(status)) {
    throw providerUnreachable(new Error(`The decision request got ${String(status)}`))
  }
  const body: unknown = await response.json().catch((cause: unknown) => {
    // A refusal needs no JSON body, but a grant does.
    if (status === 200) throw providerUnreachable(cause)
  })
  // Keycloak rejects an invalid token with 401, and from version 26.7 with 400.
  if (status === 401 || (status === 400 && Check(badToken, body))) throw refused()
  return status === 200 && Check(granted, body)
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

/**
 * Returns the error for a token that the provider rejects although its signature is valid: the
 * session may have ended.
 */
function refused(): AppError {
  const rejected = 'The identity provider does not accept the token'
  return new AppError('HUB-ACC-002', `${rejected}.`, {
    headers: { 'www-authenticate': challenge({ kind: 'anonymous', rejected }) ?? '' },
    hint: 'Get a new token from the token endpoint.',
  })
}
