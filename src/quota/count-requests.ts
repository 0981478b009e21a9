import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors/index.ts'
import { addressKey, counterKey, planOf } from './plans.ts'
import type { Asker, Plan } from './plans.ts'

/** How often a key was taken in its current second. */
export type Count = {
  readonly used: number
  /** Milliseconds until the count starts again. */
  readonly left: number
}

/**
 * Counters of requests, each for a fixed window of one second that begins with the first request
 * (decision D61). Counting is atomic: no two requests get the same `used` of one window.
 */
export type Counters = {
  /** Counts a request, or as many as it weighs. Never fails, and never waits long. */
  readonly take: (key: string, weight?: number) => Promise<Count>
  /** What was counted, without counting. */
  readonly look: (key: string) => Promise<Count>
}

/** Seconds. */
export const windowLength = 1

/** The limiters only count: the limit depends on the plan, which their callers apply. */
export const limiterOptions = {
  keyPrefix: 'hub-quota',
  points: Number.MAX_SAFE_INTEGER,
  duration: windowLength,
}

/** Counts by a limiter. A counter that does not exist, or whose time is over, has counted nothing. */
export function countersOf(limiter: RateLimiterAbstract): Counters {
  return {
    take: async (key, weight) => toCount(await limiter.consume(key, weight)),
    look: async (key) => {
      const found = await limiter.get(key)
      return found === null || found.msBeforeNext <= 0 ? { used: 0, left: 0 } : toCount(found)
    },
  }
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, left: Math.max(0, msBeforeNext) }
}

/**
 * The quota in headers of an answer (decision D63): structured fields of
 * draft-ietf-httpapi-ratelimit-headers-10, and those that clients of the public system read.
 */
function reportQuota(reply: FastifyReply, plan: Plan, { used, left }: Count): void {
  if (plan.requests === undefined) {
    void reply.header('x-rate-limit-policy', plan.name)
    return
  }
  const limit = String(plan.requests)
  const remaining = String(remainingOf(plan.requests, used))
  const reset = toSeconds(left)
  void reply.headers({
    'ratelimit-policy': `"${plan.name}";q=${limit};w=${String(windowLength)}`,
    ratelimit: `"${plan.name}";r=${remaining};t=${reset}`,
    'x-rate-limit-policy': plan.name,
    'x-rate-limit-limit': limit,
    'x-rate-limit-remaining': remaining,
    'x-rate-limit-reset': reset,
  })
}

export function remainingOf(limit: number, used: number): number {
  return Math.max(0, limit - used)
}

/** Whole seconds, never less than the real wait. */
export function toSeconds(milliseconds: number): string {
  return String(Math.ceil(milliseconds / 1000))
}

/** The same where it is too many from one address, over all paths. */
function exhaustedByAddress(plan: Plan, limit: number, { left }: Count): AppError {
  return new AppError(
    'HUB-QTA-002',
    `Your address has exhausted its API request quota: ${String(limit)} requests in a second over all paths and applications. Try again after ${toSeconds(left)} s.`,
    { policy: plan.name, headers: { 'retry-after': toSeconds(Math.max(1, left)) } },
  )
}

/** The response after too many requests: the body of the interface, sections 7 and 8. */
function exhausted(plan: Plan, { left }: Count): AppError {
  const alike = plan.countedPer.join(', ')
  return new AppError(
    'HUB-QTA-002',
    `You have exhausted your API request quota: ${String(plan.requests)} requests in a second for callers of the kind "${plan.name}", counted per ${alike}. Try again after ${toSeconds(left)} s.`,
    { policy: plan.name, headers: { 'retry-after': toSeconds(Math.max(1, left)) } },
  )
}

/**
 * The services whose requests count: content, time series (interface 8) and catalogue. Everything else is exempt:
 * health, metrics, documentation, tokens, push and feed (decision D61).
 */
const counted = /^\/(?:v[12]|catalogue)(?=\/|$)/

/** Whether requests to an address, or to a pattern of addresses, count. */
export function isCounted(url: string): boolean {
  return counted.test(url)
}

type Deps = {
  readonly counters: Counters
  readonly metrics: Registry
  /** Requests in a second from one address, over all paths and kinds of caller. */
  readonly perAddress: number
}

/** Requests that one counts for that keeps the database busy (`countAsHeavy`). */
const heavyWeight = 5

/**
 * Has every request to the counted services counted before anything is done for it, and refused when
 * its caller's quota is exhausted. A request counts with any outcome: 304, HEAD and errors too, and
 * also when it is refused. Call it before the routes are added: it watches them come.
 */
export function countRequests(app: FastifyInstance, { counters, metrics, perAddress }: Deps): void {
  const countAs = async (request: FastifyRequest, reply: FastifyReply, weight: number) => {
    const asker = askerOf(request)
    const plan = planOf(asker)
    if (plan.requests === undefined) {
      reportQuota(reply, plan, { used: 0, left: 0 })
      return
    }
    const found = await counters.take(counterKey(plan, asker), weight)
    reportQuota(reply, plan, found)
    if (found.used > plan.requests) throw exhausted(plan, found)
    // A caller can name a new application with every request, and so begin a new count.
    const ofAddress = await counters.take(addressKey(asker), weight)
    if (ofAddress.used > perAddress) throw exhaustedByAddress(plan, perAddress, ofAddress)
  }
  const count = (request: FastifyRequest, reply: FastifyReply) => countAs(request, reply, 1)
  app.decorateRequest('countAsHeavy', function (reply) {
    return countAs(this, reply, heavyWeight - 1)
  })
  app.addHook('onRoute', (route) => {
    const hooks = [route.onRequest ?? []].flat()
    // The route of HEAD is made from that of GET, with its hooks.
    if (isCounted(route.url) && !hooks.includes(count)) route.onRequest = [...hooks, count]
  })
  countRefusals(app, metrics)
}

/** Both kinds: too many requests, and too long a range of history. */
function countRefusals(app: FastifyInstance, metrics: Registry): void {
  const refusals = new Counter({
    name: 'hub_quota_refused_requests_total',
    help: 'Requests that exceeded a quota, by kind of caller',
    labelNames: ['policy'] as const,
    registers: [metrics],
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if (error instanceof AppError && error.status === 429) {
      refusals.inc({ policy: planOf(askerOf(request)).name })
    }
    done()
  })
}

/** The caller and the request, as far as quotas need them. */
export function askerOf(request: FastifyRequest): Asker {
  return {
    principal: request.principal,
    header: request.headers.referer,
    parameter: refererIn(request.query),
    address: request.ip,
    url: request.url,
  }
}

/** The parameter as `readQuery` reads it (decision D3), but before that may refuse the request. */
function refererIn(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const named = Object.entries(query).filter(([name]) => name.toLowerCase() === 'referer')
  return named
    .flatMap(([, value]: [string, unknown]) => value)
    .map(String)
    .find((text) => text !== '' && text !== 'null')
}
