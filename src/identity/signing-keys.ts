import { createLocalJWKSet, errors } from 'jose'
import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import type { Queryable } from '../storage/database.ts'
import { ALGORITHM, hasKey, loadKeys, makeKey } from './store-keys.ts'
import type { SigningKeys } from './store-keys.ts'

/** The keys as stored, shared by all nodes. */
export type KeyStore = {
  /** The keys as stored at most five seconds ago. The same object as long as they are the same. */
  readonly current: () => Promise<SigningKeys>
  /** Finds the public key of a token, for `tokenVerifier`; no HTTP is involved. */
  readonly resolve: JWTVerifyGetKey
}

type Deps = { readonly database: Queryable; readonly now: () => Date }

const KEPT = 5_000
/** An unknown key id makes us look again, but not more often than this. */
const COOLDOWN = 5_000

/** Opens the stored keys; where none is in use, as at the first start, it makes one. */
export async function openKeyStore({ database, now }: Deps): Promise<KeyStore> {
  if (!(await hasKey(database))) await makeKey(database, now())
  let stored = await loadKeys(database, now())
  let find = createLocalJWKSet(toPublic(stored))
  let read = now().getTime()

  const olderThan = (age: number) => now().getTime() - read >= age
  const reload = async () => {
    read = now().getTime()
    const found = await loadKeys(database, now())
    // A store without keys would be a fault, not a reason to refuse every token.
    if (found.keys.length === 0 || kids(found) === kids(stored)) return
    stored = found
    find = createLocalJWKSet(toPublic(found))
  }

  return {
    current: async () => {
      if (olderThan(KEPT)) await reload()
      return stored
    },
    resolve: async (header, token) => {
      try {
        return await find(header, token)
      } catch (error) {
        // Another node may have made a new key.
        if (!(error instanceof errors.JWKSNoMatchingKey) || !olderThan(COOLDOWN)) throw error
        await reload()
        return await find(header, token)
      }
    },
  }
}

/** Nothing but the public members of each key (RFC 7518, section 6.3.1). */
function toPublic({ keys }: SigningKeys): JSONWebKeySet {
  const publicKeys: JWK[] = keys.map(({ kid = '', n = '', e = '' }) => ({
    kty: 'RSA',
    kid,
    n,
    e,
    alg: ALGORITHM,
    use: 'sig',
  }))
  return { keys: publicKeys }
}

function kids({ keys }: SigningKeys): string {
  return keys.map(({ kid }) => kid).join(' ')
}
