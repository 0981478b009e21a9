import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { anonymous, seesAll } from '../access/index.ts'
import type { RuleTable, Visibility } from '../access/index.ts'
import type { Every } from '../async/index.ts'
import type { Profile } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import {
  answerRead,
  httpDate,
  isPublic,
  jsonType,
  matchesEtag,
  chooseEncoding,
  encodings,
  preferredType,
  weakEtag,
  withheldHeader,
} from '../http/index.ts'
import type { Encoding } from '../http/index.ts'
import { withPlus } from '../lang/zone.ts'
import type { Database } from '../storage/index.ts'
import { eventSource, toInstant } from '../timeseries/index.ts'
import type { Body, FeedDocument, Situations, Version3 } from './feed-document.ts'
import { TrafficFeed, keepCurrent } from './feed.ts'
import type { Build } from './feed.ts'
import {
  discoveryOperation,
  publication3Operation,
  publicationFileOperation,
  publicationOperation,
  sinceDescription,
} from './schemas.ts'

type ServiceDeps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: RuleTable['visibility']
  readonly now: () => Date
  readonly every: Every
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  /** Country and language of the region. The default is Italy, in Italian. */
  readonly publisher?: { readonly country: string; readonly language: string }
  readonly profile?: Profile
  /** A feed that others use, too. By default the service opens its own. */
  readonly feed?: TrafficFeed
}

/** Opens the situations of every provider, as `trafficService` serves them. */
export function openTrafficFeed(deps: Omit<ServiceDeps, 'feed'>): TrafficFeed {
  return new TrafficFeed({
    source: eventSource(deps.database.read, deps.visibilityOf),
    ...(deps.publisher ?? { country: 'it', language: 'it' }),
    titleEnd: deps.profile === 'compatible' ? ' ' : '. ',
    onBuild: reportBuilds(deps),
  })
}

/** Serves the events of the time series service as a feed. It is public: anonymous rights apply. */
export function trafficService(deps: ServiceDeps): FastifyPluginAsync {
  const { publicUrl, visibilityOf, every, now, log, feed = openTrafficFeed(deps) } = deps
  const hasClosedEvents = closedToPublic(visibilityOf)
  const routes = trafficRoutes({ feed, publicUrl, clock: now, hasClosedEvents, log })
  return async (app) => {
    const stop = keepCurrent(feed, {
      every,
      now,
      onError: (err) => {
        log.warn({ err }, 'The traffic feed could not be refreshed; the next request tries again.')
      },
    })
    app.addHook('onClose', (_instance, done) => {
      stop()
      done()
    })
    await app.register(routes)
  }
}

/** Reports builds to log and metrics, with what was left out (decision D55). */
function reportBuilds({
  log,
  metrics,
}: Pick<ServiceDeps, 'log' | 'metrics'>): (build: Build) => void {
  const observe = observeBuilds(metrics)
  return (build) => {
    observe(build)
    const { provider, document, milliseconds, others } = build
    const { situations, leftOut, notes } = document
    const counts = { situations, leftOut: { ...leftOut, address: others.situations } }
    const reported = { ...counts, notes: notes.length, milliseconds: Math.round(milliseconds) }
    log.info({ provider, ...reported }, 'The traffic feed was built.')
    if (others.origins.length > 0) log.info({ provider, origins: others.origins }, hidden)
  }
}

const hidden = 'Other origins have the same URL as this traffic feed, so they have none.'

/** Counts what each build published and left out (decision D55). */
function observeBuilds(registry: Registry): (build: Build) => void {
  const registers = [registry]
  const situations = new Gauge({
    name: 'hub_traffic_situations',
    help: 'Situations in the traffic feed of a provider',
    labelNames: ['provider'],
    registers,
  })
  const leftOut = new Gauge({
    name: 'hub_traffic_left_out',
    help: 'Events that the traffic feed of a provider leaves out, by what they are missing',
    labelNames: ['provider', 'lacks'],
    registers,
  })
  const durations = new Histogram({
    name: 'hub_traffic_build_seconds',
    help: 'Time to build the traffic feed of a provider',
    labelNames: ['provider'],
    registers,
  })
  return ({ provider, document, milliseconds, others }) => {
    situations.set({ provider }, document.situations)
    const counts = { ...document.leftOut, address: others.situations }
    for (const [lacks, count] of Object.entries(counts)) {
      leftOut.set({ provider, lacks }, count)
    }
    durations.observe({ provider }, milliseconds / 1000)
  }
}

