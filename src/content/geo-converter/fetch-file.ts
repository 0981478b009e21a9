import { lookup } from 'node:dns/promises'
import http from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { AppError } from '../../errors/index.ts'
import { shown } from './faults.ts'
import type { XmlFile } from './scan-xml.ts'

/** All addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** A file that is requested, and the addresses that were found good. */
export type Target = {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}

/** Requests a file at one of these addresses, even if the name in the URL now resolves to others. */
export type Exchange = (target: Target) => Promise<IncomingMessage>

/** The outside world; tests put another in its place. */
export type Outside = { readonly resolve: Resolve; readonly exchange: Exchange }

const mostRedirects = 3

/** The ports that files are published at; others belong to services that are not web servers. */
const ports = ['', '80', '443', '8080', '8443']

const redirects = [301, 302, 303, 307, 308]

/**
 * Fetches a file from the public internet. Each address on the way is checked before anything is sent to
 * it, those of redirects too.
 * @param signal ends the waiting
 * @throws AppError HUB-GEO-002 for what must not be fetched, HUB-GEO-003 for what cannot be, HUB-GEO-005
 */
export async function fetchFile(
  outside: Outside,
  written: string,
  signal: AbortSignal,
): Promise<XmlFile> {
  try {
    const response = await follow(outside, parseUrl(written), signal)
    return {
      chunks: chunksOf(response, signal),
      charset: charsetOf(response.headers['content-type']),
    }
  } catch (error) {
    throw toAppError(error, signal)
  }
}

async function follow(outside: Outside, first: URL, signal: AbortSignal): Promise<IncomingMessage> {
  let url = first
  for (let redirected = 0; redirected <= mostRedirects; redirected++) {
    const addresses = await publicAddressesOf(outside, url, signal)
    const response = await outside.exchange({ url, addresses, signal })
    const { statusCode = 0 } = response
    if (statusCode === 200) return response
    response.destroy()
    const { location } = response.headers
    if (!redirects.includes(statusCode) || location === undefined) {
      throw notFound(`${shown(first.href)} was answered with status ${String(statusCode)}.`)
    }
    url = parseUrl(location, url)
  }
  throw notFound(`${shown(first.href)} redirects more than ${String(mostRedirects)} times.`)
}

/** @throws AppError HUB-GEO-002 */
function parseUrl(written: string, base?: URL): URL {
  const url = URL.parse(written, base?.href)
  if (url === null) throw notAllowed(`${shown(written)} is not a valid URL.`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw notAllowed(`${shown(url.protocol)} is not http: or https:.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw notAllowed('The URL holds a user name or a password.')
  }
  if (!ports.includes(url.port)) {
    throw notAllowed(`Port ${url.port} is not one of 80, 443, 8080 and 8443.`)
  }
  return url
}

/** All addresses of the host, if all are public: the connection may go to any of them. */
async function publicAddressesOf(
  { resolve }: Outside,
  { hostname }: URL,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // The resolver of the system cannot be stopped, but nobody waits for it longer than for the rest.
  // An address of IPv6 stands in brackets. Other spellings of IPv4 (decimal, octal, hexadecimal) have
  // been made plain by the parser of the URL.
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [host]
  if (addresses.length === 0) throw notFound(`There is no host ${shown(host)}.`)
  if (addresses.every(isPublicAddress)) return addresses
  throw notAllowed(`${shown(host)} is not a host of the public internet.`)
}

async function* chunksOf(
  response: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<unknown, unknown> = response[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await unlessAborted(chunks.next(), signal)
      if (done === true) return
      if (value instanceof Uint8Array) yield value
    }
  } catch (error) {
    throw toAppError(error, signal)
  } finally {
    response.destroy()
  }
}

/** The encoding that a media type names. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w.:-]{1,60})/i.exec(contentType ?? '')?.[1]
}

function toAppError(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) {
    return new AppError('HUB-GEO-005', 'The file did not arrive in time.', { cause: error })
  }
  return notFound('The host is unknown, or the connection to it failed.', error)
}

function notAllowed(detail: string): AppError {
  return new AppError('HUB-GEO-002', detail, {
    issues: [{ parameter: 'url', detail, expected: ['http or https URL of a public file'] }],
  })
}

function notFound(detail: string, cause?: unknown): AppError {
  return new AppError('HUB-GEO-003', detail, { issues: [{ parameter: 'url', detail }], cause })
}

/**
 * Waits for work that cannot be stopped itself, but no longer than until the signal.
 * @throws the reason of the signal
 */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(new Error('The time is up.', { cause: signal.reason }))
  }
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** By the resolver of the system, `/etc/hosts` too: what it says is checked like the rest. */
const resolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** One request over a connection of its own, through no proxy. */
const exchange: Exchange = ({ url, addresses, signal }) => {
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
  const { request, Agent } = url.protocol === 'https:' ? https : http
  const options: RequestOptions = {
    agent: new Agent({ keepAlive: false }),
    headers: {
      accept:
        'application/vnd.google-earth.kml+xml, application/gpx+xml, application/xml, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': 'hub-geo-converter',
    },
    lookup: pinnedTo(addresses),
    maxHeaderSize: 16_384,
    signal,
  }
  request(url, options).on('response', answer).on('error', reject).end()
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
