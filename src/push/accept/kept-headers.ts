import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Headers that say something about the body or how it came; those with secrets are none of them. */
const kept = [
  'content-encoding',
  'content-language',
  'content-disposition',
  'content-location',
  'content-digest',
  'repr-digest',
  'digest',
  'date',
  'last-modified',
  'etag',
  'idempotency-key',
  'user-agent',
  'traceparent',
]

/** The headers to keep with a message. */
export function keptHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
}

/** The Content-Type as it was sent, also one that is none: it is kept, not judged (decision D51a). */
export function sentContentType({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
  const place = rawHeaders.findIndex(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type',
  )
  return place === -1 ? undefined : rawHeaders[place + 1]
}
