import { createRemoteJWKSet, customFetch, errors } from 'jose'
import type { JWTVerifyGetKey } from 'jose'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'
import { deadline } from '../async/index.ts'

/**
 * The metadata of an external identity provider that the hub uses (OpenID Connect Discovery 1.0,
 * section 3).
 */
export type ProviderMetadata = { readonly jwks_uri: string; readonly token_endpoint: string }

/** Fetches the metadata of the provider once. A failure is not cached. */
export type Discover = () => Promise<ProviderMetadata>

type Deps = { readonly issuer: string; readonly fetch: typeof fetch }

const metadata = Type.Object({
  jwks_uri: Type.String(),
  token_endpoint: Type.String(),
})

/**
 * Milliseconds until a request to the provider is aborted. Callers wait less, but benefit from a
 * late response.
 */
const TIMEOUT = 10_000

/**
 * Milliseconds that a caller waits for the provider. A request may wait once for keys and once for
 * a decision: less than two seconds in all.
 */
const PATIENCE = 900

/**
 * Waits a short time for a response of the provider. A late response is still awaited in the
 * background, even if the request that needed it has been answered. @throws AppError HUB-ACC-004
 */
export async function waitForProvider<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = () => new Error(`No answer within ${PATIENCE} ms`)
  try {
    return await deadline(answer, PATIENCE, late)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw providerUnreachable(cause)
  }
}

/**
 * Lets concurrent callers share one attempt. Once an attempt has hung for `PATIENCE` ms, the next
 * caller starts another, but its result still counts if it succeeds in the end.
 */
function sharedAttempt<Found>(attempt: () => Promise<Found>): () => Promise<Found> {
  let current: Promise<Found> | undefined
  return () => {
    if (current !== undefined) return current
    const mine = attempt()
    const forget = () => {
      if (current === mine) current = undefined
    }
    current = mine
    setTimeout(forget, PATIENCE).unref()
    mine.then(forget, forget)
    return mine
  }
}

/** Fetches `<issuer>/.well-known/openid-configuration`. @throws AppError HUB-ACC-004 */
export function discoverProvider({ issuer, fetch }: Deps): Discover {
  const address = `${issuer}/.well-known/openid-configuration`
  const ask = async () => {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) })
    const found: unknown = response.ok ? await response.json() : undefined
    if (Check(metadata, found)) return found
    throw new Error(`${address} answered ${String(response.status)} without usable metadata`)
  }
  let known: ProviderMetadata | undefined
  const attempt = sharedAttempt(async () => {
    try {
      known = await ask()
      return known
    } catch (cause) {
      throw providerUnreachable(cause)
    }
  })
  return async () => known ?? (await attempt())
}

type KeyDeps = {
  readonly discover: Discover
  readonly fetch: typeof fetch
  readonly now: () => Date
}

/** Finds the public key of a token. */
export type KeySource = JWTVerifyGetKey & {
  /**
   * Returns a value that changes with the keys. A token verified by earlier keys must be verified
   * again.
   */
  readonly version?: () => unknown
}

type KeySet = ReturnType<typeof createRemoteJWKSet>

/**
 * Minimum milliseconds between two fetches caused by tokens of unknown keys. Such a token triggers
 * a fetch because the provider may have a new key, but callers cannot cause more fetches than this.
 * The first fetch and renewals do not count.
 */
const COOLDOWN = 5_000
/**
 * Milliseconds after which keys are renewed, in the background, so that a slow provider delays no
 * request.
 */
const RENEWAL = 60_000

/**
 * Returns the public keys of an external issuer, cached and renewed. If the provider fails, the
 * last keys stay in use. The returned function throws AppError HUB-ACC-004 if no keys are
 * available.
 */
export function remoteKeys(deps: KeyDeps): KeySource {
  const set = openKeySet(deps)

  const resolve: JWTVerifyGetKey = async (header, token) => {
    const search = async () => {
      const keys = await set.open()
      set.renew()
      if (!(await hasKey(keys(header, token)))) await set.lookAgain(keys)
      return keys
    }
    const keys = await waitForProvider(search())
    return await keys(header, token)
  }

  return Object.assign(resolve, {
    version: () => {
      set.renew()
      return set.version()
    },
  })
}

/** Returns the keys with the times of their requests. Concurrent callers share one request. */
function openKeySet({ discover, fetch, now }: KeyDeps) {
  let keys: KeySet | undefined
  let version: unknown
  let renewed = 0
  let looked = -Infinity
  /**
   * The outcome of the last fetch for an unknown key. Until the next one, its failure applies to
   * every caller.
   */
  let look = Promise.resolve()

  const load = async (found: KeySet) => {
    renewed = now().getTime()
    await found.reload()
    keys = found
    version = kidsOf(found)
    return found
  }
  const open = sharedAttempt(async () => {
    const { jwks_uri } = await discover()
    return await load(keySetAt(jwks_uri, fetch))
  })

  return {
    version: () => version,
    open: async () => keys ?? (await open()),
    renew: () => {
      if (keys === undefined || now().getTime() - renewed < RENEWAL) return
      load(keys).catch(() => undefined)
    },
    lookAgain: (found: KeySet) => {
      if (now().getTime() - looked >= COOLDOWN) {
        looked = now().getTime()
        look = load(found).then(() => undefined)
        look.catch(() => undefined)
      }
      return look
    },
  }
}

/**
 * Reports whether the keys include that of the token. For any other fault of a token, new keys
 * would not help.
 */
async function hasKey(found: ReturnType<KeySet>): Promise<boolean> {
  try {
    await found
    return true
  } catch (error) {
    return !(error instanceof errors.JWKSNoMatchingKey)
  }
}

/**
 * Creates a key set in which jose parses, validates and searches the keys. When to fetch is decided
 * by the caller.
 */
function keySetAt(address: string, fetch: KeyDeps['fetch']): KeySet {
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT,
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
    [customFetch]: (url, options) => fetch(url, options),
  })
}

/** Returns a text that is equal for sets of the same keys. */
function kidsOf(set: KeySet): string {
  const keys = set.jwks()?.keys ?? []
  return JSON.stringify(keys.map(({ kid, n, x, y }) => [kid, n, x, y]).sort())
}

/**
 * Returns the error for an unreachable provider. The token was neither accepted nor rejected, so
 * the caller may retry.
 */
export function providerUnreachable(cause: unknown): AppError {
  return new AppError('HUB-ACC-004', 'The identity provider does not answer.', {
    headers: { 'retry-after': '5' },
    hint: 'The token was not checked. Send the same request again in a few seconds.',
    cause,
  })
}
