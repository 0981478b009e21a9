import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limiterOptions, toCount, toKnownCount } from './counters.ts'
import type { Counters } from './counters.ts'

/**
 * Counters in the memory of this process. Each is forgotten after its second, so there are never more
 * than requests in a second; keys have a bounded length.
 */
export function localCounters(): Counters {
  const limiter = new RateLimiterMemory(limiterOptions)
  return {
    take: async (key, weight) => toCount(await limiter.consume(key, weight)),
    look: async (key) => toKnownCount(await limiter.get(key)),
  }
}
