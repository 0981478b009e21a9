import { hash } from 'node:crypto'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from '../http/index.ts'
import { referrerOf } from './plans.ts'
import type { Caller, CountedPer, Plan } from './plans.ts'

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
 * no others, whatever characters a caller puts into its referer.
 */
export function counterKey(plan: Plan, asker: Asker): string {
  const key = JSON.stringify([plan.name, ...plan.countedPer.map((part) => partOf(part, asker))])
  return key.length <= longest ? key : hash('sha256', key, 'base64url')
}

/** The key under which all requests from an address, or a network of IPv6, count, whoever sends them. */
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
