import { lookup } from 'node:dns/promises'
import http from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { unlessAborted } from '../async/index.ts'

/** Requests to URLs that callers supply. Nothing is sent to a host outside the public internet. */

/** Resolves all IP addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** A request, with the IP addresses that were found to be public. */
export type Target = {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The body; if present, the request is a POST. */
  readonly body?: string
}

/** Sends a request to one of the addresses, even if the host name now resolves to others. */
export type Exchange = (target: Target) => Promise<IncomingMessage>

/** Access to the internet, which tests replace. */
export type Outside = { readonly resolve: Resolve; readonly exchange: Exchange }

/** Ports of web servers; others belong to other services. */
const ports = ['', '80', '443', '8080', '8443']

/** Returns why a URL must not be requested, whatever its host, or undefined if it may be. */
export function faultOfUrl({ username, password, port }: URL): string | undefined {
  if (username !== '' || password !== '') return 'The URL holds a user name or a password.'
  if (!ports.includes(port)) return `Port ${port} is not one of 80, 443, 8080 and 8443.`
  return undefined
}

type Found =
  | { readonly kind: 'public'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' | 'private'; readonly host: string }

/**
 * Returns all addresses of the host if all are public, because a connection may use any of them.
 */
export async function publicAddressesOf(
  { resolve }: Pick<Outside, 'resolve'>,
  url: URL,
  signal: AbortSignal,
): Promise<Found> {
  // The system's resolver cannot be aborted, but waiting for it ends with `signal`.
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [host]
  if (addresses.length === 0) return { kind: 'unknown', host }
  return addresses.every(isPublicAddress)
    ? { kind: 'public', addresses }
    : { kind: 'private', host }
}

/**
 * Returns the host without the brackets of an IPv6 address. The URL parser has already normalized
 * other spellings of IPv4 (decimal, octal, hexadecimal).
 */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Uses the system's resolver, including `/etc/hosts`. Its results are checked like literal
 * addresses.
 */
const resolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** Sends one request over its own connection, without a proxy. */
const exchange: Exchange = ({ url, addresses, signal, headers = {}, body }) => {
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
  const { request, Agent } = url.protocol === 'https:' ? https : http
  const options: RequestOptions = {
    agent: new Agent({ keepAlive: false }),
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'accept-encoding': 'identity' },
    lookup: pinnedTo(addresses),
    maxHeaderSize: 16_384,
    signal,
  }
  request(url, options)
    .on('response', answer)
    .on('error', reject)
    // This is not a usable response, and no other event follows it.
    .on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The server wants to switch protocols.'))
    })
    .end(body)
  return promise
}

/**
 * Returns a lookup function with fixed results, so that the host name cannot resolve to other
 * addresses between check and connection.
 */
function pinnedTo(addresses: readonly string[]): NonNullable<RequestOptions['lookup']> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, done) => {
    const [first] = found
    if (all === true) done(null, found)
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
}

export const internet: Outside = { resolve, exchange }

/**
 * IPv4 ranges that are unroutable, private or multicast (IANA special-purpose registry, RFC 6890).
 */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The metadata service of Azure, which no registry lists.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * The IPv6 range of public addresses. Loopback, unique local and link-local addresses, multicast,
 * IPv4 inside IPv6 (`::ffff:0:0/96`) and NAT64 (`64:ff9b::/96`) are outside of it.
 */
const global6 = ['2000::/3']

/**
 * Special ranges within it: Teredo and others of the IETF, documentation, and 6to4, which embeds
 * IPv4.
 */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const blocked4 = listOf('ipv4', special4)
const allowed6 = listOf('ipv6', global6)
const blocked6 = listOf('ipv6', special6)

/** Reports whether a text is an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked4.check(address, 'ipv4')
    case 6:
      // An address with a zone belongs to a network of the local machine.
      if (address.includes('%')) return false
      return allowed6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
    default:
      return false
  }
}

function listOf(type: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/')
    list.addSubnet(network, Number(prefix), type)
  }
  return list
}
