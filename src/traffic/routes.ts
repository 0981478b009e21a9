import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/index.ts'
import {
  isPublic,
  isUnchanged,
  jsonType,
  matchesEtag,
  tellWithheld,
  weakEtag,
} from '../http/index.ts'
import { chooseBody } from './choose-body.ts'
import { chooseEncoding } from './encoding.ts'
import type { TrafficFeed } from './feed.ts'
import { encodings } from './feed-document.ts'
import type { Body, FeedDocument } from './feed-document.ts'
import { discoveryOperation, publicationFileOperation, publicationOperation } from './schemas.ts'

export type TrafficDeps = {
  readonly feed: TrafficFeed
  /** Without a slash at the end. */
  readonly publicUrl: string
  readonly clock: () => Date
  /** Whether events may be closed to the public, by the rules that there are now. */
  readonly hasClosedEvents: () => boolean
}

/** The traffic-event feed (interface 4.11): public, the same for every caller. */
export const trafficRoutes =
  (deps: TrafficDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { feed, clock, hasClosedEvents } = deps
    const isFeed = (name: string) => name === 'situation-publication' || name === 'Announcement'

    app.addHook('preHandler', (_request, reply, done) => {
      tellWithheld(reply, hasClosedEvents() ? ['records'] : [], 'public-feed')
      done()
    })

    const answer = async (slug: string, request: FastifyRequest, reply: FastifyReply) => {
      const now = clock()
      const document = feed.ready(slug, now) ?? (await feed.document(slug, now))
      if (document === undefined) throw unknownProvider(slug, await feed.providers())
      return await sendDocument({ document, now }, { request, reply })
    }

    await app.register(discoveryRoute(deps), { prefix: '/traffic/datex/2' })

    app.get(
      '/traffic/v1/:entityType/:id',
      { schema: publicationOperation, compress: false, exposeHeadRoute: true },
      async (request, reply) => {
        const { entityType, id } = request.params
        if (!isFeed(entityType)) throw unknownEntityType(entityType)
        return await answer(id, request, reply)
      },
    )

    app.get(
      '/traffic/datex/2/:provider/situation-publication.xml',
      { schema: publicationFileOperation, compress: false, exposeHeadRoute: true },
      (request, reply) => answer(request.params.provider, request, reply),
    )
  }

/** As a plugin of its own, so that the address works with and without its last slash. */
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
      void reply.headers({
        'cache-control': freshness(request),
        vary: 'Accept-Encoding, Authorization',
      })
      if (isUnchanged(request, reply, weakEtag([body]))) return reply.send()
      return reply.type(jsonType).send(body)
    })
    return Promise.resolve()
  }

/** Twenty seconds is the cycle of the public system, so no client can expect fresher data. */
function freshness({ principal }: FastifyRequest): string {
  return `${isPublic(principal) || principal.kind === 'verified' ? 'public' : 'private'}, max-age=20`
}

type Current = { readonly document: FeedDocument; readonly now: Date }
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

async function sendDocument({ document, now }: Current, { request, reply }: Exchange) {
  const { headers } = request
  const body = chooseBody(headers.accept, document)
  const encoding = chooseEncoding(headers['accept-encoding']?.toString())
  const known = knownEtag(body, headers['if-none-match'])
  void reply.headers({
    etag: known ?? body.etag(encoding),
    // Never ahead of the clock (RFC 9110 section 8.8.2.1).
    'last-modified': new Date(Math.min(document.lastModified, now.getTime())).toUTCString(),
    'cache-control': freshness(request),
    vary: 'Accept, Accept-Encoding, Authorization, Prefer',
  })
  if (known !== undefined || isUnmodified(document, request)) return reply.code(304).send()
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.type(body.contentType).send(await body.bytes(encoding))
}

/** The tag under which the caller holds this body already, in whatever encoding. */
function knownEtag(body: Body, held: string | undefined): string | undefined {
  if (held === undefined) return undefined
  return encodings.map(body.etag).find((etag) => matchesEtag(held, etag))
}

/** `If-Modified-Since` counts only without `If-None-Match` (RFC 9110 section 13.1.3), in whole seconds. */
function isUnmodified({ lastModified }: FeedDocument, { headers }: FastifyRequest): boolean {
  const since = headers['if-modified-since']
  if (since === undefined || headers['if-none-match'] !== undefined) return false
  return lastModified <= Date.parse(since)
}

function unknownEntityType(name: string): AppError {
  return new AppError('HUB-RTE-003', `The traffic feed has no entity type "${name}".`, {
    hint: 'Use situation-publication or Announcement.',
  })
}

function unknownProvider(slug: string, providers: readonly string[]): AppError {
  const known = providers.length === 0 ? 'No provider has' : `${providers.join(', ')} have`
  return new AppError('HUB-RTE-003', `No provider "${slug}" publishes traffic events.`, {
    hint: `${known} events now; /traffic/datex/2/ lists the addresses.`,
  })
}
