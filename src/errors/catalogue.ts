type Entry = {
  readonly status: number
  readonly title: string
  /** What happened and what to do, for the documentation page of this error. */
  readonly explanation: string
}

/** Errors by their codes, which are grouped by phase and never reused. */
const defineErrors = <const Codes extends Record<string, Entry>>(codes: Codes) => codes

/** Sentences about texts, by the pattern that they do not fit. */
const sentences = new Map<string, string>()

/**
 * The pattern of a schema, with what to say of a text that does not fit: nobody reads a regular expression.
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

/** What is wrong with a text that does not fit a pattern. */
export function sentenceOf(pattern: string): string {
  return sentences.get(pattern) ?? `does not fit the pattern ${pattern}`
}

/** What can be wrong with a request itself. */
const requestErrors = defineErrors({
  // Routing
  'HUB-RTE-001': {
    status: 404,
    title: 'Not found',
    explanation: 'There is no such address. `/docs` lists every route of the hub.',
  },
  'HUB-RTE-002': {
    status: 405,
    title: 'Method not allowed',
    explanation:
      'The address exists, but not for this method; the `Allow` header lists those it takes.',
  },
  'HUB-RTE-003': {
    status: 404,
    title: 'No such record',
    explanation:
      'No record has this identifier, or it is closed and the token, if any, does not open it.',
  },
  'HUB-RTE-004': {
    status: 431,
    title: 'Request header too large',
    explanation:
      'The address and headers of a request may have 16 KiB together. Send long polygons and filters with `POST /v1/{EntityType}Search`.',
  },
  'HUB-RTE-005': {
    status: 400,
    title: 'Not HTTP',
    explanation:
      'What came over the connection is not a request of HTTP/1.1: the method is unknown, or a line or header is malformed.',
  },
  'HUB-RTE-006': {
    status: 408,
    title: 'Request too slow',
    explanation:
      'The request was not complete in time (`HUB_HEADERS_TIMEOUT`, `HUB_REQUEST_TIMEOUT`). Send it again.',
  },
  'HUB-RTE-007': {
    status: 404,
    title: 'No source item',
    explanation:
      'The record is there, but not what it was made from: it was not pushed or imported, or its message is no longer kept. Ask for another format.',
  },
  'HUB-RTE-008': {
    status: 412,
    title: 'Changed meanwhile',
    explanation:
      'The record is no longer the one whose ETag was sent as `If-Match`: somebody else has written it. Read it again, and repeat the change on what it is now.',
  },
  // Reading the request
  'HUB-QRY-001': {
    status: 400,
    title: 'Invalid parameter',
    explanation:
      'A query parameter or path segment has a value that it cannot take. `errors` names each one, says what was wrong and what is allowed.',
  },
  'HUB-QRY-002': {
    status: 400,
    title: 'Repeated parameter',
    explanation: 'A parameter that takes one value was given more than once. Send it once.',
  },
  'HUB-QRY-003': {
    status: 400,
    title: 'Request not strictly understood',
    explanation:
      'The request asked for `Prefer: handling=strict`, and a part of it would have been ignored or changed. Remove that part, or the preference.',
  },
  'HUB-QRY-004': {
    status: 400,
    title: 'Invalid field path',
    explanation:
      "A path in `fields` cannot be read. Paths look like `Detail.en.Title`, `Tags.[*].Id`, `ImageGallery.[0]` or `Mapping['key.with.dots']`.",
  },
  'HUB-QRY-005': {
    status: 400,
    title: 'Invalid filter expression',
    explanation:
      "`rawfilter` cannot be read. `errors` reports the position, what could stand there, and often what was meant. Expressions look like `and(eq(Active,true),in(Tags.[*].Id,'summer'))`.",
  },
  'HUB-QRY-006': {
    status: 400,
    title: 'Invalid sort expression',
    explanation:
      '`rawsort` cannot be read. It is a list of fields, each with `-` before it to sort downwards: `-Detail.en.Title,Shortname`.',
  },
  'HUB-QRY-007': {
    status: 400,
    title: 'Invalid where expression',
    explanation:
      '`where` cannot be read. `errors` tells the position, what could stand there, and often what was meant. Expressions look like `and(scode.eq."P1",mvalue.gt.5)`; texts stand between double quotes.',
  },
  'HUB-QRY-008': {
    status: 400,
    title: 'Meaningless condition',
    explanation:
      '`where` can be read, but a condition in it says nothing about this data: there is no such field at this address, no such operator for this value, or the value is of another type than the field. `errors` tells which, and what is allowed.',
  },
  'HUB-QRY-009': {
    status: 400,
    title: 'Invalid select',
    explanation:
      '`select` cannot be read, or names what this address does not show. It is a list such as `scode,smetadata.city,mvalue`; aggregates are written `max(mvalue)`.',
  },
  'HUB-QRY-010': {
    status: 400,
    title: 'Invalid area',
    explanation:
      '`polygon` cannot be read, or names no area: WKT, `bbc(…)` or `bbi(…)` with pairs of longitude and latitude, `Country.Type.Name` or an identifier of `/v1/GeoShapes`. Longitude comes first; `;SRID=<number>` names another coordinate system.',
  },
  'HUB-QRY-011': {
    status: 400,
    title: 'Invalid tag filter',
    explanation:
      '`tagfilter` cannot be read. It is `a,b` or `or(a,b)` for any of the tags, or `and(a,b)` for all of them; the two cannot be mixed.',
  },
  'HUB-QRY-012': {
    status: 400,
    title: 'Invalid cursor',
    explanation:
      '`cursor` is none that a page of this list gave. Cursors come in the `Link` header of each page and are passed on unchanged, with the filters and the order of that page.',
  },
  'HUB-QRY-013': {
    status: 400,
    title: 'Invalid Idempotency-Key',
    explanation:
      '`Idempotency-Key` is 1 to 255 printable ASCII characters, such as a UUID: a new one for each message, and the same one when a message is sent again.',
  },
  'HUB-QRY-014': {
    status: 409,
    title: 'Request still running',
    explanation:
      'A request with the same `Idempotency-Key` is being answered. Wait for its answer, or try again after the time in `Retry-After`.',
  },
  'HUB-QRY-015': {
    status: 422,
    title: 'Idempotency-Key used before',
    explanation:
      'Another body was sent to this stream with the same `Idempotency-Key` in the last 24 hours. Take a new key for each message.',
  },
  'HUB-BDY-001': {
    status: 400,
    title: 'Invalid body',
    explanation:
      'The body could not be read as its Content-Type says. `detail` tells where it breaks.',
  },
  'HUB-BDY-002': {
    status: 413,
    title: 'Body too large',
    explanation: 'The body is larger than the limit that `detail` names. Send it in parts.',
  },
  'HUB-BDY-003': {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'The body has a Content-Type or Content-Encoding that this address does not take.',
  },
  'HUB-BDY-004': {
    status: 400,
    title: 'Identifier taken',
    explanation:
      'POST creates records, and this identifier is taken. Change the record with PUT, or leave the identifier out to be given a new one.',
  },
  'HUB-BDY-005': {
    status: 400,
    title: 'Patch does not apply',
    explanation:
      'An operation of the JSON patch (RFC 6902) names a member that is not there, or its test failed; `errors` says which operation. Nothing was written.',
  },
  'HUB-BDY-006': {
    status: 400,
    title: 'Batch refused',
    explanation:
      'Items of the batch cannot be taken; `errors` names each with its JSON pointer. A batch is written as a whole or not at all, so nothing was written. Push records that may be taken one by one.',
  },
})

