import { lookup } from 'node:dns/promises'
import http from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'

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
