import { LRUCache } from 'lru-cache'
import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Limit } from '../async/index.ts'
import { createLimit } from '../async/index.ts'
import { networkOf } from '../http/index.ts'
import { equalTexts } from '../lang/equal-texts.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Secret } from './account.ts'
import { tokenError, tooManyAttempts } from './token-error.ts'

const derive = promisify(argon2)

/** Cost of Argon2id by the OWASP password storage recommendation: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

// PHC string: $argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>, base64 without padding
const PHC =
  /^\$argon2id\$v=19\$m=(?<m>\d{1,7}),t=(?<t>\d{1,3}),p=(?<p>\d{1,3})\$(?<salt>[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9+/]+)$/

/** Hashes a secret or password for storage, off the event loop, as a PHC string. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', {
    ...COST,
    message: secret,
    nonce: salt,
    tagLength: HASH_BYTES,
  })
  const { memory, passes, parallelism } = COST
  const cost = `m=${String(memory)},t=${String(passes)},p=${String(parallelism)}`
  return `$argon2id$v=19$${cost}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Compares a secret with a stored hash, off the event loop. A text that is not a hash matches
 * nothing.
 */
export async function matchesHash(secret: string, stored: string): Promise<boolean> {
  const { m, t, p, salt, hash } = PHC.exec(stored)?.groups ?? {}
  if (salt === undefined || hash === undefined) return false
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive('argon2id', {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    message: secret,
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  })
  return timingSafeEqual(actual, expected)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** An attempt to authenticate. `account` is the name of a user or client, which may not exist. */
export type Attempt = {
  readonly kind: 'user' | 'client'
  readonly account: string
  readonly address: string
}

/** Slows down callers who guess secrets, without locking anyone else out for long. */
type Attempts = {
  /**
   * Returns the seconds, rounded up, for which the attempt is refused, whatever the secret; 0:
   * none.
   */
  readonly pause: (attempt: Attempt) => number
  readonly failed: (attempt: Attempt) => void
  /**
   * @returns whether this is the account's first success from this address, as far as this process
   * knows
   */
  readonly succeeded: (attempt: Attempt) => boolean
  /** Records a success from this address that another node or an earlier process saw. */
  readonly befriend: (attempt: Attempt) => void
}

type Failures = { readonly count: number; readonly pausedUntil: number }

/** Failures without a pause: people mistype, and many people share one address. */
const FREE = { account: 5, address: 20 }
const FIRST_PAUSE = 1_000
/** Maximum pause, so short that failures from elsewhere, however many, keep nobody out for long. */
const LONGEST_PAUSE = 60_000
/** Milliseconds without a failure after which earlier ones are forgotten. */
const FORGOTTEN = 900_000
const FRIENDS_KEPT = 30 * 86_400_000
const REMEMBERED = 20_000

/**
 * Counts failures per user and per address. Failures of clients are counted per address only, since
 * their secrets are random, and strangers must not stop a provider from pushing. After a few
 * failures there is a pause, in which further attempts are refused without checking the secret;
 * each failure doubles it, up to a minute, but attempts during a pause do not prolong it. An
 * address from which the account has authenticated before is counted separately, so that failures
 * from elsewhere cannot lock its owner out. The memory is bounded and local to this process (that
 * of `knownAddresses` is not).
 */
export function countAttempts({ now }: { readonly now: () => Date }): Attempts {
  const clock = { now: () => now().getTime() }
  const bounded = { max: REMEMBERED, perf: clock, ttlResolution: 0 }
  const failures = new LRUCache<string, Failures>({ ...bounded, ttl: FORGOTTEN })
  const friends = new LRUCache<string, true>({ ...bounded, ttl: FRIENDS_KEPT })

  const counters = (attempt: Attempt) => {
    const { kind, account, address } = attempt
    const together = pairKeyOf(attempt)
    const own = { key: together, free: FREE.account }
    if (friends.has(together)) return [own]
    return [
      kind === 'client' ? own : { key: keyOf('account', account), free: FREE.account },
      { key: keyOf('address', networkOf(address)), free: FREE.address },
    ]
  }

  return {
    pause: (attempt) => {
      const ends = counters(attempt).map(({ key }) => failures.get(key)?.pausedUntil ?? 0)
      return Math.max(0, Math.ceil((Math.max(...ends) - clock.now()) / 1000))
    },
    failed: (attempt) => {
      for (const { key, free } of counters(attempt)) {
        const count = (failures.get(key)?.count ?? 0) + 1
        failures.set(key, { count, pausedUntil: clock.now() + pauseAfter(count - free) })
      }
    },
    succeeded: (attempt) => {
      const [own] = counters(attempt)
      if (own !== undefined) failures.delete(own.key)
      const isNew = !friends.has(pairKeyOf(attempt))
      friends.set(pairKeyOf(attempt), true)
      return isNew
    },
    befriend: (attempt) => {
      friends.set(pairKeyOf(attempt), true)
    },
  }
}

function pauseAfter(tooMany: number): number {
  if (tooMany < 0) return 0
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(tooMany, 30))
}

