import { Type } from 'typebox'
import type { Static } from 'typebox'
import {
  alertSettings,
  changeSettings,
  exportSettings,
  measurementSettings,
  mirrorSettings,
  optionalText,
} from './data-settings.ts'
import { portalSettings } from './portal-settings.ts'
import { quantity } from './quantity.ts'

const explorerSettings = {
  HUB_TITLE: Type.String({
    default: 'Hub',
    minLength: 1,
    maxLength: 60,
    description: 'Name of the hub in the Explorer and for portals that harvest its catalogue.',
  }),
  HUB_EXPLORER_CLIENT: optionalText({
    minLength: 1,
    maxLength: 200,
    description:
      'Id of the public client for logging in to the Explorer; its redirect URI is `{HUB_PUBLIC_URL}/login/done`. Without it the Explorer has no login, except in the demo, which uses `hub-explorer`. See docs/token-service.md.',
  }),
  HUB_MAP_TILES: optionalText({
    pattern: '^https?://[^\\s]*\\{z\\}[^\\s]*$',
    description:
      'URL template of the background tiles of maps, such as `https://tiles.example/{z}/{x}/{y}.png`. Browsers fetch them from there. Without it maps show shapes of the hub in the background, and no third party receives requests.',
  }),
  HUB_MAP_STYLE: optionalText({
    pattern: '^(https?://\\S+|[\\w-][\\w.-]*\\.(json|pmtiles))$',
    description:
      'MapLibre style or PMTiles archive for the background of maps, instead of tiles: a URL such as `https://maps.example/style.json`, or the name of a file such as `region.pmtiles` in the folder `map` of `HUB_DATA_DIR`. The hub then serves all files of this folder at `/map/`. It reads the style when it starts, and allows browsers to fetch from the hosts that the style names.',
  }),
  HUB_MAP_ATTRIBUTION: optionalText({
    minLength: 1,
    maxLength: 200,
    description: 'Attribution that the tiles or the style require; plain text.',
  }),
  HUB_EMBED_ORIGINS: optionalText({
    pattern: '^(\\*|https?://[\\w.:-]+( https?://[\\w.:-]+)*)$',
    description:
      'Websites that may show views of the Explorer in a frame, at `?embed=true`: origins such as `https://www.example.org`, separated by spaces, or `*` for all. Views in frames have no login. Default: only pages of the hub itself.',
  }),
}

const pushSettings = {
  HUB_PUSH_BODY_LIMIT: quantity('B', {
    default: 10_485_760,
    minimum: 1024,
    maximum: 1_073_741_824,
    description: 'Maximum size of a pushed message, decompressed.',
  }),
  HUB_MAPPINGS: optionalText({
    minLength: 1,
    description:
      'Folder of the mappings, which convert the messages of streams (docs/push-mappings.md). Without it the hub reads only the canonical formats.',
  }),
  HUB_MAPPING_MEMORY: quantity('MiB', {
    default: 256,
    minimum: 64,
    maximum: 65_536,
    description:
      'Maximum memory of the process that evaluates mappings; a message that needs more is rejected.',
  }),
  HUB_PUSH_WORKERS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 32,
    description:
      'Number of messages that one process handles at a time, each with its own database connection; the embedded database allows one. 0: only accept messages, and leave them to other processes.',
  }),
  HUB_PUSH_QUEUE_LIMIT: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: 100_000_000,
    description: 'Maximum number of waiting messages; beyond it pushes are refused with 503.',
  }),
  HUB_PUSH_DISK: optionalText({
    minLength: 1,
    description:
      'A folder on the disk of the PostgreSQL database, if it is visible to the hub. Not needed for the embedded database.',
  }),
  HUB_PUSH_DISK_RESERVE: quantity('MiB', {
    default: 256,
    minimum: 0,
    maximum: 1_048_576,
    description: 'Free space required on that disk; below it pushes are refused with 503.',
  }),
  HUB_PUSH_KEEP_DAYS: quantity('d', {
    default: 365,
    minimum: 0,
    maximum: 36_500,
    description:
      'How long to keep processed messages, unless their stream has its own setting (`hub push stream`). 0: forever.',
  }),
  HUB_PUSH_UNREAD_DAYS: quantity('d', {
    default: 90,
    minimum: 0,
    maximum: 36_500,
    description:
      'How long to keep unread messages, whose stream has no mapping, unless the stream has its own setting. 0: forever.',
  }),
  HUB_PUSH_UNREAD_LIMIT: quantity('MiB', {
    default: 1024,
    minimum: 0,
    maximum: 1_048_576,
    description:
      'Maximum total size of unread messages; beyond it the oldest are deleted. 0: no limit.',
  }),
  HUB_PUSH_STATION_WAIT: quantity('s', {
    default: 900,
    minimum: 0,
    maximum: 86_400,
    description:
      'How long to retry a message with unknown stations or data types; the known part is stored at once. Does not apply to streams in strict order. 0: reject it at once.',
  }),
  HUB_PUSH_PATIENCE: quantity('s', {
    default: 30,
    minimum: 1,
    maximum: 3600,
    description: 'How long to wait for the next byte of a body before the request ends with 408.',
  }),
}

