import type { RateLimiterRes } from 'rate-limiter-flexible'

/** How often a key was taken in its current second. */
export type Count = {
  readonly used: number
  /** Milliseconds until the count begins anew. */
  readonly left: number
}

/**
 * Counters of requests, each for a fixed window of one second that begins with the first request
 * (decision D61). Counting is atomic: no two requests are told the same `used` of one window.
 */
export type Counters = {
  /** Counts a request, or as many as it weighs. Never fails, and never waits long. */
  readonly take: (key: string, weight?: number) => Promise<Count>
  /** What was counted, without counting. */
  readonly look: (key: string) => Promise<Count>
}

/** Seconds. */
export const windowLength = 1

/** The limiters only count: what is too much depends on the plan, and is said by those who ask. */
export const limiterOptions = {
  keyPrefix: 'hub-quota',
  points: Number.MAX_SAFE_INTEGER,
  duration: windowLength,
}

export function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, left: Math.max(0, msBeforeNext) }
}

/** A counter that is not there, or whose time is over, has counted nothing. */
export function toKnownCount(found: RateLimiterRes | null): Count {
  if (found === null || found.msBeforeNext <= 0) return { used: 0, left: 0 }
  return toCount(found)
}
