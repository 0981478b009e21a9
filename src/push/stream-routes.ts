import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePrincipal } from '../access/index.ts'
import { pageAddress } from '../content/index.ts'
import { addLink, jsonType } from '../http/index.ts'
import { problem } from '../lang/schemas.ts'
import { countedDays, loadMessages, loadOverview } from './overview.ts'
import type { OverviewDeps } from './overview.ts'
import { orNull, receiptOperation, states, stream, time } from './schemas.ts'
import { assertMayRead, readMoment, streamOf } from './streams.ts'

type Deps = OverviewDeps & { readonly publicUrl: string; readonly now: () => Date }

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description })

const { security, tags } = receiptOperation
const receipt = receiptOperation.response[200].properties

const overviewOperation = {
  operationId: 'getStreams',
  summary: 'The streams that you may push to, and what arrived on them',
  description:
    'Streams that were granted by name, and those with messages that your permission covers. Where an external identity provider decides who may push, only the streams to which you have pushed. The counts cover 30 days.',
  tags,
  security,
  response: {
    200: Type.Object({
      since: Type.String({ format: 'date-time', description: 'Where the counts start' }),
      streams: Type.Array(
        Type.Object({
          stream: receipt.stream,
          mapping: orNull(
            Type.Object({ name: Type.String(), version: Type.String() }),
            'The mapping that reads it; without one, only bodies in the push formats are read',
          ),
          lastArrival: orNull(time, 'When the newest message arrived, however long ago'),
          unread: Type.Integer({ description: 'Messages of any age that nothing reads' }),
          messages: counts('Messages by state'),
          bytes: Type.Integer({ description: 'Size of their bodies together, decompressed' }),
          arrivals: counts('Messages by day (UTC), without the days on which none arrived'),
        }),
        { description: 'In the order of their names' },
      ),
    }),
    401: problem,
    503: problem,
  },
}

const messagesOperation = {
  operationId: 'getMessages',
  summary: 'The messages of a stream, the newest first',
  description:
    'For callers who may push to the stream; for others it has none. The Link header with rel="next" leads to the next page.',
  tags,
  security,
  params: Type.Object(stream),
  querystring: Type.Object({
    state: Type.Optional(Type.Enum(states, { description: 'Only messages in this state' })),
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Only messages that arrived then or later',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Messages of a page' }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 1000, description: 'From the Link header of the page before' }),
    ),
  }),
  response: {
    200: Type.Object({
      messages: Type.Array(
        Type.Object({
          id: receipt.id,
          state: receipt.state,
          reason: receipt.reason,
          received: time,
          secondsUntilVisible: receipt.secondsUntilVisible,
          stored: receipt.stored,
          rejected: Type.Integer({ description: 'Items that were rejected; the receipt says why' }),
          bytes: receipt.bytes,
          contentType: receipt.contentType,
          isOwn: Type.Boolean({ description: 'Whether you sent it, and may read its original' }),
        }),
      ),
    }),
    400: problem,
    401: problem,
    404: problem,
    503: problem,
  },
}

const day = 86_400_000

/** What providers see of their streams: `GET /push` and `GET /push/{provider}/{dataset}`. */
export const streamRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/push', { schema: overviewOperation }, async (request, reply) => {
      const principal = requirePrincipal(request.principal)
      const since = new Date(deps.now().getTime() - countedDays * day)
      const streams = await loadOverview(deps, principal, since)
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify({ since: since.toISOString(), streams }))
    })

    app.get('/push/:provider/:dataset', { schema: messagesOperation }, async (request, reply) => {
      const name = streamOf(request.params)
      const principal = await assertMayRead(deps.permission, request, name)
      const { state, limit = 50, cursor } = request.query
      const from = readMoment(request.query.from, { parameter: 'from' })?.toISOString()
      const query = { stream: name, state, from, limit, cursor }
      const { messages, next } = await loadMessages(deps.database, query, principal)
      if (next !== undefined) {
        const target = pageAddress(deps.publicUrl, request.url, { cursor: next })
        addLink(reply, { target, relation: 'next' })
      }
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify({ messages }))
    })
    return Promise.resolve()
  }
