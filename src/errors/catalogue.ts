type Entry = {
  readonly status: number
  readonly title: string
  /** What happened and what to do, for the documentation page of this error. */
  readonly explanation: string
}

/** Errors by their codes, which are grouped by phase and never reused. */
const defineErrors = <const Codes extends Record<string, Entry>>(codes: Codes) => codes

/** Sentences about texts that do not match a pattern, by that pattern. */
const sentences = new Map<string, string>()

/**
 * The pattern of a schema, with the fault to report of a text that does not match it: nobody reads a regular expression.
 * @param fault such as `is not a day; write it like 2026-11-20`
 */
export function form(pattern: string, fault: string): { readonly pattern: string } {
  sentences.set(pattern, fault)
  return { pattern }
}

export const dayForm = form(
  String.raw`^\d{4}-\d{2}-\d{2}$`,
  'is not a valid day; write it like 2026-11-20',
)

/** The fault of a text that does not match a pattern. */
export function sentenceOf(pattern: string): string {
  return sentences.get(pattern) ?? `does not match the pattern ${pattern}`
}

/** Faults of the request itself. */
const requestErrors = defineErrors({
  // Routing
  'HUB-RTE-001': {
    status: 404,
    title: 'Not found',
    explanation: 'The path does not exist. `/docs/api` lists every path of the hub.',
  },
  'HUB-RTE-002': {
    status: 405,
    title: 'Method not allowed',
    explanation:
      'The path exists, but not for this method. The `Allow` header lists the allowed methods.',
  },
  'HUB-RTE-003': {
    status: 404,
    title: 'Record not found',
    explanation: 'No record has this identifier, or it is closed to this caller.',
  },
  'HUB-RTE-004': {
    status: 431,
    title: 'Request header too large',
    explanation:
      'The URL and headers of a request can have 16 KiB together. Send long polygons and filters with `POST /v1/{EntityType}Search`.',
  },
  'HUB-RTE-005': {
    status: 400,
    title: 'Not HTTP',
    explanation:
      'The connection did not send a valid HTTP/1.1 request: the method is unknown, or a line or header is malformed.',
  },
  'HUB-RTE-006': {
    status: 408,
    title: 'Request too slow',
    explanation:
      'The request did not arrive in time (`HUB_HEADERS_TIMEOUT`, `HUB_REQUEST_TIMEOUT`). Send it again.',
  },
  'HUB-RTE-007': {
    status: 404,
    title: 'No source item',
    explanation:
      'The record exists, but its source item does not: the record was not pushed or imported, or its message is no longer kept. Request another format.',
  },
  'HUB-RTE-008': {
    status: 412,
    title: 'Record has changed',
    explanation:
      'Somebody else has changed the record since you read it: its ETag is no longer the one sent as `If-Match`. Read it again and repeat your change.',
  },
  // Reading the request
  'HUB-QRY-001': {
    status: 400,
    title: 'Invalid parameter',
    explanation:
      'A query parameter or path segment has an invalid value. `errors` lists each one with the fault and the allowed values.',
  },
  'HUB-QRY-002': {
    status: 400,
    title: 'Repeated parameter',
    explanation: 'A parameter that takes one value was sent more than once. Send it once.',
  },
  'HUB-QRY-003': {
    status: 400,
    title: 'Strict handling not possible',
    explanation:
      'The request has `Prefer: handling=strict`, but the hub would have ignored or changed a part of it. Remove that part or the preference.',
  },
  'HUB-QRY-004': {
    status: 400,
    title: 'Invalid field path',
    explanation:
      "A path in `fields`, `groupby` or `agg` is not valid. Paths look like `Detail.en.Title`, `Tags.[*].Id`, `ImageGallery.[0]` or `Mapping['key.with.dots']`.",
  },
  'HUB-QRY-005': {
    status: 400,
    title: 'Invalid filter expression',
    explanation:
      "`rawfilter` is not a valid expression. `errors` reports the position, what was expected there, and often a suggestion. Expressions look like `and(eq(Active,true),in(Tags.[*].Id,'summer'))`.",
  },
  'HUB-QRY-006': {
    status: 400,
    title: 'Invalid sort expression',
    explanation:
      '`rawsort` is not valid. It is a list of fields; `-` before a field sorts in descending order: `-Detail.en.Title,Shortname`.',
  },
  'HUB-QRY-007': {
    status: 400,
    title: 'Invalid where expression',
    explanation:
      '`where` is not a valid expression. `errors` reports the position, what was expected there, and often a suggestion. Expressions look like `and(scode.eq."P1",mvalue.gt.5)`; texts are in double quotes.',
  },
  'HUB-QRY-008': {
    status: 400,
    title: 'Invalid condition',
    explanation:
      '`where` has valid syntax, but a condition does not apply to this data: the path does not have the field, the operator does not take the value, or the value has another type than the field. `errors` lists the condition and what is allowed.',
  },
  'HUB-QRY-009': {
    status: 400,
    title: 'Invalid select',
    explanation:
      '`select` is not valid, or names a field that this path does not have. It is a list such as `scode,smetadata.city,mvalue`; aggregates are written `max(mvalue)`.',
  },
  'HUB-QRY-010': {
    status: 400,
    title: 'Invalid area',
    explanation:
      '`polygon` is not a valid area. It is WKT, `bbc(…)` or `bbi(…)` with pairs of longitude and latitude, `Country.Type.Name`, or an identifier of `/v1/GeoShapes`. Longitude comes first; `;SRID=<number>` selects another coordinate system.',
  },
  'HUB-QRY-011': {
    status: 400,
    title: 'Invalid tag filter',
    explanation:
      '`tagfilter` is not valid. It is `a,b` or `or(a,b)` for any of the tags, or `and(a,b)` for all of them; the two cannot be mixed.',
  },
  'HUB-QRY-012': {
    status: 400,
    title: 'Invalid cursor',
    explanation:
      '`cursor` does not come from a page of this list. Take the cursor from the `Link` header of a page, and send it unchanged with the filters and the order of that page.',
  },
  'HUB-QRY-013': {
    status: 400,
    title: 'Invalid Idempotency-Key',
    explanation:
      '`Idempotency-Key` must have 1 to 255 printable ASCII characters, such as a UUID. Use a new key for each message, and the same key when you send a message again.',
  },
  'HUB-QRY-014': {
    status: 409,
    title: 'Request in progress',
    explanation:
      'A request with the same `Idempotency-Key` is in progress. Wait for its response, or try again after the time in `Retry-After`.',
  },
  'HUB-QRY-015': {
    status: 422,
    title: 'Idempotency-Key already used',
    explanation:
      'Another body was sent to this stream with the same `Idempotency-Key` in the last 24 hours. Use a new key for each message.',
  },
  'HUB-QRY-016': {
    status: 400,
    title: 'Too many groups',
    explanation:
      'Grouping would give more than 10,000 groups. Filter the records, or group by fewer paths or by one that has fewer values. `/v1/Distinct` lists any number of values.',
  },
  'HUB-BDY-001': {
    status: 400,
    title: 'Invalid body',
    explanation: 'The body is not valid for its Content-Type. `detail` reports where the fault is.',
  },
  'HUB-BDY-002': {
    status: 413,
    title: 'Body too large',
    explanation: 'The body exceeds the limit in `detail`. Split it into several requests.',
  },
  'HUB-BDY-003': {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'This path does not accept the Content-Type or Content-Encoding of the body.',
  },
  'HUB-BDY-004': {
    status: 400,
    title: 'Identifier taken',
    explanation:
      'POST creates records, and a record with this identifier exists. Change it with PUT, or omit the identifier to get a new one.',
  },
  'HUB-BDY-005': {
    status: 400,
    title: 'Patch does not apply',
    explanation:
      'An operation of the JSON patch (RFC 6902) names a field that does not exist, or its test failed. `errors` reports which operation. Nothing was written.',
  },
  'HUB-BDY-006': {
    status: 400,
    title: 'Batch refused',
    explanation:
      'Some items of the batch are not valid; `errors` lists each with its JSON pointer. A batch is written as a whole or not at all, so nothing was written. To store the valid items regardless, push them.',
  },
})

