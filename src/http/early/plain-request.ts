/** A GET that asks for nothing but what its path and these headers say. */
export type PlainRequest = {
  /** Without a query string, an escape or a slash at its end, so that it means what it says. */
  readonly path: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Longer texts are read by HTTP itself. */
const longest = 4096

/** The letter that every GET begins with. */
const letterG = 0x47

// "GET" SP path SP "HTTP/1.1" CRLF 1*( field CRLF ) CRLF, a part of RFC 9112 sections 3 and 5
const REQUEST = /^GET (?<path>(?:\/[\w.~-]+)+) HTTP\/1\.1\r\n(?<fields>(?:[^\r\n]+\r\n)+)\r\n$/

// field-name ":" SP field-value, where RFC 9112 section 5 leaves the space open
const FIELD = /^(?<name>[\w-]+): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/

/** What may stand in a plain request beside `Host`: it chooses among answers, or changes none. */
const known = new Set([
  ...['accept', 'accept-encoding', 'if-modified-since', 'if-none-match'],
  ...['accept-language', 'cache-control', 'cookie', 'dnt', 'origin', 'pragma', 'priority'],
  ...['referer', 'user-agent', 'traceparent', 'tracestate', 'via', 'x-real-ip', 'forwarded'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'],
  ...['sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-user', 'sec-gpc'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'],
])

/**
 * Reads the bytes of one whole request, if it is a plain one. This is a small part of HTTP/1.1, never
 * more: whatever else there is, such as a body, a token, a repeated or unknown header, a second
 * request, half of one, or an end of line that is not CRLF, is for Node's own reader.
 * @returns undefined for all that
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes[0] !== letterG || bytes.length > longest) return undefined
  const { path, fields } = REQUEST.exec(bytes.toString('latin1'))?.groups ?? {}
  if (path === undefined || fields === undefined || /\/\.\.?(?:\/|$)/.test(path)) return undefined
  const headers = readFields(fields)
  return headers?.['host'] === undefined ? undefined : { path, headers }
}

function readFields(fields: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {}
  for (const line of fields.slice(0, -'\r\n'.length).split('\r\n')) {
    const { name: written = '', value = '' } = FIELD.exec(line)?.groups ?? {}
    const name = written.toLowerCase()
    if (Object.hasOwn(headers, name) || !isPlain(name, value)) return undefined
    headers[name] = value
  }
  return headers
}

function isPlain(name: string, value: string): boolean {
  if (name === 'connection') return value.toLowerCase() === 'keep-alive'
  return name === 'host' || known.has(name)
}
