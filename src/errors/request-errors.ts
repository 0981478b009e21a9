import { defineErrors } from './entry.ts'

/** What can be wrong with a request itself. */
export const requestErrors = defineErrors({
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
      'What came over the connection is no request of HTTP/1.1: the method is unknown, or a line or header is malformed.',
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
      "`rawfilter` cannot be read. `errors` tells the position, what could stand there, and often what was meant. Expressions look like `and(eq(Active,true),in(Tags.[*].Id,'summer'))`.",
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