/** What can be wrong with a file that is to be converted, or with the URL that it is at. */
const conversionErrors = defineErrors({
  'HUB-GEO-001': {
    status: 400,
    title: 'File not understood',
    explanation:
      'The file is not well-formed KML or GPX, holds a document type, or has no position where one must be. `detail` names the line and the column. Entities other than the five of XML are not taken, and a compressed KMZ has to be unpacked first.',
  },
  'HUB-GEO-002': {
    status: 400,
    title: 'URL not allowed',
    explanation:
      'Files are fetched with http or https from ports 80, 443, 8080 and 8443 of public addresses only: not from inside of a network, and not with a user name or a password in the URL. Send the file itself with POST.',
  },
  'HUB-GEO-003': {
    status: 404,
    title: 'URL not found',
    explanation:
      'There is no file to be had at the URL: the host is unknown or does not answer, or it answered with another status than 200. `detail` tells which.',
  },
  'HUB-GEO-004': {
    status: 413,
    title: 'File too large',
    explanation:
      'A file may have 10 MiB and 1,000,000 positions. Split it, or leave out what is not needed.',
  },
  'HUB-GEO-005': {
    status: 504,
    title: 'URL too slow',
    explanation:
      'The file did not come within ten seconds. Try again later, or send the file itself with POST.',
  },
  'HUB-GEO-006': {
    status: 503,
    title: 'Too many conversions at once',
    explanation: 'A few files are converted at a time. Try again after the time in `Retry-After`.',
  },
})

