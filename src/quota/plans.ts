import { hash } from 'node:crypto'
import type { Principal } from '../access/index.ts'
import { networkOf } from '../http/index.ts'

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
