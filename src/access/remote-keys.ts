import { createRemoteJWKSet, customFetch, errors } from 'jose'
import type { JWTVerifyGetKey } from 'jose'
import { sharedAttempt, waitForProvider } from './identity-provider.ts'
import type { Discover } from './identity-provider.ts'

type Deps = {
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

/** How long the provider may take; callers wait less, and profit from an answer that comes later. */
const TIMEOUT = 10_000
/**
 * A token of an unknown key makes us ask, for the provider may have a new one, but not more often
 * than this, whatever callers send. The first keys and renewals do not count.
 */
const COOLDOWN = 5_000
/** Keys are renewed in the background, so that a slow provider delays no request. */
const RENEWAL = 60_000

/**
 * The public keys of an external issuer, kept and renewed. When the provider fails, the last ones
 * stay. The returned function throws AppError HUB-ACC-004 when there are no keys to be had.
 */
export function remoteKeys(deps: Deps): KeySource {
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

/** The keys with the times at which they were asked for. Requests that want the same share one question. */
function openKeySet({ discover, fetch, now }: Deps) {
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

/** jose reads, checks and searches the set; when it is asked for is decided here. */
function keySetAt(address: string, fetch: Deps['fetch']): KeySet {
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
