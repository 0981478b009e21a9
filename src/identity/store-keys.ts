import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { JWK } from 'jose'
import { sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/database.ts'
import { SESSION_MAXIMUM } from './lifetimes.ts'
import { storeRevocation } from './store-revocation.ts'

/** The private keys of the token service, the one that signs first; replaced as a whole. */
export type SigningKeys = { readonly keys: readonly JWK[] }

/** What may be told about a key. */
export type KeyFacts = {
  readonly kid: string
  readonly state: 'signs' | 'verifies' | 'expired'
  readonly created: Date
  readonly retired: Date | null
}

export const ALGORITHM = 'RS256'

/**
 * A retired key verifies until all that it signed is over: access tokens, and ID tokens, which say
 * who logs out as long as the session may last.
 */
const VERIFIES = (SESSION_MAXIMUM + 3_600) * 1000

/** Longer than any node goes without looking for new keys. */
const SETTLES = 30_000

export async function hasKey(database: Queryable): Promise<boolean> {
  const found = await database.query(sql`select from identity_key where retired is null`)
  return found.length > 0
}

/** Of several that do this at the same moment, the one whose insert comes first makes the key of all. */
export async function makeKey(database: Queryable, now: Date): Promise<void> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const complete = { ...jwk, kid, alg: ALGORITHM, use: 'sig' }
  await database.execute(sql`
    insert into identity_key (kid, private_jwk, created)
    values (${kid}, ${JSON.stringify(complete)}::jsonb, ${now})
    on conflict do nothing`)
}

/**
 * Makes a new key sign. `keep`: tokens signed so far stay good until they expire; `distrust`: a
 * private key has leaked, so nothing that was signed with an earlier one is believed.
 */
export async function rotateKeys(
  database: Database,
  earlier: 'keep' | 'distrust',
  now: Date,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`update identity_key set retired = ${now} where retired is null`)
    const unwanted = earlier === 'distrust' ? sql`true` : sql`retired < ${oldest(now)}`
    const gone = await tx.query<{ kid: string }>(
      sql`delete from identity_key where ${unwanted} returning kid`,
    )
    for (const { kid } of gone) await storeRevocation(tx, { kind: 'key', id: kid }, now)
    await makeKey(tx, now)
  })
}

/**
 * The key that signs first, then the others that verify. A new key waits until every node has had
 * the time to learn of it, so that no node meets a token that it cannot judge.
 */
export async function loadKeys(database: Queryable, now: Date): Promise<SigningKeys> {
  const rows = await database.query<{ jwk: string }>(sql`
    select private_jwk::text as jwk from identity_key
    where retired is null or retired >= ${oldest(now)}
    order by created <= ${new Date(now.getTime() - SETTLES)} desc, retired desc nulls first,
      created desc`)
  return { keys: rows.map(({ jwk }) => toJwk(jwk)) }
}

/** The keys, newest first, with nothing private. */
export async function listKeys(database: Queryable, now: Date): Promise<readonly KeyFacts[]> {
  return await database.query<KeyFacts>(sql`
    select kid, created, retired,
      case when retired is null then 'signs' when retired >= ${oldest(now)} then 'verifies'
        else 'expired' end as state
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
