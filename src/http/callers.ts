import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIPv4, isIPv6 } from 'node:net'
import type { Authenticate, Principal } from '../access/index.ts'
import { anonymous, challenge } from '../access/principal.ts'

/** What is counted as one address: the owner of an IPv6 address usually has its whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const embedded = /^::ffff:(?<v4>[\d.]+)$/i.exec(address)?.groups?.['v4']
  if (embedded !== undefined) return embedded
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
  return all.slice(0, 4).join(':')
}

/** How much of the addresses of clients is logged (`HUB_LOG_ADDRESSES`). */
export type AddressDetail = 'full' | 'shortened' | 'none'

/** The address of a client as it is logged; shortened it is that of a network: /24, or /48 of IPv6. */
export function loggedAddress(detail: AddressDetail): (address: string) => string | undefined {
  return (address) => {
    if (detail === 'none' || address === '') return undefined
    if (detail === 'full') return address
    const network = networkOf(address)
    if (isIPv4(network)) return network.replace(/\d+$/, '0')
    return `${network.split(':').slice(0, 3).join(':')}::`
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller: set before any route runs. */
    principal: Principal
  }
}

/**
 * Identifies the caller, before any route runs. A token that cannot be trusted makes the caller
 * anonymous and is answered with `WWW-Authenticate`, so that no one mistakes open data for all data
 * (decision D6); addresses that need a token refuse by themselves.
 */
export function identifyCallers(app: FastifyInstance, authenticate: Authenticate): void {
  const principals = new WeakMap<FastifyRequest, Principal>()
  app.decorateRequest('principal', {
    getter() {
      return principals.get(this) ?? anonymous
    },
    setter(principal: Principal) {
      principals.set(this, principal)
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    request.principal = await authenticate(request.headers)
    if (request.principal.kind === 'anonymous' && request.principal.rejected !== undefined) {
      void reply.header('www-authenticate', challenge(request.principal))
    }
  })
}

/**
 * Has the address of clients taken from `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, as far as
 * proxies are trusted. Only one of the two is ever trusted: a proxy that sets one passes the other on
 * as the client wrote it.
 */
export function trustProxyHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    headers['x-forwarded-for'] = forwardedFor(headers.forwarded ?? '').join(', ')
    done()
  })
}

// forwarded-pair = token "=" ( token / quoted-string ); a field without quotes may hold colons in practice
const pair = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*(?:([;,])|$)/y

/**
 * The `for` of each element of a `Forwarded` field, without ports: the client first, the last proxy's
 * peer at the end. What is not `Forwarded` says nothing; an element that names nobody is `unknown`.
 */
export function forwardedFor(field: string): readonly string[] {
  const found: string[] = []
  let current = 'unknown'
  let at = 0
  while (at < field.length) {
    pair.lastIndex = at
    const match = pair.exec(field)
    if (match === null) return []
    const [all, name = '', value = '', separator] = match
    if (name.toLowerCase() === 'for') current = toAddress(value)
    if (separator !== ';') {
      found.push(current)
      current = 'unknown'
    }
    at += all.length
  }
  return found
}

/** node = nodename [ ":" node-port ]; an IPv6 address stands in brackets (RFC 7239, section 6). */
function toAddress(value: string): string {
  const node = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
  const [, bracketed] = /^\[([\da-fA-F:.]+)\]/.exec(node) ?? []
  const name = bracketed ?? node.replace(/:\w+$/, '')
  return /^[\w.:-]+$/.test(name) ? name : 'unknown'
}
