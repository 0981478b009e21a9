import { calculateJwkThumbprint, createLocalJWKSet, errors, exportJWK, generateKeyPair } from 'jose'
import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import { sql } from '../sql/index.ts'
import type { Queryable, Secrets, Transaction } from '../storage/index.ts'
import { SESSION_MAXIMUM } from './client-credentials.ts'
import { storeRevocation } from './revocations.ts'

/**
 * The private keys of the token service, the signing key first. The object is replaced as a whole.
 */
export type SigningKeys = { readonly keys: readonly JWK[] }

type KeyFacts = {
  readonly kid: string
  readonly state: 'signs' | 'verifies' | 'expired'
  readonly created: Date
  readonly retired: Date | null
}

const ALGORITHM = 'RS256'

/**
 * Milliseconds for which a retired key still verifies: until all tokens that it signed are
 * obsolete. These are access tokens, and ID tokens, which identify the user at logout for as long
 * as the session may last.
 */
const VERIFIES = (SESSION_MAXIMUM + 3_600) * 1000

/** Milliseconds before a new key signs: longer than any node takes to load it. */
const SETTLES = 30_000

async function hasKey(database: Queryable): Promise<boolean> {
  const found = await database.query(sql`select from identity_key where retired is null`)
  return found.length > 0
}

type Making = { readonly now: Date; readonly secrets: Secrets }

/**
 * Creates and stores a key. If several nodes do so concurrently, the first insert wins and all of
 * them use its key.
 */
async function makeKey(database: Queryable, { now, secrets }: Making): Promise<string> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const complete = { ...jwk, kid, alg: ALGORITHM, use: 'sig' }
  await database.execute(sql`
    insert into identity_key (kid, private_jwk, created)
    values (${kid}, ${secrets.seal(JSON.stringify(complete))}, ${now})
    on conflict do nothing`)
  return kid
}

/**
 * Creates a new signing key. With `keep`, tokens signed so far stay valid until they expire; with
 * `distrust`, a private key has leaked, so nothing that an earlier key signed is trusted.
 * @returns ids of the key that was added and of those that were removed
 */
export async function rotateKeys(
  tx: Transaction,
  earlier: 'keep' | 'distrust',
  { now, secrets }: Making,
): Promise<{ readonly added: string; readonly removed: readonly string[] }> {
  await tx.execute(sql`update identity_key set retired = ${now} where retired is null`)
  const unwanted = earlier === 'distrust' ? sql`true` : sql`retired < ${oldest(now)}`
  const gone = await tx.query<{ kid: string }>(
    sql`delete from identity_key where ${unwanted} returning kid`,
  )
  for (const { kid } of gone) await storeRevocation(tx, { kind: 'key', id: kid }, now)
  return { added: await makeKey(tx, { now, secrets }), removed: gone.map(({ kid }) => kid) }
}

/**
 * Loads the signing key, followed by the other keys that verify. A new key signs only when every
 * node has had time to load it, so that no node receives a token that it cannot verify.
 */
async function loadKeys(database: Queryable, { now, secrets }: Making): Promise<SigningKeys> {
  const rows = await database.query<{ jwk: string }>(sql`
    select private_jwk as jwk from identity_key
    where ${isTrusted(now)} order by ${signingFirst(now)}`)
  return { keys: rows.map(({ jwk }) => toJwk(secrets.open(jwk))) }
}

const isTrusted = (now: Date) => sql`(retired is null or retired >= ${oldest(now)})`

const signingFirst = (now: Date) => sql`
  created <= ${new Date(now.getTime() - SETTLES)} desc, retired desc nulls first, created desc`

/** Returns all keys, newest first, without anything private. */
export async function listKeys(database: Queryable, now: Date): Promise<readonly KeyFacts[]> {
  return await database.query<KeyFacts>(sql`
    select kid, created, retired,
      case when not ${isTrusted(now)} then 'expired'
        when row_number() over (order by ${isTrusted(now)} desc, ${signingFirst(now)}) = 1
          then 'signs'
        else 'verifies' end as state
    from identity_key order by retired desc nulls first, created desc`)
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - VERIFIES)
}

function toJwk(text: string): JWK {
  const jwk: unknown = JSON.parse(text)
  if (typeof jwk !== 'object' || jwk === null || !('kty' in jwk) || jwk.kty !== 'RSA') {
    throw new Error('A row of identity_key holds no RSA key (RFC 7517).')
  }
  return { ...jwk, kty: 'RSA' }
}

/** The stored keys, shared by all nodes. */
export type KeyStore = {
  /**
   * Returns the keys, at most five seconds behind the database. The object stays the same while the
   * keys do.
   */
  readonly current: () => Promise<SigningKeys>
  readonly refresh: () => Promise<void>
  /** Finds the public key of a token, for `tokenVerifier`, without an HTTP request. */
  readonly resolve: JWTVerifyGetKey
}

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly secrets: Secrets
}

const KEPT = 5_000
/** Minimum milliseconds between two reloads caused by unknown key ids. */
const COOLDOWN = 5_000

/** Opens the stored keys. If no key is in use, as at the first start, creates one. */
export async function openKeyStore({ database, now, secrets }: Deps): Promise<KeyStore> {
  if (!(await hasKey(database))) await makeKey(database, { now: now(), secrets })
  const load = () => loadKeys(database, { now: now(), secrets })
  let stored = await load()
  let find = createLocalJWKSet(toPublic(stored))
  let read = now().getTime()

  const olderThan = (age: number) => now().getTime() - read >= age
  const reload = async () => {
    read = now().getTime()
    const found = await load()
    // No keys at all would be a fault, not a reason to reject every token.
    if (found.keys.length === 0 || kids(found) === kids(stored)) return
    stored = found
    find = createLocalJWKSet(toPublic(found))
  }

  return {
    refresh: reload,
    current: async () => {
      if (olderThan(KEPT)) await reload()
      return stored
    },
    resolve: async (header, token) => {
      try {
        return await find(header, token)
      } catch (error) {
        // Another node may have created a new key.
        if (!(error instanceof errors.JWKSNoMatchingKey) || !olderThan(COOLDOWN)) throw error
        await reload()
        return await find(header, token)
      }
    },
  }
}

/** Returns only the public fields of each key (RFC 7518, section 6.3.1). */
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
