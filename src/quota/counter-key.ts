import { hash } from 'node:crypto'
import { networkOf } from '../http/index.ts'
import { referrerOf } from './plan-of.ts'
import type { Caller } from './plan-of.ts'
import type { CountedPer, Plan } from './plans.ts'
import { queryPath } from './query-path.ts'

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
