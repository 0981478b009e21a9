import { createRemoteJWKSet, customFetch, errors } from 'jose'
import type { JWTVerifyGetKey } from 'jose'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'
import { deadline } from '../async/index.ts'

/** What the hub needs to know of an external identity provider (OpenID Connect Discovery 1.0, section 3). */
export type ProviderMetadata = { readonly jwks_uri: string; readonly token_endpoint: string }

/** Asks the provider for its metadata, once; a failure is not kept. */
export type Discover = () => Promise<ProviderMetadata>

type Deps = { readonly issuer: string; readonly fetch: typeof fetch }

const metadata = Type.Object({
  jwks_uri: Type.String(),
  token_endpoint: Type.String(),
})

/** How long the provider may take; callers wait less, and profit from an answer that comes later. */
const TIMEOUT = 10_000

/** A request may wait for keys and then for a decision: less than two seconds together. */
const PATIENCE = 900

/**
 * What the provider answers, if it does so soon. Its answer is worth waiting for in the background
 * even when the request that wanted it has gone. @throws AppError HUB-ACC-004
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
 * Many who want the same share one attempt. One that hangs keeps nobody who comes later from another,
 * but where it succeeds in the end, what it found counts.
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

/** Reads `<issuer>/.well-known/openid-configuration`. @throws AppError HUB-ACC-004 */
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
  /** Changes when the keys do: what an earlier key has verified must be verified again. */
  readonly version?: () => unknown
}

type KeySet = ReturnType<typeof createRemoteJWKSet>

/**
 * A token of an unknown key triggers a fetch, because the provider may have a new one, but not more often
 * than this, regardless of what callers send. The first keys and renewals do not count.
 */
const COOLDOWN = 5_000
/** Keys are renewed in the background, so that a slow provider delays no request. */
const RENEWAL = 60_000

/**
 * The public keys of an external issuer, kept and renewed. When the provider fails, the last ones
 * stay. The returned function throws AppError HUB-ACC-004 when no keys are available.
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

/** The keys with the times at which they were requested. Requests that want the same share one question. */
function openKeySet({ discover, fetch, now }: KeyDeps) {
  let keys: KeySet | undefined
  let version: unknown
  let renewed = 0
  let looked = -Infinity
  /** How the last look went; until the next one a failure is everybody's. */
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

/** Whatever else may be wrong with a token, no other key would mend. */
async function hasKey(found: ReturnType<KeySet>): Promise<boolean> {
  try {
    await found
    return true
  } catch (error) {
    return !(error instanceof errors.JWKSNoMatchingKey)
  }
}

/** jose reads, checks and searches the set; when to fetch it is decided here. */
function keySetAt(address: string, fetch: KeyDeps['fetch']): KeySet {
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT,
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
    [customFetch]: (url, options) => fetch(url, options),
  })
}

/** Two sets of the same keys give the same text. */
function kidsOf(set: KeySet): string {
  const keys = set.jwks()?.keys ?? []
  return JSON.stringify(keys.map(({ kid, n, x, y }) => [kid, n, x, y]).sort())
}

/** The provider does not answer: the caller may try again, and has neither passed nor failed. */
export function providerUnreachable(cause: unknown): AppError {
  return new AppError('HUB-ACC-004', 'The identity provider does not answer.', {
    headers: { 'retry-after': '5' },
    hint: 'The token was not checked. Send the same request again in a few seconds.',
    cause,
  })
}