/** Faults of a file to convert, or of its URL. */
const conversionErrors = defineErrors({
  'HUB-GEO-001': {
    status: 400,
    title: 'Invalid file',
    explanation:
      'The file is not well-formed KML or GPX, contains a document type, or a position is missing. `detail` reports the line and the column. Only the five entities of XML are allowed. Unpack a compressed KMZ first.',
  },
  'HUB-GEO-002': {
    status: 400,
    title: 'URL not allowed',
    explanation:
      'The hub fetches files only with http or https, from ports 80, 443, 8080 and 8443 of public IP addresses: not from a private network, and not with a user name or password in the URL. Send the file itself with POST.',
  },
  'HUB-GEO-003': {
    status: 404,
    title: 'URL not found',
    explanation:
      'The file could not be fetched: the host is unknown, does not respond, or responded with a status other than 200. `detail` reports which.',
  },
  'HUB-GEO-004': {
    status: 413,
    title: 'File too large',
    explanation:
      'A file can have 10 MiB and 1,000,000 positions. Split it, or remove what you do not need.',
  },
  'HUB-GEO-005': {
    status: 504,
    title: 'URL too slow',
    explanation:
      'The file did not arrive within ten seconds. Try again later, or send the file itself with POST.',
  },
  'HUB-GEO-006': {
    status: 503,
    title: 'Too many conversions at once',
    explanation:
      'The hub converts only a few files at a time. Try again after the time in `Retry-After`.',
  },
})

