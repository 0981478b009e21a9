import { createRemoteJWKSet, customFetch, errors } from 'jose'
import type { JWTVerifyGetKey } from 'jose'
import { providerUnreachable } from './identity-provider.ts'
import type { Discover } from './identity-provider.ts'

type Deps = {
  readonly discover: Discover
  readonly fetch: typeof fetch
  readonly now: () => Date
}

const TIMEOUT = 1_000
/** An unknown key id makes us ask again, but not more often than this, whatever callers send. */
const COOLDOWN = 30_000
/** Keys are renewed in the background, so that a slow provider delays no request. */
const RENEWAL = 600_000

/**
 * The public keys of an external issuer, kept and renewed.
 * The returned function throws AppError HUB-ACC-004 when there are no keys to be had.
 */
export function remoteKeys(deps: Deps): JWTVerifyGetKey {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined
  let renewed = deps.now().getTime()

  const renew = (set: ReturnType<typeof createRemoteJWKSet>) => {
    const now = deps.now().getTime()
    if (now - renewed < RENEWAL) return
    renewed = now
    set.reload().catch(() => undefined)
  }

  return async (header, token) => {
    keys ??= await open(deps)
    renew(keys)
    try {
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error
      if (error instanceof errors.JWKSMultipleMatchingKeys) throw error
      if (error instanceof errors.JOSENotSupported) throw error
      throw providerUnreachable(error)
    }
  }
}

async function open({ discover, fetch }: Deps) {
  const { jwks_uri } = await discover()
  return createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: TIMEOUT,
    cooldownDuration: COOLDOWN,
    cacheMaxAge: Infinity,
    [customFetch]: (url, options) => fetch(url, options),
  })
}
