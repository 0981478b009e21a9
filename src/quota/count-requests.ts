import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Principal } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { networkOf } from '../http/index.ts'

/** The count of a key in its current second. */
export type Count = {
  readonly used: number
  /** Milliseconds until counting restarts. */
  readonly left: number
}

/**
 * Counters of requests, each for a fixed window of one second that starts with the first request
 * (decision D61). Counting is atomic: no two requests in a window get the same `used`.
 */
export type Counters = {
  /** Counts a request, or `weight` requests. Never fails, and never waits long. */
  readonly take: (key: string, weight?: number) => Promise<Count>
  /** Returns the count without counting. */
  readonly look: (key: string) => Promise<Count>
}

/** Length of a window in seconds. */
export const windowLength = 1

/** Options without a limit: the limit depends on the plan, which the callers apply. */
export const limiterOptions = {
  keyPrefix: 'hub-quota',
  points: Number.MAX_SAFE_INTEGER,
  duration: windowLength,
}

/** Counts with a limiter. A missing or expired counter has counted nothing. */
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
 * Sets the quota headers of a response (decision D63): the structured fields of
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

/** Converts milliseconds to whole seconds, rounded up. */
export function toSeconds(milliseconds: number): string {
  return String(Math.ceil(milliseconds / 1000))
}

/** Returns the error for too many requests from one address, over all paths. */
function exhaustedByAddress(plan: Plan, limit: number, { left }: Count): AppError {
  return new AppError(
    'HUB-QTA-002',
    `Your address has exhausted its API request quota: ${String(limit)} requests in a second over all paths and applications. Try again after ${toSeconds(left)} s.`,
    { policy: plan.name, headers: { 'retry-after': toSeconds(Math.max(1, left)) } },
  )
}

/** Returns the error for an exhausted quota, with the body of the interface, sections 7 and 8. */
function exhausted(plan: Plan, { left }: Count): AppError {
  const alike = plan.countedPer.join(', ')
  return new AppError(
    'HUB-QTA-002',
    `You have exhausted your API request quota: ${String(plan.requests)} requests in a second for callers of the kind "${plan.name}", counted per ${alike}. Try again after ${toSeconds(left)} s.`,
    { policy: plan.name, headers: { 'retry-after': toSeconds(Math.max(1, left)) } },
  )
}

/**
 * Paths of the services whose requests count: content, time series (interface 8), catalogue, change
 * feeds, their exports, OGC API Features, SensorThings, GBFS, DATEX II v3, the sitemap, and the
 * paths that the Desk uses. Exempt are all others: health, metrics, documentation, tokens, push and
 * the feed in version 2 (decision D61).
 */
const services = [
  ...['v1', 'v2', 'catalogue', 'changes', 'exports', 'ogc', 'sta', 'gbfs', 'traffic/datex/3'],
  ...['rights', 'mappings', 'access', 'alerts', 'status', 'operation', 'quality'],
]

/** Pattern of the paths whose requests count, with or without a query string. */
export const countedPath = `^/((${services.join('|')})([/?]|$)|sitemap[.-])`

const counted = new RegExp(countedPath)

/** Reports whether requests to a URL path, or to a route pattern, count. */
export function isCounted(url: string): boolean {
  return counted.test(url)
}

type Deps = {
  readonly counters: Counters
  readonly metrics: Registry
  /** Limit on requests in a second from one address, over all paths and kinds of caller. */
  readonly perAddress: number
}

/** Requests that a request which keeps the database busy counts as (`countAsHeavy`). */
const heavyWeight = 5

/**
 * Counts every request to the counted services before it is processed, and refuses it if the quota
 * of its caller is exhausted. A request counts with any outcome: 304, HEAD and errors too, and also
 * if it is refused. Must be called before the routes are added, to see their registration.
 */