type TrafficDeps = {
  readonly feed: TrafficFeed
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly clock: () => Date
  /** Reports whether the current rules may close events to the public. */
  readonly hasClosedEvents: () => boolean
  readonly log?: Pick<FastifyBaseLogger, 'info'>
}

const isFeed = (name: string) => name === 'situation-publication' || name === 'Announcement'

/** Header of every response about closed events, which are in no feed. */
const withheld = withheldHeader(['records'], 'public-feed')

/** Checks whether events may be closed to the public, but only again when the rules change. */
function closedToPublic(visibilityOf: RuleTable['visibility']): () => boolean {
  let known: Visibility | undefined
  let isClosed = false
  return () => {
    const current = visibilityOf(anonymous)
    if (current !== known) [known, isClosed] = [current, !seesAll(current, 'event')]
    return isClosed
  }
}

/** Routes of the traffic-event feed (interface 4.11): public, the same for every caller. */
export const trafficRoutes =
  (deps: TrafficDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = answerer(deps)

    app.addHook('preHandler', (_request, reply, done) => {
      if (deps.hasClosedEvents()) void reply.headers(withheld)
      done()
    })

    await app.register(discoveryRoute(deps), { prefix: '/traffic/datex/2' })

    app.get(
      '/traffic/v1/:entityType/:id',
      { schema: publicationOperation, compress: false, exposeHeadRoute: true },
      async (request, reply) => {
        const { entityType, id } = request.params
        if (!isFeed(entityType)) throw unknownEntityType(entityType)
        return await answer({ slug: id, ...request.query }, request, reply)
      },
    )

    app.get(
      '/traffic/datex/2/:provider/situation-publication.xml',
      { schema: publicationFileOperation, compress: false, exposeHeadRoute: true },
      (request, reply) =>
        answer({ slug: request.params.provider, ...request.query }, request, reply),
    )

    app.get(
      '/traffic/datex/3/situation/:provider',
      { schema: publication3Operation, compress: false, exposeHeadRoute: true },
      (request, reply) => answer3(deps, { slug: request.params.provider }, { request, reply }),
    )
  }

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Documents whose notes have been logged. */
const noted = new WeakSet<Version3>()

async function answer3(
  { feed, clock, log }: TrafficDeps,
  { slug }: { readonly slug: string },
  { request, reply }: Exchange,
) {
  const now = clock()
  const document = feed.ready(slug, now) ?? (await feed.document(slug, now))
  if (document === undefined)
    throw unknownProvider(slug, await feed.providers(), '/traffic/datex/3/')
  const version3 = await document.version3()
  if (!noted.has(version3)) {
    noted.add(version3)
    const reported = {
      provider: slug,
      situations: document.situations,
      notes: version3.notes.length,
    }
    log?.info(reported, 'The traffic feed was written as DATEX II v3.')
  }
  const isJson = preferredType(request.headers.accept, offered3) === 'application/json'
  const body = isJson ? version3.json : version3.xml
  const current = { document, bodies: [body] as const, now, audience: audienceOf(request) }
  return await send(toAnswer(current, askedBy(request)), reply)
}

const offered3 = ['application/xml', 'text/xml', 'application/json']

async function send({ status, headers, bytes }: FeedAnswer, reply: FastifyReply) {
  return await reply
    .code(status)
    .headers(headers)
    .send(await bytes?.())
}

function answerer({ feed, clock }: TrafficDeps) {
  return async (
    { slug, since }: { readonly slug: string; readonly since?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const now = clock()
    const document = feed.ready(slug, now) ?? (await feed.document(slug, now))
    if (document === undefined) throw unknownProvider(slug, await feed.providers())
    const held = since === undefined ? undefined : parseSince(since, { document, now })
    const changes = held && document.changesSince(held)
    if (held !== undefined) void reply.header('x-complete', String(changes === undefined))
    const { accept } = request.headers
    const bodies = await Promise.all([
      chooseBody(accept, changes ?? document),
      chooseBody(accept, document),
    ])
    const current = { document, bodies, now, audience: audienceOf(request) }
    return await send(toAnswer(current, askedBy(request)), reply)
  }
}

/** A plugin of its own, so that the URL works with and without its trailing slash. */
const discoveryRoute =
  ({ feed, publicUrl }: TrafficDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/', { schema: discoveryOperation, exposeHeadRoute: true }, async (request, reply) => {
      const providers = await feed.providers()
      const address = `${publicUrl}/traffic/v1/situation-publication`
      const feeds = providers.map((slug) => [
        slug,
        { 'situation-publication': `${address}/${encodeURIComponent(slug)}` },
      ])
      const body = JSON.stringify(Object.fromEntries(feeds))
      const caching = {
        'cache-control': freshFor(audienceOf(request)),
        vary: 'Accept-Encoding, Authorization',
      }
      const run = () => ({ body, etag: weakEtag([body]), type: jsonType })
      return answerRead({ request, reply }, { caching, run })
    })
    return Promise.resolve()
  }