/** What keeps the hub from doing what a valid request asks for. */
const serviceErrors = defineErrors({
  // Access
  'HUB-ACC-001': {
    status: 401,
    title: 'Authentication required',
    explanation: 'This address needs a bearer token: `Authorization: Bearer <ACCESS_TOKEN>`.',
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
      'The token is valid, but its client or user may not do this. Ask the operator for access.',
  },
  'HUB-ACC-004': {
    status: 503,
    title: 'Identity provider unreachable',
    explanation:
      'The token could not be checked, because the identity provider does not answer. Try again.',
  },
  // Quotas
  'HUB-QTA-001': {
    status: 429,
    title: 'Range of history too long',
    explanation:
      'Callers without a token and a Referer get 5 days of history at once, with a Referer (or the parameter `referer`) 100 days, with a token 1000 days; the roles HUB_ROLE_ADVANCED and HUB_ROLE_PREMIUM get any range. How long ago the range is does not matter. Ask for shorter ranges one after another.',
  },
  'HUB-QTA-002': {
    status: 429,
    title: 'Request quota exhausted',
    explanation:
      'In one second and for each path, callers without a token and a Referer have 10 requests, with a Referer (or the parameter `referer`) 20, with a token 50, with the role HUB_ROLE_ADVANCED 100 and with HUB_ROLE_PREMIUM 200. All requests from one address together have `HUB_QUOTA_PER_ADDRESS`, 500 by default. Wait as long as `Retry-After` says. `GET /quota` tells which of these you are, and why; the headers `RateLimit` and `X-Rate-Limit-Remaining` of every answer tell what is left. Larger pages and `If-None-Match` need fewer requests.',
  },
  // The hub itself
  'HUB-SRV-001': {
    status: 500,
    title: 'Internal error',
    explanation: 'The hub failed. Report the request id in `instance`; the log has the reason.',
  },
  'HUB-SRV-002': {
    status: 503,
    title: 'Database unreachable',
    explanation: 'The database does not answer. Try again after the time in `Retry-After`.',
  },
  'HUB-SRV-003': {
    status: 503,
    title: 'Statement timeout',
    explanation:
      'The database needed longer than `HUB_STATEMENT_TIMEOUT` allows. Ask for less: a shorter range, fewer types, a more selective filter.',
  },
  'HUB-SRV-004': {
    status: 503,
    title: 'Starting or stopping',
    explanation: 'The hub is starting or shutting down. Try again after the time in `Retry-After`.',
  },
  // HUB-SRV-005 was: no source of free rooms. Codes are never reused.
  'HUB-SRV-006': {
    status: 503,
    title: 'No room',
    explanation:
      'The disk of the database is full, or nearly so. Nothing of the request was stored. Try again after the time in `Retry-After`; the operator has to make room.',
  },
  'HUB-SRV-007': {
    status: 503,
    title: 'Too much is waiting',
    explanation:
      'So many pushed messages wait to be worked on that no more are taken (`HUB_PUSH_QUEUE_LIMIT`), or so many large ones come at once that one found no room in memory. Nothing of the request was stored. Try again after the time in `Retry-After`.',
  },
  'HUB-SRV-008': {
    status: 503,
    title: 'Too many heavy requests',
    explanation:
      'Some requests take the database long: `near`, `explain`, long conditions, buckets over years. Only a few run at once, so that others do not wait for them, and too many wait already. Try again after the time in `Retry-After`, or ask for less.',
  },
  // The Explorer
  'HUB-WEB-001': {
    status: 503,
    title: 'Page not built',
    explanation:
      'This hub has no Explorer: the page was not built before the hub was started. The operator runs `npm run build` and starts it again. All data is there without it.',
  },
})

/**
 * Every error that a caller can meet, once: status, title, and what the page behind its `type`
 * says (decision D1).
 */
export const catalogue = { ...requestErrors, ...conversionErrors, ...serviceErrors }

export type ErrorCode = keyof typeof catalogue
