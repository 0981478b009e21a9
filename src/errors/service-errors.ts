import { defineErrors } from './entry.ts'

/** What keeps the hub from doing what a good request asks for. */
export const serviceErrors = defineErrors({
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
