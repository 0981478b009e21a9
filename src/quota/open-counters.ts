import { RateLimiterMemory } from 'rate-limiter-flexible'
import { limiterOptions, toCount, toKnownCount } from './counters.ts'
import type { Counters } from './counters.ts'
import type { Watch } from './shared-counters.ts'

type Deps = Watch & {
  /** Redis or Valkey (`HUB_REDIS_URL`); without it this process counts alone. */
  readonly redisUrl: string | undefined
}

/** Counters, and what there is to know of them. */
export type OpenCounters = {
  readonly counters: Counters
  /** Whether counts are those of all nodes, as they should be. */
  readonly isWhole: () => boolean
  readonly close: () => void
}

export async function openCounters({ redisUrl: url, every, log }: Deps): Promise<OpenCounters> {
  const local = localCounters()
  if (url === undefined) {
    return { counters: local, isWhole: () => true, close: () => undefined }
  }
  // The client of Redis is loaded only where there is one: it takes a tenth of a second.
  const { SharedCounters } = await import('./shared-counters.ts')
  const counters = new SharedCounters({ url, local, every, log })
  return {
    counters,
    isWhole: () => counters.isShared,
    close: () => {
      counters.close()
    },
  }
}

/**
 * Counters in the memory of this process. Each is forgotten after its second, so there are never more
 * than requests in a second; keys have a bounded length.
 */
function localCounters(): Counters {
  const limiter = new RateLimiterMemory(limiterOptions)
  return {
    take: async (key, weight) => toCount(await limiter.consume(key, weight)),
    look: async (key) => toKnownCount(await limiter.get(key)),
  }
}
