import { Type } from 'typebox'
import type { Static } from 'typebox'
import { quantity } from './quantity.ts'

/** What the Explorer, the page of the hub, shows and asks. */
const explorerSettings = {
  HUB_TITLE: Type.String({
    default: 'Hub',
    minLength: 1,
    maxLength: 60,
    description: 'What the hub is called on its page, and by portals that harvest its catalogue.',
  }),
  HUB_EXPLORER_CLIENT: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Id of the public client by which people log in on the page; its redirect URI is `{HUB_PUBLIC_URL}/login/done`. Without it nobody can, but in the demo, where it is `hub-explorer`. See docs/token-service.md.',
    }),
  ),
  HUB_MAP_TILES: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]*\\{z\\}[^\\s]*$',
      description:
        'Template of the background tiles of maps, such as `https://tiles.example/{z}/{x}/{y}.png`. Browsers fetch them from there. Without it the shapes of the hub are the background, and nobody outside is asked.',
    }),
  ),
  HUB_MAP_ATTRIBUTION: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Whom to name for those tiles, as their licence wants it; plain text.',
    }),
  ),
}

/** Which measurements are expected, and how long they are kept. */
const measurementSettings = {
  HUB_MEASUREMENT_YEARS_BACK: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 200,
    description:
      'Years before this one of which each month has a table of its own. Older values are stored in one table together. The same on all nodes.',
  }),
  HUB_MEASUREMENT_YEARS_AHEAD: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 100,
    description:
      'Years after this one of which each month has a table of its own. Later values are stored in one table together. The same on all nodes.',
  }),
  HUB_LATEST_AHEAD: quantity('s', {
    default: 31_622_400,
    minimum: 0,
    maximum: 3_153_600_000,
    description:
      'How far ahead of now a value may lie that is shown as the latest of its series: farther than any forecast. Later values are in the history only.',
  }),
  HUB_MEASUREMENT_KEEP_MONTHS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1200,
    description:
      'Whole months of measurements that are kept beside the one that runs; older values are not taken either. 0: for ever. The same on all nodes.',
  }),
  HUB_MEASUREMENT_RETIREMENT: Type.Enum(['detach', 'move', 'drop'], {
    default: 'detach',
    description:
      'What becomes of the tables of older months: `detach` leaves them beside, `move` puts them into the schema measurement_archive, `drop` deletes them.',
  }),
}

/** What is pushed, and what becomes of it: how much at once, how long it is kept. */
const pushSettings = {
  HUB_PUSH_BODY_LIMIT: quantity('B', {
    default: 10_485_760,
    minimum: 1024,
    maximum: 1_073_741_824,
    description: 'Size that one pushed message may have, unpacked.',
  }),
  HUB_MAPPINGS: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder of the mappings that tell how the messages of streams are understood (docs/push-mappings.md). Without it only the canonical formats are.',
    }),
  ),
  HUB_MAPPING_MEMORY: quantity('MiB', {
    default: 256,
    minimum: 64,
    maximum: 65_536,
    description:
      'Memory that the process which evaluates mappings may have; a message that needs more is rejected.',
  }),
  HUB_PUSH_WORKERS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 32,
    description:
      'Pushed messages that one process works on at a time, each over a database connection of its own; the embedded database allows one. 0: it accepts them and leaves the work to other processes.',
  }),
  HUB_PUSH_QUEUE_LIMIT: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: 100_000_000,
    description: 'Pushed messages that may wait; while more do, further ones are answered 503.',
  }),
  HUB_PUSH_DISK: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A folder on the disk of the PostgreSQL database, where it can be seen from here. The disk of the embedded database is known.',
    }),
  ),
  HUB_PUSH_DISK_RESERVE: quantity('MiB', {
    default: 256,
    minimum: 0,
    maximum: 1_048_576,
    description:
      'Room that must be left on that disk; while there is less, pushes are answered 503.',
  }),
  HUB_PUSH_KEEP_DAYS: quantity('d', {
    default: 365,
    minimum: 0,
    maximum: 36_500,
    description:
      'Time that pushed messages are kept after they are done, for streams that say nothing themselves (`hub push stream`). 0: for ever.',
  }),
  HUB_PUSH_UNREAD_DAYS: quantity('d', {
    default: 90,
    minimum: 0,
    maximum: 36_500,
    description:
      'Time that messages are kept which nothing reads, because their stream has no mapping, for streams that say nothing themselves. 0: for ever.',
  }),
  HUB_PUSH_UNREAD_LIMIT: quantity('MiB', {
    default: 1024,
    minimum: 0,
    maximum: 1_048_576,
    description:
      'Size of all messages that nothing reads; of more, the oldest are deleted. 0: any.',
  }),
  HUB_PUSH_STATION_WAIT: quantity('s', {
    default: 900,
    minimum: 0,
    maximum: 86_400,
    description:
      'Time for which a message is tried again whose stations or data types are not known yet; what is known of it is stored at once. Not for streams that are worked on strictly in their order. 0: it is rejected at once.',
  }),
  HUB_PUSH_PATIENCE: quantity('s', {
    default: 30,
    minimum: 1,
    maximum: 3600,
    description: 'Time that may pass without a byte of a body before it is given up, with 408.',
  }),
}