export function countRequests(app: FastifyInstance, { counters, metrics, perAddress }: Deps): void {
  const countAs = async (request: FastifyRequest, reply: FastifyReply, weight: number) => {
    const asker = countedRequestOf(request)
    const plan = planOf(asker)
    if (plan.requests === undefined) {
      reportQuota(reply, plan, { used: 0, left: 0 })
      return
    }
    const found = await counters.take(counterKey(plan, asker), weight)
    reportQuota(reply, plan, found)
    if (found.used > plan.requests) throw exhausted(plan, found)
    // Limits callers who send a new application name, and thus get a new count, with every request.
    const ofAddress = await counters.take(addressKey(asker), weight)
    if (ofAddress.used > perAddress) throw exhaustedByAddress(plan, perAddress, ofAddress)
  }
  const count = (request: FastifyRequest, reply: FastifyReply) => countAs(request, reply, 1)
  app.decorateRequest('countAsHeavy', function (reply) {
    return countAs(this, reply, heavyWeight - 1)
  })
  app.addHook('onRoute', (route) => {
    const hooks = [route.onRequest ?? []].flat()
    // Fastify derives the HEAD route from that of GET, with its hooks.
    if (isCounted(route.url) && !hooks.includes(count)) route.onRequest = [...hooks, count]
  })
  countRefusals(app, metrics)
}

/** Counts both kinds of refusal: too many requests, and too long a range of history. */
function countRefusals(app: FastifyInstance, metrics: Registry): void {
  const refusals = new Counter({
    name: 'hub_quota_refused_requests_total',
    help: 'Requests that exceeded a quota, by kind of caller',
    labelNames: ['policy'] as const,
    registers: [metrics],
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if (error instanceof AppError && error.status === 429) {
      refusals.inc({ policy: planOf(countedRequestOf(request)).name })
    }
    done()
  })
}

/** Returns the properties of a request that quotas depend on. */
export function countedRequestOf(request: FastifyRequest): CountedRequest {
  return {
    principal: request.principal,
    header: request.headers.referer,
    parameter: refererIn(request.query),
    address: request.ip,
    url: request.url,
  }
}

/** Parses the parameter like `readQuery` (decision D3), but before that may refuse the request. */
function refererIn(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const named = Object.entries(query).filter(([name]) => name.toLowerCase() === 'referer')
  return named
    .flatMap(([, value]: [string, unknown]) => value)
    .map(String)
    .find((text) => text !== '' && text !== 'null')
}

/** The limits for callers of one kind (interface 8, decision D61). */
export type Plan = {
  /** The name in headers and refusals. */
  readonly name: string
  /** Longest range of history in days; undefined for no limit. */
  readonly historyDays: number | undefined
  /** Limit on the requests in a second that count together; undefined for no limit. */
  readonly requests: number | undefined
  /** Requests with equal values in all of these count together. */
  readonly countedPer: readonly CountedPer[]
}

/** Properties that separate the counts of requests (interface 8). */
type CountedPer = 'user' | 'referer' | 'address' | 'path'

const byAddress = ['address', 'path'] as const
const byReferrer = ['referer', 'address', 'path'] as const
const byUser = ['user', 'referer', 'address', 'path'] as const

/** The kinds of callers of the interface, section 8. */
export const plans = {
  unregistered: {
    name: 'Unregistered, no referrer',
    historyDays: 5,
    requests: 10,
    countedPer: byAddress,
  },
  referrer: {
    name: 'Unregistered, with referrer',
    historyDays: 100,
    requests: 20,
    countedPer: byReferrer,
  },
  basic: { name: 'Basic', historyDays: 1000, requests: 50, countedPer: byUser },
  advanced: { name: 'Advanced', historyDays: undefined, requests: 100, countedPer: byUser },
  premium: { name: 'Premium', historyDays: undefined, requests: 200, countedPer: byUser },
  unlimited: {
    name: 'No restriction',
    historyDays: undefined,
    requests: undefined,
    countedPer: [],
  },
} as const satisfies Readonly<Record<string, Plan>>

/** Roles that determine the plan of a token's bearer. The first match wins: largest first. */
const planRoles: readonly (readonly [role: string, plan: Plan])[] = [
  ['HUB_ROLE_ADMIN', plans.unlimited],
  ['HUB_ROLE_PREMIUM', plans.premium],
  ['HUB_ROLE_ADVANCED', plans.advanced],
]

/** The parts of a request that identify the caller and its application. */
type Caller = {
  readonly principal: Principal
  /** Header `Referer`. */
  readonly header: string | undefined
  /** Parameter `referer`, which takes precedence over the header (interface 8). */
  readonly parameter: string | undefined
}

/** Returns a caller's plan: by verified roles, otherwise by whether it names an application. */
export function planOf(caller: Caller): Plan {
  const { principal } = caller
  if (principal.kind === 'verified') {
    return planRoles.find(([role]) => principal.roles.has(role))?.[1] ?? plans.basic
  }
  return referrerOf(caller) === undefined ? plans.unregistered : plans.referrer
}

