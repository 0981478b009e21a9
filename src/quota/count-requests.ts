import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hash } from 'node:crypto'
import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Principal } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { networkOf } from '../http/index.ts'

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
 * The services whose requests count: content, time series (interface 8), catalogue, change feeds,
 * their exports, OGC API Features, SensorThings, GBFS, DATEX II v3, the sitemap, and what the Desk requests. Everything
 * else is exempt: health, metrics, documentation, tokens, push and the feed in version 2 (decision D61).
 */
const counted = new RegExp(
  `^/(?:(?:${[
    ...['v1', 'v2', 'catalogue', 'changes', 'exports', 'ogc', 'sta', 'gbfs'],
    ...[
      'traffic/datex/3',
      'rights',
      'mappings',
      'access',
      'alerts',
      'status',
      'operation',
      'quality',
    ],
  ].join('|')})(?=/|$)|sitemap(?=[.-]))`,
)

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

/** What callers of one kind may use (interface 8, decision D61). */
export type Plan = {
  /** As headers and refusals name it. */
  readonly name: string
  /** Longest range of history in days; undefined for any. */
  readonly historyDays: number | undefined
  /** Requests in a second that count together; undefined for any number. */
  readonly requests: number | undefined
  /** Which requests count together: those that are alike in all of these. */
  readonly countedPer: readonly CountedPer[]
}

/** What distinguishes requests that do not count together (interface 8). */
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

/** Roles that choose the plan of the bearer of a token; the first that applies, the largest first. */
const planRoles: readonly (readonly [role: string, plan: Plan])[] = [
  ['HUB_ROLE_ADMIN', plans.unlimited],
  ['HUB_ROLE_PREMIUM', plans.premium],
  ['HUB_ROLE_ADVANCED', plans.advanced],
]

/** What of a request says which application it comes from. */
type Caller = {
  readonly principal: Principal
  /** `Referer` header. */
  readonly header: string | undefined
  /** Parameter `referer`, which wins over the header (interface 8). */
  readonly parameter: string | undefined
}

/** The plan of a caller: by the roles of a verified token, otherwise by whether it says who it is. */
export function planOf(caller: Caller): Plan {
  const { principal } = caller
  if (principal.kind === 'verified') {
    return planRoles.find(([role]) => principal.roles.has(role))?.[1] ?? plans.basic
  }
  return referrerOf(caller) === undefined ? plans.unregistered : plans.referrer
}

/** How much history a caller may request at once (decision D62). */
export function historyLimitOf(caller: Caller) {
  const { name: policy, historyDays: days } = planOf(caller)
  return { policy, days }
}

/** The application that a caller names: the parameter before the header; blanks name none. */
export function referrerOf({ header = '', parameter = '' }: Omit<Caller, 'principal'>) {
  const named = parameter.trim() === '' ? header.trim() : parameter.trim()
  return named === '' ? undefined : named
}

/** Why a caller has its plan, in words for the caller. */
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

/** What a request is counted by. */
export type Asker = Caller & {
  /** Of the client, as far as proxies are trusted. */
  readonly address: string
  /** From its path on. */
  readonly url: string
}

/** Characters of a key; what is longer is kept as its digest, so a counter has a size. */
const longest = 120

/**
 * The key of the counter of a request: equal for requests that count together (interface 8), and for
 * no others, regardless of the characters in a referer.
 */
export function counterKey(plan: Plan, asker: Asker): string {
  const key = JSON.stringify([plan.name, ...plan.countedPer.map((part) => partOf(part, asker))])
  return key.length <= longest ? key : hash('sha256', key, 'base64url')
}

/** The key under which all requests from an address, or a network of IPv6, count, for any caller. */
export function addressKey({ address }: Pick<Asker, 'address'>): string {
  return JSON.stringify(['address', networkOf(address)])
}

function partOf(part: CountedPer, asker: Asker): string {
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

/** A socket for both kinds of addresses shows those of IPv4 in the clothes of IPv6 (RFC 4291, 2.5.5.2). */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}

const timeseries = 'v2'

/** Requests may name their host in the address too (RFC 9112, 3.2.2). */
const origin = /^https?:\/\/[^/?#]*/i

/** Where masked times stood. */
const masks = ['{from}', '{to}']

/**
 * The "query path" that requests are counted by (interface 8, decision D61): the path of an address
 * without its query string, and in the time series service without the times. However an address is
 * spelled, with percent signs or a slash at the end, its query path is the same; else each spelling
 * would have a count of its own.
 * @param url an address from its path on
 */
export function queryPath(url: string): string {
  const address = url.replace(origin, '')
  const path = address.slice(0, endOfPath(address))
  const segments = path.split('/').slice(1).map(decode)
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  return `/${maskTimes(segments).join('/')}`
}

/** The router ends a path at a fragment too, though no client should send one. */
function endOfPath(url: string): number {
  const end = url.search(/[?#]/)
  return end === -1 ? url.length : end
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // the router answers 400
  }
}

/**
 * `/v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}`; events have no data types, and may
 * have one time (interface 4.8).
 */
function maskTimes(segments: readonly string[]): readonly string[] {
  const [service, representation = '', types, ...rest] = segments
  if (service !== timeseries || types === undefined) return segments
  const kept = /,\s*event\s*$/i.test(representation) ? 0 : 1
  const times = rest.slice(kept)
  if (times.length === 0 || times.join('').toLowerCase() === 'latest') return segments
  return [service, representation, types, ...rest.slice(0, kept), ...masks.slice(0, times.length)]
}
