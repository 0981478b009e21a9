import { lookup } from 'node:dns/promises'
import http from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { unlessAborted } from '../async/index.ts'

/** Requests to addresses that callers name: nothing is sent to a host that is not of the public internet. */

/** All addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** What is requested, and the addresses that were found good. */
export type Target = {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Makes it a POST. */
  readonly body?: string
}

/** Requests something at one of these addresses, even if the name in the URL now resolves to others. */
export type Exchange = (target: Target) => Promise<IncomingMessage>

/** The outside world; tests put another in its place. */
export type Outside = { readonly resolve: Resolve; readonly exchange: Exchange }

/** The ports of web servers; others belong to other services. */
const ports = ['', '80', '443', '8080', '8443']

/** Why nothing may be sent to a URL, wherever its host is; undefined when something may. */
export function faultOfUrl({ username, password, port }: URL): string | undefined {
  if (username !== '' || password !== '') return 'The URL holds a user name or a password.'
  if (!ports.includes(port)) return `Port ${port} is not one of 80, 443, 8080 and 8443.`
  return undefined
}

type Found =
  | { readonly kind: 'public'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' | 'private'; readonly host: string }

/** All addresses of the host, if all are public: the connection may go to any of them. */
export async function publicAddressesOf(
  { resolve }: Pick<Outside, 'resolve'>,
  url: URL,
  signal: AbortSignal,
): Promise<Found> {
  // The resolver of the system cannot be stopped, but nobody waits for it longer than for the rest.
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [host]
  if (addresses.length === 0) return { kind: 'unknown', host }
  return addresses.every(isPublicAddress)
    ? { kind: 'public', addresses }
    : { kind: 'private', host }
}

/**
 * An address of IPv6 stands in brackets. Other spellings of IPv4 (decimal, octal, hexadecimal) have been made plain by
 * the parser of the URL.
 */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** By the resolver of the system, `/etc/hosts` too: what it says is checked like the rest. */
const resolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** One request over a connection of its own, through no proxy. */
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
    // Such an answer is none, and no other event follows it.
    .on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The server wants to switch protocols.'))
    })
    .end(body)
  return promise
}

/** A look-up without a resolver: the name cannot lead elsewhere between check and connection. */
function pinnedTo(addresses: readonly string[]): NonNullable<RequestOptions['lookup']> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, done) => {
    const [first] = found
    if (all === true) done(null, found)
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
}

export const internet: Outside = { resolve, exchange }

/** IPv4 that leads nowhere, into a network, or to many (IANA special-purpose registry, RFC 6890). */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The metadata service of Azure, which no registry names.
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
 * All that is handed out of IPv6 to the public. Loopback, unique local and link-local addresses,
 * multicast, IPv4 inside of IPv6 (`::ffff:0:0/96`) and NAT64 (`64:ff9b::/96`) lie outside of it.
 */
const global6 = ['2000::/3']

/** Within that: Teredo and others of the IETF, documentation, and 6to4, which holds an IPv4 address. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const blocked4 = listOf('ipv4', special4)
const allowed6 = listOf('ipv6', global6)
const blocked6 = listOf('ipv6', special6)

/** Whether an address is one of the public internet. Anything that is not an address is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked4.check(address, 'ipv4')
    case 6:
      // A zone leads to a network of this very machine.
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
