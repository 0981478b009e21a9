import { calculateJwkThumbprint, createLocalJWKSet, errors, exportJWK, generateKeyPair } from 'jose'
import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'

/** The private keys of the token service, the one that signs first; replaced as a whole. */
export type SigningKeys = { readonly keys: readonly JWK[] }

/** The keys as stored, shared by all nodes. */
export type KeyStore = {
  /** The keys as stored at most a minute ago. The same object as long as they are the same. */
  readonly current: () => Promise<SigningKeys>
  /** Finds the public key of a token, for `tokenVerifier`; no HTTP is involved. */
  readonly resolve: JWTVerifyGetKey
}

type Deps = { readonly database: Queryable; readonly now: () => Date }

const ALGORITHM = 'RS256'
const KEPT = 60_000
/** An unknown key id makes us look again, but not more often than this. */
const COOLDOWN = 5_000

/** Opens the stored keys; where none is in use, as at the first start, it makes one. */
export async function openKeyStore({ database, now }: Deps): Promise<KeyStore> {
  if (await lacksKey(database)) await makeKey(database)
  let stored = await loadKeys(database)
  let find = createLocalJWKSet(toPublic(stored))
  let read = now().getTime()

  const olderThan = (age: number) => now().getTime() - read >= age
  const reload = async () => {
    read = now().getTime()
    const found = await loadKeys(database)
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

async function lacksKey(database: Queryable): Promise<boolean> {
  const found = await database.query(sql`select from identity_key where retired is null`)
  return found.length === 0
}

/** Of several that do this at the same moment, the one whose insert comes first makes the key of all. */
async function makeKey(database: Queryable): Promise<void> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const complete = { ...jwk, kid, alg: ALGORITHM, use: 'sig' }
  await database.execute(sql`
    insert into identity_key (kid, private_jwk) values (${kid}, ${JSON.stringify(complete)}::jsonb)
    on conflict do nothing`)
}

async function loadKeys(database: Queryable): Promise<SigningKeys> {
  const rows = await database.query<{ jwk: string }>(sql`
    select private_jwk::text as jwk from identity_key
    order by retired desc nulls first, created desc`)
  return { keys: rows.map(({ jwk }) => toJwk(jwk)) }
}

function toJwk(text: string): JWK {
  const jwk: unknown = JSON.parse(text)
  if (typeof jwk !== 'object' || jwk === null || !('kty' in jwk) || jwk.kty !== 'RSA') {
    throw new Error('A row of identity_key holds no RSA key (RFC 7517).')
  }
  return { ...jwk, kty: 'RSA' }
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
