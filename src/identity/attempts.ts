import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../http/index.ts'

/** A try to prove who one is. `account` names a user or client, known or not. */
export type Attempt = {
  readonly kind: 'user' | 'client'
  readonly account: string
  readonly address: string
}

/** Slows down who guesses secrets, and nobody else for long. */
export type Attempts = {
  /** Seconds, rounded up, in which the attempt is refused, whatever its secret is; 0: none. */
  readonly pause: (attempt: Attempt) => number
  readonly failed: (attempt: Attempt) => void
  /** @returns whether the account had not proved itself from this address before, as far as this process knows */
  readonly succeeded: (attempt: Attempt) => boolean
  /** The account has proved itself from this address, as another node or an earlier process knows. */
  readonly befriend: (attempt: Attempt) => void
}

type Failures = { readonly count: number; readonly pausedUntil: number }

/** Wrong tries that cost no pause: people mistype, and many people share one address. */
const FREE = { account: 5, address: 20 }
const FIRST_PAUSE = 1_000
/** So short that failures from elsewhere, however many, keep nobody out for long. */
const LONGEST_PAUSE = 60_000
/** Failures are forgotten after so long without another. */
const FORGOTTEN = 900_000
const FRIENDS_KEPT = 30 * 86_400_000
const REMEMBERED = 20_000

/**
 * Counts failures per user and per address; those of clients per address only, since their secrets are
 * random, and strangers must not stop a provider from pushing. After a few, each one doubles the pause in which
 * further attempts fail unseen, up to a minute. Attempts during a pause do not make it longer. An
 * address from which the account has proved itself before is counted by itself, so that failures
 * from elsewhere cannot lock its owner out. The memory is bounded, and this process's own (`knownAddresses` is not).
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

/** Of an account and the network it is tried from. */
export function pairKeyOf({ kind, account, address }: Attempt): string {
  return keyOf('both', kind, account, networkOf(address))
}

/** Names come from callers and may be long: their hashes are not. */
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