function audienceOf({ principal }: FastifyRequest): 'public' | 'private' {
  return isPublic(principal) || principal.kind === 'verified' ? 'public' : 'private'
}

function askedBy({ headers }: FastifyRequest) {
  return { ...headers, 'accept-encoding': headers['accept-encoding']?.toString() }
}

function unknownEntityType(name: string): AppError {
  return new AppError('HUB-RTE-003', `The traffic feed has no entity type "${name}".`, {
    hint: 'Use situation-publication or Announcement.',
  })
}

function unknownProvider(
  slug: string,
  providers: readonly string[],
  list = '/traffic/datex/2/',
): AppError {
  const known = providers.length === 0 ? 'No provider has' : `${providers.join(', ')} have`
  return new AppError('HUB-RTE-003', `No provider "${slug}" publishes traffic events.`, {
    hint: `${known} events now. ${list} lists their URLs.`,
  })
}

/** Limit on the difference between the clocks of nodes and callers in ms. */
const clockSkew = 60_000

/**
 * Parses `since`.
 * @throws AppError for an invalid or future time: whoever sent it would miss changes
 */
function parseSince(written: string, { document, now }: Pick<Current, 'document' | 'now'>): Date {
  const time = new Date(toInstant(withPlus(written)) ?? Number.NaN)
  const latest = Math.max(document.publicationTime.getTime(), now.getTime() + clockSkew)
  if (time.getTime() <= latest) return time
  const detail = Number.isNaN(time.getTime()) ? 'is not a valid time' : 'is in the future'
  throw new AppError('HUB-QRY-001', `since ${detail}.`, {
    issues: [{ parameter: 'since', detail, expected: [sinceDescription] }],
  })
}

/** Request headers that select the response of a feed. */
type FeedHeaders = {
  readonly 'accept-encoding'?: string | undefined
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
}

type Current = {
  readonly document: FeedDocument
  /** The body to send, then others of the same situations that the caller may have cached. */
  readonly bodies: readonly [Body, ...Body[]]
  readonly now: Date
  /** Whether shared caches may store the response. */
  readonly audience: 'public' | 'private'
}

/** The response of a feed. Headers are in lower case. */
type FeedAnswer = {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  /** Only with status 200. */
  readonly bytes?: () => Promise<Buffer>
}

/**
 * Returns the document or its changes as requested, or 304 if the caller already has the document
 * (RFC 9110 section 13.2.2), by its own tag or that of these changes.
 */
function toAnswer(current: Current, asked: FeedHeaders): FeedAnswer {
  const { document, bodies, now, audience } = current
  const [body] = bodies
  const encoding = chooseEncoding(asked['accept-encoding'])
  const held = asked['if-none-match']
  const [known] = bodies.flatMap((each) => knownEtag(each, held, encoding) ?? [])
  const headers = {
    etag: known ?? body.etag(encoding),
    // Never in the future (RFC 9110 section 8.8.2.1).
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

/** Returns `Cache-Control`. The public system has a cycle of 20 s: nobody expects fresher data. */
function freshFor(audience: Current['audience']): string {
  return `${audience}, max-age=20`
}

/** Returns the tag under which the caller has cached this body, in any encoding, `*` in its own. */
function knownEtag(body: Body, held: string | undefined, own: Encoding): string | undefined {
  if (held === undefined) return undefined
  return [own, ...encodings].map(body.etag).find((etag) => matchesEtag(held, etag))
}

/** Checks `If-Modified-Since` (whole seconds) without `If-None-Match` (RFC 9110 section 13.1.3). */
function isUnmodified({ lastModified }: FeedDocument, asked: FeedHeaders): boolean {
  const since = asked['if-modified-since']
  if (since === undefined || asked['if-none-match'] !== undefined) return false
  return lastModified <= httpDate(since)
}

const offered = ['application/xml', 'text/xml', 'application/geo+json']

/**
 * Returns the body that `Accept` prefers (RFC 9110 section 12.5.1). Any other type gets DATEX II,
 * which is what the feed is (interface 4.11).
 */
async function chooseBody(accept: string | undefined, situations: Situations): Promise<Body> {
  const isGeoJson = preferredType(accept, offered) === 'application/geo+json'
  return isGeoJson ? situations.geojson() : situations
}