/**
 * Every setting once: what it takes, its default (none makes it optional) and what it means.
 * Validation, the frozen `Config`, `.env.example` and `docs/configuration.md` follow from this schema.
 * `secret` values are never printed, neither in errors nor in logs.
 */
export const settings = Type.Object({
  HUB_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP server; 0 takes a free one.',
  }),
  HUB_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on. Use `0.0.0.0` in a container.',
  }),
  HUB_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+[^\\s/]$',
      description:
        'Address under which callers reach the hub, without a slash at the end, for absolute links. It may have a path, for programs; the Explorer needs an address without one. Default: host and port.',
    }),
  ),
  HUB_DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder of the embedded database, used when `DATABASE_URL` is not set.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      secret: true,
      description:
        'PostgreSQL ≥ 15 with PostGIS ≥ 3.3. Without it the hub runs an embedded database.',
    }),
  ),
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      secret: true,
      description: 'A replica, or a balancer before several, for reads. Default: `DATABASE_URL`.',
    }),
  ),
  HUB_DATABASE_CONNECTIONS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description:
      'Connections that one process opens at most, and a fifth as many for requests that take long. The embedded database always has one.',
  }),
  HUB_STATEMENT_TIMEOUT: quantity('ms', {
    default: 30_000,
    minimum: 100,
    maximum: 3_600_000,
    description:
      'Time after which a statement is stopped and its request answered 503; half of it for requests that take long.',
  }),
  HUB_PROFILE: Type.Enum(['strict', 'compatible'], {
    default: 'strict',
    description:
      '`strict` follows the interface to the letter, `compatible` what existing clients expect.',
  }),
  HUB_PREFIX: Type.String({
    default: 'Hub',
    pattern: '^[A-Z][A-Za-z]{0,9}$',
    description:
      'Name prefix of the deployment (HubActivityPoi, hubtagfilter). Fixed at the first migration.',
  }),
  HUB_TIME_ZONE: Type.String({
    default: 'Europe/Rome',
    pattern: '^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$',
    description:
      'IANA name of the zone of the houses: where the days of an availability check begin.',
  }),
  HUB_TRAFFIC_COUNTRY: Type.String({
    default: 'it',
    pattern: '^[a-z]{2}$',
    description: 'Country of the traffic feed: a code that DATEX II knows, such as `at`.',
  }),
  HUB_TRAFFIC_LANGUAGE: Type.String({
    default: 'it',
    pattern: '^[a-z]{2,3}$',
    description: 'Main language of the traffic feed.',
  }),
  HUB_IDENTITY: Type.Enum(['embedded', 'external'], {
    default: 'embedded',
    description:
      '`embedded` runs the token service of the hub, `external` trusts the one at `HUB_ISSUER`.',
  }),
  HUB_ISSUER: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+[^\\s/]$',
      description: 'Issuer of accepted tokens. Needed with `HUB_IDENTITY=external`.',
    }),
  ),
  HUB_REALM: Type.String({
    default: 'hub',
    pattern: '^[a-z0-9][a-z0-9_-]*$',
    description: 'Realm name in the paths of the embedded token service.',
  }),
  HUB_AUDIENCE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Client id of the hub at the issuer. When set, a token must name it in `aud`; of the roles of clients (`resource_access`) only those of this one count, or of `hub` when it is not set. Needed with `HUB_IDENTITY=external`.',
    }),
  ),
  HUB_PUSH_AUDIENCE: Type.String({
    default: 'hub-push',
    minLength: 1,
    description: 'Client id of the resource server that decides who may push where.',
  }),
  HUB_DEVELOPMENT_CLIENT: Type.Enum(['on', 'off'], {
    default: 'off',
    description: '`on` lets any client_id without a secret log users in. For development only.',
  }),
  HUB_QUOTA: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      '`off` switches quotas off, of requests and of history, with a warning at start. See docs/quotas.md.',
  }),
  HUB_QUOTA_PER_ADDRESS: Type.Integer({
    default: 500,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Requests in a second from one address, over all paths and kinds of caller; further ones are answered 429. See docs/quotas.md.',
  }),
  HUB_REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      secret: true,
      description:
        'Redis or Valkey in which several nodes count requests together. Without it each node counts its own.',
    }),
  ),
  HUB_TRUSTED_PROXIES: Type.Array(Type.String(), {
    default: [],
    description:
      'Addresses or networks (CIDR), comma-separated, of proxies that are trusted when they name the client.',
  }),
  HUB_PROXY_HEADER: Type.Enum(['x-forwarded-for', 'forwarded'], {
    default: 'x-forwarded-for',
    description:
      'The header in which those proxies name the client; the other one is ignored, since they pass it on as the client wrote it.',
  }),
  HUB_MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Connections that one process takes at a time; further ones are closed at once. Keep it below what the system allows (`ulimit -n`).',
  }),
  HUB_HEADERS_TIMEOUT: quantity('s', {
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      'Time in which the address and the headers of a request must arrive; later it is answered 408.',
  }),
  HUB_REQUEST_TIMEOUT: quantity('s', {
    default: 300,
    minimum: 1,
    maximum: 86_400,
    description:
      'Time in which a request must arrive as a whole, with its body; later it is answered 408.',
  }),
  HUB_BODY_LIMIT: quantity('B', {
    default: 10_485_760,
    minimum: 1024,
    maximum: 1_073_741_824,
    description: 'Size that the body of a write of content may have.',
  }),
  HUB_ANSWER_MEMORY: quantity('B', {
    default: 33_554_432,
    minimum: 0,
    maximum: 68_719_476_736,
    description:
      'Memory for answers that are requested again and again. They are sent again while nothing that they show has changed, which is checked for each request. 0 keeps none.',
  }),
  HUB_SECURITY_CONTACT: Type.Array(
    Type.String({ pattern: '^(mailto:|https://|tel:)[\\x21-\\x7e]+$' }),
    {
      default: [],
      description:
        'Whom to tell of a weakness: addresses such as `mailto:security@example.org`, comma-separated, shown at `/.well-known/security.txt`.',
    },
  ),
  HUB_CLIENT_ORIGIN_PREFIXES: Type.Array(Type.String(), {
    default: ['webcomp-'],
    description:
      'Values of the `origin` parameter with such a prefix name a client, not a data origin.',
  }),
  ...pushSettings,
  ...measurementSettings,
  ...explorerSettings,
  HUB_SERVER_TIMING: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      '`on` tells callers in `Server-Timing` how long an answer and its statements took, in whole milliseconds.',
  }),
  HUB_METRICS: Type.Optional(
    Type.String({
      pattern: '^(on|off|[1-9]\\d{0,4}|token:[!-~]{16,})$',
      secret: true,
      description:
        'Who reads `/metrics`: `on` everybody, `off` nobody, a port (`9090`) whoever reaches that port at `HUB_HOST`, `token:…` who sends that token of at least 16 characters as `Authorization: Bearer`. Default: `on` while `HUB_HOST` is a loopback address, otherwise `off`.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      secret: true,
      description:
        'Base address of an OpenTelemetry collector (OTLP over HTTP), such as `http://localhost:4318`, that traces are sent to. Without it nothing is traced, which costs nothing.',
    }),
  ),
  HUB_TRACE_SHARE: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description:
      'Share of the requests that are traced, 0 to 1; who sends a `traceparent` decides for his own.',
  }),
  HUB_LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged, as JSON lines on standard output.',
  }),
  HUB_LOG_ADDRESSES: Type.Enum(['full', 'shortened', 'none'], {
    default: 'shortened',
    description:
      'How much of the addresses of clients stands in the lines about answers: `shortened` is their network, /24 or /48 of IPv6.',
  }),
})

/** The settings of one process, checked and frozen. Features get the slice that they need. */
export type Config = Readonly<Static<typeof settings>>
