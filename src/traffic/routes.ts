import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/index.ts'
import { isPublic, isUnchanged, jsonType, weakEtag, withheldHeader } from '../http/index.ts'
import { freshFor, toAnswer } from './answer.ts'
import type { TrafficFeed } from './feed.ts'
import { discoveryOperation, publicationFileOperation, publicationOperation } from './schemas.ts'

export type TrafficDeps = {
  readonly feed: TrafficFeed
  /** Without a slash at the end. */
  readonly publicUrl: string
  readonly clock: () => Date
  /** Whether events may be closed to the public, by the rules that there are now. */
  readonly hasClosedEvents: () => boolean
}

const isFeed = (name: string) => name === 'situation-publication' || name === 'Announcement'

/** What is said of closed events, with every answer: they are in no feed. */
const withheld = withheldHeader(['records'], 'public-feed')

/** The traffic-event feed (interface 4.11): public, the same for every caller. */
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
        return await answer(id, request, reply)
      },
    )

    app.get(
      '/traffic/datex/2/:provider/situation-publication.xml',
      { schema: publicationFileOperation, compress: false, exposeHeadRoute: true },
      (request, reply) => answer(request.params.provider, request, reply),
    )
  }

function answerer({ feed, clock }: TrafficDeps) {
  return async (slug: string, request: FastifyRequest, reply: FastifyReply) => {
    const now = clock()
    const document = feed.ready(slug, now) ?? (await feed.document(slug, now))
    if (document === undefined) throw unknownProvider(slug, await feed.providers())
    const current = { document, now, audience: audienceOf(request) }
    const { status, headers, bytes } = toAnswer(current, askedBy(request))
    return await reply
      .code(status)
      .headers(headers)
      .send(await bytes?.())
  }
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
        'cache-control': freshFor(audienceOf(request)),
        vary: 'Accept-Encoding, Authorization',
      })
      if (isUnchanged(request, reply, weakEtag([body]))) return reply.send()
      return reply.type(jsonType).send(body)
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

function unknownProvider(slug: string, providers: readonly string[]): AppError {
  const known = providers.length === 0 ? 'No provider has' : `${providers.join(', ')} have`
  return new AppError('HUB-RTE-003', `No provider "${slug}" publishes traffic events.`, {
    hint: `${known} events now; /traffic/datex/2/ lists the addresses.`,
  })
}