/**
 * Every setting once: its values, its default (without one it is optional) and its meaning.
 * Validation, the frozen `Config`, `.env.example` and `docs/configuration.md` are derived from this
 * schema. `secret` values are never printed, neither in errors nor in logs.
 */
export const settings = Type.Object({
  HUB_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP server; 0 selects a free one.',
  }),
  HUB_HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'IP address to listen on. Use `0.0.0.0` in a container.',
  }),
  HUB_PUBLIC_URL: optionalText({
    pattern: '^https?://[^\\s]+[^\\s/]$',
    url: true,
    description:
      'URL at which callers reach the hub, without a trailing slash, for absolute links. It can have a path for the API; the Explorer requires a URL without one. Default: host and port.',
  }),
  HUB_DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder of the embedded database (without `DATABASE_URL`) and of map files.',
  }),
  HUB_EMBEDDED_SYNC: Type.Enum(['off', 'on'], {
    default: 'off',
    description:
      '`on`: the embedded database writes every commit to the disk before it is acknowledged, so that a power failure loses no acknowledged data; each commit then takes some milliseconds longer (docs/embedded-database.md).',
  }),
  DATABASE_URL: optionalText({
    pattern: '^postgres(ql)?://',
    url: true,
    secret: true,
    description:
      'PostgreSQL ≥ 15 with PostGIS ≥ 3.3. Without it the hub runs an embedded database.',
  }),
  DATABASE_READ_URL: optionalText({
    pattern: '^postgres(ql)?://',
    url: true,
    secret: true,
    description:
      'A streaming replica for reads; each node can have its own (docs/operation.md). Default: `DATABASE_URL`.',
  }),
  HUB_KEY: Type.Array(Type.String({ pattern: '^(plain|[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$' }), {
    default: [],
    secret: true,
    description:
      'Keys that encrypt the secrets in the database (docs/backup.md), comma-separated: 32 bytes in base64 each, as `openssl rand -base64 32` prints them. The first key encrypts, all decrypt; `plain` as the first one stores secrets unencrypted. Must be the same on all nodes. Default: none, so secrets are stored unencrypted.',
  }),
  HUB_DATABASE_POOLER: Type.Enum(['none', 'transaction'], {
    default: 'none',
    description:
      '`transaction` if a pooler such as PgBouncer in transaction mode is in front of PostgreSQL (docs/operation.md): the hub then uses neither prepared statements nor session state.',
  }),
  HUB_DATABASE_CONNECTIONS: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1000,
    description:
      'Maximum number of connections that one process opens, plus a fifth as many for slow requests. The embedded database always has one.',
  }),
  HUB_STATEMENT_TIMEOUT: quantity('ms', {
    default: 30_000,
    minimum: 100,
    maximum: 3_600_000,
    description:
      'Time after which the hub cancels a statement and returns 503; half of it for slow requests.',
  }),
  HUB_PROFILE: Type.Enum(['strict', 'compatible'], {
    default: 'strict',
    description:
      '`strict` follows the interface to the letter, `compatible` does what existing clients expect.',
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
      'IANA time zone of the accommodations, in which the days of availability checks begin.',
  }),
  HUB_TRAFFIC_COUNTRY: Type.String({
    default: 'it',
    pattern: '^[a-z]{2}$',
    description: 'Country of the traffic feed: a DATEX II country code, such as `at`.',
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
  HUB_ISSUER: optionalText({
    pattern: '^https?://[^\\s]+[^\\s/]$',
    url: true,
    description: 'Issuer of accepted tokens. Required with `HUB_IDENTITY=external`.',
  }),
  HUB_REALM: Type.String({
    default: 'hub',
    pattern: '^[a-z0-9][a-z0-9_-]*$',
    description: 'Realm name in the paths of the embedded token service.',
  }),
  HUB_AUDIENCE: optionalText({
    minLength: 1,
    description:
      'Client id of the hub at the issuer. If set, `aud` of a token must contain it. Only the client roles (`resource_access`) of this client count, or of `hub` if not set. Required with `HUB_IDENTITY=external`.',
  }),
  HUB_PUSH_AUDIENCE: Type.String({
    default: 'hub-push',
    minLength: 1,
    description: 'Client id of the resource server that decides who can push where.',
  }),
  HUB_DEVELOPMENT_CLIENT: Type.Enum(['on', 'off'], {
    default: 'off',
    description: '`on` lets any client_id without a secret log users in. For development only.',
  }),
  HUB_QUOTA: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      '`off` disables the quotas of requests and of history, with a warning at start. See docs/quotas.md.',
  }),
  HUB_QUOTA_PER_ADDRESS: Type.Integer({
    default: 500,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Maximum requests per second from one IP address, over all paths and kinds of caller; further requests are refused with 429. See docs/quotas.md.',
  }),
  HUB_REDIS_URL: optionalText({
    pattern: '^rediss?://',
    url: true,
    secret: true,
    description:
      'Redis or Valkey with which several nodes count requests together. Without it each node counts separately.',
  }),
  HUB_TRUSTED_PROXIES: Type.Array(Type.String(), {
    default: [],
    description:
      'IP addresses or networks (CIDR, or `loopback`, `linklocal`, `uniquelocal`) of trusted proxies, comma-separated. The hub trusts the client address that they report.',
  }),
  HUB_PROXY_HEADER: Type.Enum(['x-forwarded-for', 'forwarded'], {
    default: 'x-forwarded-for',
    description:
      'Header in which those proxies report the client. The other one is ignored, because proxies forward it as the client sent it.',
  }),
  HUB_MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Maximum number of open connections of one process; further ones are closed at once. Keep it below the limit of the operating system (`ulimit -n`).',
  }),
  HUB_HEADERS_TIMEOUT: quantity('s', {
    default: 30,
    minimum: 1,
    maximum: 3600,
    description:
      'Time within which the headers of a request must arrive; otherwise the hub returns 408.',
  }),
  HUB_REQUEST_TIMEOUT: quantity('s', {
    default: 300,
    minimum: 1,
    maximum: 86_400,
    description:
      'Time within which a complete request with its body must arrive; otherwise the hub returns 408.',
  }),
  HUB_BODY_LIMIT: quantity('B', {
    default: 10_485_760,
    minimum: 1024,
    maximum: 1_073_741_824,
    description: 'Maximum size of the body of a content write.',
  }),
  HUB_ANSWER_MEMORY: quantity('B', {
    default: 33_554_432,
    minimum: 0,
    maximum: 68_719_476_736,
    description:
      'Memory for caching responses. The hub checks at each request whether the data of a cached response is unchanged. The latest values of series and lists of stations are cached as well, in up to twice this memory, and only changed ones are read again. 0: no cache.',
  }),
  HUB_SECURITY_CONTACT: Type.Array(
    Type.String({ pattern: '^(mailto:|https://|tel:)[\\x21-\\x7e]+$' }),
    {
      default: [],
      description:
        'Contacts for reporting a vulnerability, such as `mailto:security@example.org`, comma-separated, published at `/.well-known/security.txt`.',
    },
  ),
  HUB_CLIENT_ORIGIN_PREFIXES: Type.Array(Type.String(), {
    default: ['webcomp-'],
    description:
      'Values of the `origin` parameter with one of these prefixes identify a client, not a data origin.',
  }),
  HUB_LICENCES: Type.Array(Type.String({ pattern: '^[^=]+=.+$' }), {
    default: [],
    description:
      'Licences in the catalogue for open data without a licence of its own, by origin, such as `skidata=CC-BY-4.0,*=CC0-1.0`; `*` is every other origin.',
  }),
  HUB_MCP_ORIGINS: optionalText({
    pattern: '^(\\*|https?://[\\w.:-]+( https?://[\\w.:-]+)*)$',
    description:
      'Websites whose pages may use `/mcp` (docs/mcp.md): origins such as `https://assistant.example.org`, separated by spaces, or `*` for all. Pages of the hub, and programs that are not websites, always may.',
  }),
  ...portalSettings,
  HUB_GBFS: optionalText({
    minLength: 1,
    description:
      'Folder with the files of sharing systems that the hub publishes as GBFS (docs/gbfs.md). Default: none; in the demo those of its region.',
  }),
  ...changeSettings,
  ...exportSettings,
  ...alertSettings,
  ...mirrorSettings,
  ...pushSettings,
  ...measurementSettings,
  ...explorerSettings,
  HUB_SERVER_TIMING: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      '`on` reports in `Server-Timing` how long a response and its statements took, in whole milliseconds.',
  }),
  HUB_METRICS: optionalText({
    pattern: '^(on|off|[1-9]\\d{0,4}|token:[!-~]{16,})$',
    secret: true,
    description:
      'Who can read `/metrics`. `on`: everybody; `off`: nobody; a port (`9090`): whoever can reach that port on `HUB_HOST`; `token:…`: callers that send this token of at least 16 characters as `Authorization: Bearer`. Default: `on` while `HUB_HOST` is a loopback address, otherwise `off`.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalText({
    pattern: '^https?://',
    url: true,
    secret: true,
    description:
      'Base URL of the OpenTelemetry collector that receives traces (OTLP over HTTP), such as `http://localhost:4318`. Without it tracing is off and costs nothing.',
  }),
  HUB_TRACE_SHARE: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description:
      'Share of the requests to trace, 0 to 1. For requests with a `traceparent` the caller decides.',
  }),
  HUB_LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Log level; the log is JSON lines on standard output.',
  }),
  HUB_LOG_ADDRESSES: Type.Enum(['full', 'shortened', 'none'], {
    default: 'shortened',
    description:
      'How much of client IP addresses the log contains: `shortened` is their network, /24 or /48 for IPv6.',
  }),
})

/** The settings of one process, validated and frozen. Each feature gets the slice that it needs. */
export type Config = Readonly<Static<typeof settings>>
