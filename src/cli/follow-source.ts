import { parseXml, xmlText } from '../push/index.ts'
import { readPublication } from '../traffic/index.ts'
import type { ReadPublication } from '../traffic/index.ts'

/**
 * Makes the error for an unexpected status, with the time in ms after which the server may be
 * requested again.
 */
export function refusal(response: Response, now: Date): Error {
  const address = response.url.split('?')[0] ?? ''
  const error = new Error(`${address} responded with status ${String(response.status)}.`)
  return Object.assign(error, {
    retryAfter: parseRetryAfter(response.headers.get('retry-after'), now),
  })
}

/** Returns the Retry-After time of an error in ms, or undefined if the server sent none. */
export function retryAfterOf(error: unknown): number | undefined {
  const isRefusal = error instanceof Error && 'retryAfter' in error
  return isRefusal && typeof error.retryAfter === 'number' ? error.retryAfter : undefined
}

/** Parses seconds or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(written: string | null, now: Date): number | undefined {
  if (written === null) return undefined
  const milliseconds = /^\d+$/.test(written.trim())
    ? Number(written) * 1000
    : Date.parse(written) - now.getTime()
  return milliseconds > 0 ? milliseconds : undefined
}

/** Validators and publication time of the last document received. */
export type Taken = {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly publicationTime: Date
}

type Answer = {
  readonly publication: ReadPublication
  /**
   * Whether situations that are missing have ended, because the document is not limited to changes.
   */
  readonly isComplete: boolean
  readonly taken: Taken
}

type Request = {
  readonly address: URL
  /** Undefined before the first document. */
  readonly taken: Taken | undefined
  readonly version: string
  readonly now: () => Date
}

/** How long a source may take to respond, in ms. */
const patience = 60_000

/** Maximum size of a document in bytes. */
const longest = 100_000_000

const maxDepth = 100

/**
 * Requests a DATEX II 2 feed, unless the document has not changed. A hub is requested to send only
 * what has changed since.
 * @returns undefined if nothing has changed
 * @throws Error for a status other than 200 and 304 (`retryAfterOf`), and for a document that is
 * not such a feed
 */
export async function requestFeed(
  fetchFeed: typeof fetch,
  { address, taken, version, now }: Request,
): Promise<Answer | undefined> {
  const url = new URL(address)
  const asksChanges = taken !== undefined && isHubFeed(address)
  if (asksChanges) url.searchParams.set('since', taken.publicationTime.toISOString())
  const response = await fetchFeed(url, {
    headers: {
      accept: 'application/xml, text/xml;q=0.9, */*;q=0.5',
      'user-agent': `hub-follow/${version}`,
      ...(typeof taken?.etag === 'string' && { 'if-none-match': taken.etag }),
      ...(typeof taken?.lastModified === 'string' && { 'if-modified-since': taken.lastModified }),
    },
    signal: AbortSignal.timeout(patience),
  })
  if (response.status === 304) return undefined
  if (response.status !== 200) {
    await response.body?.cancel()
    throw refusal(response, now())
  }
  const { headers } = response
  const isChanges = asksChanges && headers.get('x-complete') === 'false'
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')]
  const charset = /;\s*charset="?([\w.:-]{1,60})/i.exec(headers.get('content-type') ?? '')?.[1]
  const publication = readPublication(
    parseXml(xmlText(await readBody(response), charset), maxDepth),
  )
  const { publicationTime } = publication
  return { publication, isComplete: !isChanges, taken: { etag, lastModified, publicationTime } }
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? []
  for await (const chunk of body) {
    length += chunk.length
    if (length > longest) throw new Error(`The document has more than ${String(longest)} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Reports whether a feed is that of a hub. Only a hub is requested to send changes, because other
 * servers may refuse unknown parameters.
 */
function isHubFeed({ pathname }: URL): boolean {
  return /\/traffic\/(v1\/[^/]+\/[^/]+|datex\/2\/[^/]+\/situation-publication\.xml)$/.test(pathname)
}
