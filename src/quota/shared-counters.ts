import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Every } from '../async/index.ts'
import { countersOf, limiterOptions } from './count-requests.ts'
import type { Count, Counters } from './count-requests.ts'

type Watch = {
  readonly every: Every
  readonly log: {
    readonly info: (text: string) => void
    readonly warn: (details: object, text: string) => void
  }
}

/** Counters, and whether they are shared with the other nodes. */
type OpenCounters = {
  readonly counters: Counters
  readonly isWhole: () => boolean
  readonly close: () => void
}

type Deps = Watch & {
  /** URL of Redis or Valkey (`HUB_REDIS_URL`); without it this process counts alone. */
  readonly redisUrl: string | undefined
}

/**
 * Opens the counters. A counter in memory expires after its second, so there are never more of them
 * than requests in a second.
 */
export async function openCounters({ redisUrl: url, every, log }: Deps): Promise<OpenCounters> {
  const local = countersOf(new RateLimiterMemory(limiterOptions))
  if (url === undefined) {
    return { counters: local, isWhole: () => true, close: () => undefined }
  }
  // The Redis client is loaded only when needed, because that takes a tenth of a second.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, connectionOptions)
  const counters = new SharedCounters({ redis, local, every, log })
  return {
    counters,
    isWhole: () => counters.isShared,
    close: () => {
      counters.close()
    },
  }
}

type SharedDeps = Watch & {
  readonly redis: Redis
  /** Counters used while Redis is unavailable. */
  readonly local: Counters
}

/** Milliseconds between two checks of the connection. */
const interval = 100

/**
 * Consecutive checks without any response after which the connection is dropped: half a second, the
 * longest that a request ever waits. On an overloaded machine a response may take half of that.
 */
const patience = 4

/** Checks after a failure until Redis is tried again: one second. */
const pauseAfterFailure = 10

/**
 * Options without queues and retries: what cannot be counted at once is counted locally. Commands
 * of requests that arrive together are sent together.
 */
const connectionOptions = {
  connectionName: 'hub-quota',
  enableAutoPipelining: true,
  connectTimeout: 1000,
  socketTimeout: 2000,
  disconnectTimeout: 10,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times: number) => Math.min(times * 100, 2000),
}

/**
 * Counters that all nodes share through Redis or Valkey (decision D63). While it is unreachable,
 * hangs or fails, each node counts for itself. Each such change is logged once.
 */
class SharedCounters implements Counters {
  readonly #local: Counters
  readonly #log: SharedDeps['log']
  readonly #redis: Redis
  readonly #shared: Counters
  readonly #stopWatching: () => void
  /**
   * Whether counts include all nodes; undefined until the first connection is ready or has failed.
   */
  #isShared: boolean | undefined
  #reason: unknown
  #waiting = 0
  #answers = 0
  #answersSeen = 0
  #looksInVain = 0
  #pause = 0

  constructor({ redis, local, every, log }: SharedDeps) {
    this.#local = local
    this.#log = log
    this.#redis = redis
    const options = { ...limiterOptions, storeClient: redis, rejectIfRedisNotReady: true }
    this.#shared = countersOf(new RateLimiterRedis(options))
    this.#redis.on('error', (error: unknown) => (this.#reason = error))
    this.#redis.on('ready', () => {
      this.#pause = 0
      this.#report(true)
    })
    this.#redis.on('close', () => {
      this.#report(false)
    })
    this.#stopWatching = every(interval, () => {
      this.#watch()
    })
  }

  /** Whether counts currently include all nodes. */
  get isShared(): boolean {
    return this.#isShared === true
  }

  take(key: string, weight?: number): Promise<Count> {
    return this.#count((counters) => counters.take(key, weight))
  }

  look(key: string): Promise<Count> {
    return this.#count((counters) => counters.look(key))
  }

  close(): void {
    this.#stopWatching()
    this.#redis.removeAllListeners('close')
    this.#redis.disconnect()
  }

  async #count(by: (counters: Counters) => Promise<Count>): Promise<Count> {
    if (this.#redis.status !== 'ready' || this.#pause > 0) return by(this.#local)
    this.#waiting += 1
    try {
      const count = await by(this.#shared)
      if (!this.isShared) this.#report(true)
      return count
    } catch (error) {
      this.#reason = error
      this.#pause = pauseAfterFailure
      this.#report(false)
      return await by(this.#local)
    } finally {
      this.#waiting -= 1
      this.#answers += 1
    }
  }

  /**
   * Drops a connection that sends no response over several checks, and all waiting commands with
   * it. A timer for each command would cost more, and would also fire while this process itself is
   * busy.
   */
  #watch(): void {
    if (this.#pause > 0) this.#pause -= 1
    const isInVain = this.#waiting > 0 && this.#answersSeen === this.#answers
    this.#looksInVain = isInVain ? this.#looksInVain + 1 : 0
    this.#answersSeen = this.#answers
    if (this.#looksInVain < patience) return
    this.#looksInVain = 0
    this.#reason = new Error(`There was no answer for ${String(patience * interval)} ms.`)
    this.#redis.disconnect(true)
  }

  #report(isShared: boolean): void {
    if (this.#isShared === isShared) return
    this.#isShared = isShared
    if (isShared) this.#log.info('Request quotas are counted together with the other nodes.')
    else {
      const why = 'Redis does not count request quotas; this node counts its own requests alone.'
      this.#log.warn({ err: this.#reason }, why)
    }
  }
}
