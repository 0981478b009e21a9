import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import { addressKey, counterKey } from './counter-key.ts'
import type { Asker } from './counter-key.ts'
import type { Counters } from './counters.ts'
import { planOf } from './plan-of.ts'
import { exhausted, exhaustedByAddress, tellQuota } from './tell-quota.ts'

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
 * its caller's quota is exhausted. A request counts whatever comes of it: 304, HEAD and errors too, and
 * also when it is refused. Call it before the routes are added: it watches them come.
 */
export function countRequests(app: FastifyInstance, { counters, metrics, perAddress }: Deps): void {
  const countAs = async (request: FastifyRequest, reply: FastifyReply, weight: number) => {
    const asker = askerOf(request)
    const plan = planOf(asker)
    if (plan.requests === undefined) {
      tellQuota(reply, plan, { used: 0, left: 0 })
      return
    }
    const found = await counters.take(counterKey(plan, asker), weight)
    tellQuota(reply, plan, found)
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
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 429) refusals.inc({ policy: planOf(askerOf(request)).name })
    done()
  })
}

/** Who asks, and for what, as far as quotas care. */
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
