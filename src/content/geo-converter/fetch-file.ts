import type { IncomingMessage } from 'node:http'
import { unlessAborted } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { faultOfUrl, publicAddressesOf } from '../../http/index.ts'
import type { Outside } from '../../http/index.ts'
import { shown } from './faults.ts'
import type { XmlFile } from './scan-xml.ts'

const maxRedirects = 3

const headers = {
  accept: 'application/vnd.google-earth.kml+xml, application/gpx+xml, application/xml, */*;q=0.5',
  'user-agent': 'hub-geo-converter',
}

const redirects = [301, 302, 303, 307, 308]

/**
 * Fetches a file from the public internet. Every host on the way, including those of redirects, is
 * checked before anything is sent to it.
 * @param signal aborts the request
 * @throws AppError HUB-GEO-002 for what must not be fetched, HUB-GEO-003 for what cannot be
 *   fetched, HUB-GEO-005 if the file does not arrive in time
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
  for (let redirected = 0; redirected <= maxRedirects; redirected++) {
    const addresses = await addressesOf(outside, url, signal)
    const response = await outside.exchange({ url, addresses, signal, headers })
    const { statusCode = 0 } = response
    if (statusCode === 200) return response
    response.destroy()
    const { location } = response.headers
    if (!redirects.includes(statusCode) || location === undefined) {
      throw notFound(`${shown(first.href)} responded with status ${String(statusCode)}.`)
    }
    url = parseUrl(location, url)
  }
  throw notFound(`${shown(first.href)} redirects more than ${String(maxRedirects)} times.`)
}

/**
 * Parses a URL.
 * @throws AppError HUB-GEO-002 for a URL that must not be fetched
 */
function parseUrl(written: string, base?: URL): URL {
  const url = URL.parse(written, base?.href)
  if (url === null) throw notAllowed(`${shown(written)} is not a valid URL.`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw notAllowed(`${shown(url.protocol)} is not http: or https:.`)
  }
  const fault = faultOfUrl(url)
  if (fault !== undefined) throw notAllowed(fault)
  return url
}

/**
 * Resolves the host of a URL to its public addresses.
 * @throws AppError HUB-GEO-002 for a private host, HUB-GEO-003 for an unknown one
 */
async function addressesOf(
  outside: Outside,
  url: URL,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await publicAddressesOf(outside, url, signal)
  switch (found.kind) {
    case 'public':
      return found.addresses
    case 'unknown':
      throw notFound(`There is no host ${shown(found.host)}.`)
    case 'private':
      throw notAllowed(`${shown(found.host)} is not a host of the public internet.`)
  }
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

/** Returns the charset in a media type. */
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
