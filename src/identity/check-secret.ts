import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { equalTexts } from '../lang/equal-texts.ts'
import type { Secret } from './account.ts'
import { countAttempts } from './attempts.ts'
import type { Attempt } from './attempts.ts'
import type { KnownAddresses } from './known-addresses.ts'
import { matchesHash } from './secret-hash.ts'
import { tooManyAttempts } from './token-error.ts'
import { takeTurns } from './take-turns.ts'
import type { TakeTurns } from './take-turns.ts'

/**
 * Compares a text with a known secret. Nobody's secret (undefined) takes as long and never matches.
 * Attempts on one account are judged one after the
 * other, so that many at once cannot outrun the count of failures.
 * @throws token error 503 from the returned function when too many want to know at once, and 429
 *   during a pause after failures
 */
export type CheckSecret = (
  secret: Secret | undefined,
  text: string,
  attempt: Attempt,
) => Promise<boolean>

/** How long a verified secret is remembered, so that the hash does not limit the rate of tokens. */
const KEPT = 60_000
const CACHED = 2_000
/**
 * Each hash takes 19 MiB and one of Node's four threads, which files and names need too; so many
 * can wait that the last one waits about a second.
 */
const HASHING = { parallel: 2, waiting: 40 }
const PER_ACCOUNT = { parallel: 1, waiting: 1_000 }

/** No text has this hash: it is there for its cost, so that an unknown name is not told by time. */
const NOBODY: Secret = {
  kind: 'hash',
  hash: `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
}

type Deps = { readonly now: () => Date; readonly known: KnownAddresses }

export function secretChecker({ now, known }: Deps): CheckSecret {
  const attempts = countAttempts({ now })
  const isRight = secretComparer(now)

  /** Who would have to wait may be known elsewhere. */
  const pauseOf = async (attempt: Attempt) => {
    const pause = attempts.pause(attempt)
    if (pause === 0 || !(await known.has(attempt))) return pause
    attempts.befriend(attempt)
    return attempts.pause(attempt)
  }
  const accounts = new Map<string, { readonly turns: TakeTurns; users: number }>()

  const inTurn = async (account: string, work: () => Promise<boolean>) => {
    const line = accounts.get(account) ?? { turns: takeTurns(PER_ACCOUNT), users: 0 }
    accounts.set(account, line)
    line.users += 1
    try {
      return await line.turns(work)
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
  const hashing = takeTurns(HASHING)
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
    const right = await hashing(() => matchesHash(text, secret.hash))
    if (right) verified.set(key, true)
    return right
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