/** Reasons why the hub does not carry out a valid request. */
const serviceErrors = defineErrors({
  // Access
  'HUB-ACC-001': {
    status: 401,
    title: 'Authentication required',
    explanation: 'This path requires a bearer token: `Authorization: Bearer <ACCESS_TOKEN>`.',
  },
  'HUB-ACC-002': {
    status: 401,
    title: 'Invalid token',
    explanation:
      'The token is malformed, expired, not yet valid, or from another issuer. Get a new one from the token endpoint.',
  },
  'HUB-ACC-003': {
    status: 403,
    title: 'Not authorized',
    explanation:
      'The token is valid, but its client or user does not have permission. Ask the operator for access.',
  },
  'HUB-ACC-004': {
    status: 503,
    title: 'Identity provider unavailable',
    explanation:
      'The hub could not check the token, because the identity provider does not respond. Try again.',
  },
  // Quotas
  'HUB-QTA-001': {
    status: 429,
    title: 'Time range too long',
    explanation:
      'A request can cover 5 days of history without a token and a Referer, 100 days with a Referer (or the parameter `referer`), 1000 days with a token, and any range with the roles HUB_ROLE_ADVANCED and HUB_ROLE_PREMIUM. How long ago the range is does not matter. Request several shorter ranges.',
  },
  'HUB-QTA-002': {
    status: 429,
    title: 'Request quota exhausted',
    explanation:
      'Limits apply per second and path: 10 requests without a token and a Referer, 20 with a Referer (or the parameter `referer`), 50 with a token, 100 with the role HUB_ROLE_ADVANCED and 200 with HUB_ROLE_PREMIUM. All requests from one IP address are limited to `HUB_QUOTA_PER_ADDRESS`, 500 by default. Wait for the time in `Retry-After`. `GET /quota` shows which limits apply to you, and why; the headers `RateLimit` and `X-Rate-Limit-Remaining` of every response show what remains. To make fewer requests, use larger pages.',
  },
  // The hub itself
  'HUB-SRV-001': {
    status: 500,
    title: 'Internal error',
    explanation:
      'The hub failed. Report the request id in `instance` to the operator; the log has the reason.',
  },
  'HUB-SRV-002': {
    status: 503,
    title: 'Database unavailable',
    explanation: 'The database does not respond. Try again after the time in `Retry-After`.',
  },
  'HUB-SRV-003': {
    status: 503,
    title: 'Statement timeout',
    explanation:
      'The database took longer than `HUB_STATEMENT_TIMEOUT`. Request less: a shorter range, fewer types, a more selective filter.',
  },
  'HUB-SRV-004': {
    status: 503,
    title: 'Starting or stopping',
    explanation: 'The hub is starting or shutting down. Try again after the time in `Retry-After`.',
  },
  // HUB-SRV-005 was: no source of free rooms. Codes are never reused.
  'HUB-SRV-006': {
    status: 503,
    title: 'Disk full',
    explanation:
      'The disk of the database is full or nearly full. The request was not stored. Try again after the time in `Retry-After`; the operator must free disk space.',
  },
  'HUB-SRV-007': {
    status: 503,
    title: 'Push queue full',
    explanation:
      'Too many messages are waiting (`HUB_PUSH_QUEUE_LIMIT`), or too many large ones are arriving at once to fit into memory. The request was not stored. Try again after the time in `Retry-After`.',
  },
  'HUB-SRV-008': {
    status: 503,
    title: 'Too many heavy requests',
    explanation:
      'Some requests keep the database busy for long: `near`, `explain`, long conditions, buckets over years. Only a few of them run at once, so that other requests do not wait, and too many are waiting already. Try again after the time in `Retry-After`, or request less.',
  },
  // The Explorer
  'HUB-WEB-001': {
    status: 503,
    title: 'Explorer not built',
    explanation:
      'The Explorer was not built before the hub started. The operator must run `npm run build` and restart the hub. The API works without it.',
  },
})

/**
 * Every error that a caller can receive, once: status, title, and the explanation on the page behind its `type`
 * (decision D1).
 */
export const catalogue = { ...requestErrors, ...conversionErrors, ...serviceErrors }

export type ErrorCode = keyof typeof catalogue
