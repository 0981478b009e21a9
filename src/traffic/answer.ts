import { matchesEtag } from '../http/index.ts'
import { chooseBody } from './choose-body.ts'
import { chooseEncoding } from './encoding.ts'
import { encodings } from './feed-document.ts'
import type { Body, FeedDocument } from './feed-document.ts'

/** The headers of a request that choose among the answers of a feed. */
export type Asked = {
  readonly accept?: string | undefined
  readonly 'accept-encoding'?: string | undefined
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
}

/** What is asked for, at the moment. */
export type Current = {
  readonly document: FeedDocument
  readonly now: Date
  /** Whether shared caches may keep the answer. */
  readonly audience: 'public' | 'private'
}

/** What a feed answers. Headers are in lower case. */
export type FeedAnswer = {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  /** With 200 only. */
  readonly bytes?: () => Promise<Buffer>
}

/** The document as it is asked for; 304 without it for callers who have it (RFC 9110 section 13.2.2). */
export function toAnswer({ document, now, audience }: Current, asked: Asked): FeedAnswer {
  const body = chooseBody(asked.accept, document)
  const encoding = chooseEncoding(asked['accept-encoding'])
  const known = knownEtag(body, asked['if-none-match'])
  const headers = {
    etag: known ?? body.etag(encoding),
    // Never ahead of the clock (RFC 9110 section 8.8.2.1).
    'last-modified': new Date(Math.min(document.lastModified, now.getTime())).toUTCString(),
    'cache-control': freshFor(audience),
    vary: 'Accept, Accept-Encoding, Authorization, Prefer',
  }
  if (known !== undefined || isUnmodified(document, asked)) return { status: 304, headers }
  const packed = encoding === 'identity' ? {} : { 'content-encoding': encoding }
  const bytes = () => body.bytes(encoding)
  return {
    status: 200,
    headers: { ...headers, ...packed, 'content-type': body.contentType },
    bytes,
  }
}

/** Twenty seconds is the cycle of the public system, so no client can expect fresher data. */
export function freshFor(audience: Current['audience']): string {
  return `${audience}, max-age=20`
}

/** The tag under which the caller holds this body already, in whatever encoding. */
function knownEtag(body: Body, held: string | undefined): string | undefined {
  if (held === undefined) return undefined
  return encodings.map(body.etag).find((etag) => matchesEtag(held, etag))
}

/** `If-Modified-Since` counts only without `If-None-Match` (RFC 9110 section 13.1.3), in whole seconds. */
function isUnmodified({ lastModified }: FeedDocument, asked: Asked): boolean {
  const since = asked['if-modified-since']
  if (since === undefined || asked['if-none-match'] !== undefined) return false
  return lastModified <= Date.parse(since)
}