/** Returns the key of an account together with the network of the attempt. */
function pairKeyOf({ kind, account, address }: Attempt): string {
  return keyOf('both', kind, account, networkOf(address))
}

/** Returns a hash of the parts, because names are sent by callers and may be long. */
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

const busy = () =>
  tokenError(503, 'temporarily_unavailable', 'Too many logins at once; try again soon')

/**
 * Addresses from which users have authenticated in the last 30 days. All nodes share them, and they
 * survive a restart.
 */
type KnownAddresses = {
  readonly has: (attempt: Attempt) => Promise<boolean>
  readonly add: (attempt: Attempt) => Promise<void>
}

const daysKept = 30

/**
 * Returns the known addresses of users. Clients have none, because their failures count by address
 * only.
 */
export function knownAddresses(
  database: Queryable,
  { now }: { readonly now: () => Date },
): KnownAddresses {
  const oldest = () => sql`${now()}::timestamptz - ${daysKept} * interval '1 day'`
  return {
    has: async (attempt) => {
      if (attempt.kind === 'client') return false
      const [row] = await database.texts(sql`
        select 'known' from identity_known_address
        where key = ${pairKeyOf(attempt)} and seen > ${oldest()}`)
      return row !== undefined
    },
    add: async (attempt) => {
      if (attempt.kind === 'client') return
      await database.execute(sql`
        with forgotten as (delete from identity_known_address where seen <= ${oldest()})
        insert into identity_known_address (key, seen) values (${pairKeyOf(attempt)}, ${now()})
        on conflict (key) do update set seen = excluded.seen`)
    },
  }
}

/**
 * Compares a text with a known secret. For an undefined secret, of an unknown account, the
 * comparison takes as long and never matches. Attempts on one account are checked one after the
 * other, so that many at once cannot outrun the count of failures.
 * @throws token error 503 from the returned function if too many attempts are waiting, and 429
 *   during a pause after failures
 */
type CheckSecret = (secret: Secret | undefined, text: string, attempt: Attempt) => Promise<boolean>

/**
 * Milliseconds for which a verified secret is cached, so that hashing does not limit the rate of
 * tokens.
 */
const KEPT = 60_000
const CACHED = 2_000
/**
 * Limit on concurrent hashes. Each takes 19 MiB and one of Node's four threads, which files and DNS
 * lookups need too. At most so many wait that the last one waits about a second.
 */
const limitHashes = () => createLimit({ places: 2, maxWaiting: 40, refuse: busy })
const limitAccount = () => createLimit({ places: 1, maxWaiting: 1_000, refuse: busy })

/**
 * A hash that no text has. Checking it costs the same time, so that timing does not reveal unknown
 * names.
 */
const NOBODY: Secret = {
  kind: 'hash',
  hash: `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
}

type Deps = { readonly now: () => Date; readonly known: KnownAddresses }

export function secretChecker({ now, known }: Deps): CheckSecret {
  const attempts = countAttempts({ now })
  const isRight = secretComparer(now)

  /**
   * Returns the pause of an attempt in seconds. Before a refusal, checks whether another node has
   * recorded the address as known.
   */
  const pauseOf = async (attempt: Attempt) => {
    const pause = attempts.pause(attempt)
    if (pause === 0 || !(await known.has(attempt))) return pause
    attempts.befriend(attempt)
    return attempts.pause(attempt)
  }
  const accounts = new Map<string, { readonly limit: Limit; users: number }>()

  const inTurn = async (account: string, work: () => Promise<boolean>) => {
    const line = accounts.get(account) ?? { limit: limitAccount(), users: 0 }
    accounts.set(account, line)
    line.users += 1
    try {
      return await line.limit.run(work)
    } finally {
      line.users -= 1
      if (line.users === 0) accounts.delete(account)
    }
  }

  return (secret, text, attempt) =>
    inTurn(`${attempt.kind} ${attempt.account}`, async () => {
      const pause = await pauseOf(attempt)
      if (pause > 0) throw tooManyAttempts(pause)
      const right = await isRight(secret ?? NOBODY, text)
      if (!right) attempts.failed(attempt)
      else if (attempts.succeeded(attempt)) await known.add(attempt)
      return right
    })
}

function secretComparer(now: () => Date) {
  const hashing = limitHashes()
  const verified = new LRUCache<string, true>({
    max: CACHED,
    ttl: KEPT,
    perf: { now: () => now().getTime() },
  })
  return async (secret: Secret, text: string) => {
    if (secret.kind === 'demo') return equalTexts(secret.text, text)
    // The stored hash is part of the key: its salt protects it, and a changed secret never matches.
    const key = digest(`${secret.hash} ${text}`).toString('base64')
    if (verified.has(key)) return true
    const right = await hashing.run(() => matchesHash(text, secret.hash))
    if (right) verified.set(key, true)
    return right
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