/** Returns how much history a caller may request at once (decision D62). */
export function historyLimitOf(caller: Caller) {
  const { name: policy, historyDays: days } = planOf(caller)
  return { policy, days }
}

/** Returns the application that the parameter, or else the header, names. Spaces name none. */
export function referrerOf({ header = '', parameter = '' }: Omit<Caller, 'principal'>) {
  const named = parameter.trim() === '' ? header.trim() : parameter.trim()
  return named === '' ? undefined : named
}

/** Explains to a caller why it has its plan. */
export function reasonOf(caller: Caller): string {
  const { principal } = caller
  if (principal.kind === 'verified') {
    const role = planRoles.find(([one]) => principal.roles.has(one))?.[0]
    const others = planRoles.map(([one]) => one).join(', ')
    return role === undefined
      ? `The token is valid and has none of the roles ${others}.`
      : `The token is valid and has the role ${role}.`
  }
  const token =
    principal.rejected === undefined
      ? 'There is no token'
      : `The token does not count (${principal.rejected})`
  return referrerOf(caller) === undefined
    ? `${token}, and neither the header Referer nor the parameter referer names an application.`
    : `${token}, but the application is named.`
}

/** The properties of a request that its counters depend on. */
export type CountedRequest = Caller & {
  /** Address of the client, from proxies only if they are trusted. */
  readonly address: string
  /** The URL from its path on. */
  readonly url: string
}

/** Maximum characters of a key. A digest replaces a longer one, so that counters stay small. */
const longest = 120

/**
 * Returns the key of the counter of a request: equal for requests that count together (interface 8)
 * and different for others, whatever characters a referer contains.
 */
export function counterKey(plan: Plan, asker: CountedRequest): string {
  const key = JSON.stringify([plan.name, ...plan.countedPer.map((part) => partOf(part, asker))])
  return key.length <= longest ? key : hash('sha256', key, 'base64url')
}

/** Returns the key under which all requests from an address, or an IPv6 /64, count together. */
export function addressKey({ address }: Pick<CountedRequest, 'address'>): string {
  return JSON.stringify(['address', networkOf(address)])
}

function partOf(part: CountedPer, asker: CountedRequest): string {
  switch (part) {
    case 'user':
      return asker.principal.kind === 'verified' ? asker.principal.subject : ''
    case 'referer':
      return referrerOf(asker) ?? ''
    case 'address':
      return withoutMapping(asker.address)
    case 'path':
      return queryPath(asker.url)
  }
}

/** Returns the IPv4 address that a dual-stack socket reports in IPv6 form (RFC 4291, 2.5.5.2). */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}

const timeseries = 'v2'

/** A request may contain its scheme and host (absolute form, RFC 9112, 3.2.2). */
const origin = /^https?:\/\/[^/?#]*/i

/** Placeholders of the times. */
const masks = ['{from}', '{to}']

/**
 * Returns the "query path" by which requests count (interface 8, decision D61): the path without
 * the query string, and for time series without the times. It is the same for every spelling of a
 * URL, percent-encoded or with a trailing slash; otherwise each spelling would have its own count.
 * @param url a URL from its path on
 */
export function queryPath(url: string): string {
  const address = url.replace(origin, '')
  const path = address.slice(0, endOfPath(address))
  const segments = path.split('/').slice(1).map(decode)
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  return `/${maskTimes(segments).join('/')}`
}

/** The router also ends a path at a fragment, though no client should send one. */
function endOfPath(url: string): number {
  const end = url.search(/[?#]/)
  return end === -1 ? url.length : end
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // the router responds with 400
  }
}

/**
 * Masks times in `/v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}`. Paths of events
 * have no data types and possibly one time (interface 4.8).
 */
function maskTimes(segments: readonly string[]): readonly string[] {
  const [service, representation = '', types, ...rest] = segments
  if (service !== timeseries || types === undefined) return segments
  const kept = /,\s*event\s*$/i.test(representation) ? 0 : 1
  const times = rest.slice(kept)
  if (times.length === 0 || times.join('').toLowerCase() === 'latest') return segments
  return [service, representation, types, ...rest.slice(0, kept), ...masks.slice(0, times.length)]
}
