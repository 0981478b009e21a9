import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { holdersOf, requirePrincipal } from '../access/index.ts'
import { addLink, formatErrors, jsonType, readMoment, toProblem } from '../http/index.ts'
import type { ErrorFormat } from '../http/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { acceptRoute } from './accept/accept-route.ts'
import type { PushDeps } from './accept/accept-route.ts'
import { isUuid } from './accept/store-message.ts'
import {
  describePush,
  orNull,
  originalOperation,
  receiptOperation,
  states,
  stream,
  time,
} from './schemas.ts'
import { replayRoutes } from './replay-routes.ts'
import { assertMayRead, noSuchMessage, streamOf } from './streams.ts'
import { pageAddress } from '../content/index.ts'
import { problem } from '../lang/schemas.ts'
import { countedDays, loadMessages, loadOverview } from './overview.ts'
import type { OverviewDeps } from './overview.ts'

/** Format of push errors: a problem with an additional field `message` (decision D1). */
const pushErrorFormat: ErrorFormat = (error, context) => ({
  message: error.title,
  ...toProblem(error, context),
})

/**
 * Registers the push collector: it accepts what providers send, and reports the outcome (interface
 * 4.10).
 */
export const pushRoutes =
  (deps: PushDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    formatErrors(app, { below: '/push', format: pushErrorFormat }, deps)
    describePush(app, deps)
    // Registered first, because the hooks and the body parser of pushes are for them alone.
    await app.register(replayRoutes(deps))
    acceptRoute(app, deps)
    await app.register(streamRoutes({ mappings: () => [], ...deps }))

    app.get(
      '/push/:provider/:dataset/:id',
      { schema: receiptOperation },
      async (request, reply) => {
        const stream = streamOf(request.params)
        await assertMayRead(deps.permission, request, stream)
        const receipt = await loadReceipt(deps.database, stream, request.params.id)
        if (receipt === undefined) throw noSuchMessage()
        void reply.header('cache-control', 'no-store').type(jsonType)
        return reply.send(JSON.stringify(receipt))
      },
    )
    originalRoute(app, deps)
  }

type App = Parameters<FastifyPluginAsyncTypebox>[0]

function originalRoute(app: App, deps: PushDeps): void {
  app.get(
    '/push/:provider/:dataset/:id/original',
    { schema: originalOperation },
    async (request, reply) => {
      const stream = streamOf(request.params)
      const senders = holdersOf(await assertMayRead(deps.permission, request, stream))
      const { id } = request.params
      const original = await loadOriginal(deps.database, { stream, id, senders })
      if (original === undefined) throw noSuchMessage()
      if (original.encoding !== null) void reply.header('content-encoding', original.encoding)
      return reply
        .headers({
          'cache-control': 'no-store, no-transform',
          // The body may be an HTML page, which must not run as one of the hub's own.
          'content-disposition': `attachment; filename="${id}"`,
          'content-security-policy': 'sandbox',
          'repr-digest': `sha-256=:${original.sha256}:`,
          'content-type': original.contentType ?? 'application/octet-stream',
        })
        .send(original.bytes)
    },
  )
}

type Original = {
  readonly contentType: string | null
  /** Content-Encoding of the bytes. Null if they are not compressed. */
  readonly encoding: string | null
  readonly bytes: Uint8Array
  /** Digest of the bytes as received, in base64. */
  readonly sha256: string
}

/**
 * Loads a body as it was sent, for its sender only. Undefined if this sender has no such message.
 */
async function loadOriginal(
  database: Queryable,
  {
    stream,
    id,
    senders,
  }: { readonly stream: string; readonly id: string; readonly senders: readonly string[] },
): Promise<Original | undefined> {
  if (!isUuid(id)) return undefined
  const [original] = await database.query<Original>(sql`
    select content_type as "contentType",
      case when packed is not null then headers ->> 'content-encoding' end as encoding,
      coalesce(packed, body) as bytes, encode(sha256, 'base64') as sha256
    from message where id = ${id} and stream = ${stream} and sender = any(${senders}::text[])`)
  return original
}

type ReceiptRow = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly reason: string | null
  readonly received: Date
  readonly started: Date | null
  readonly finished: Date | null
  readonly stored: number
  readonly rejected: string
  readonly warnings: string
  readonly mapping: string | null
  readonly attempts: number
  readonly content_type: string | null
  readonly bytes: number
  readonly sha256: string
  readonly fsync: string
}

/**
 * Describes which failures an acknowledged message survives. `fsync` is the setting of PostgreSQL.
 */
export function durabilityOf(engine: Database['engine'], fsync: string): string {
  if (engine === 'postgresql')
    return 'survives a crash of the hub and a power failure, as the database is configured'
  return fsync === 'on'
    ? 'survives a crash of the hub and a power failure'
    : 'survives a crash of the hub, but not a power failure: HUB_EMBEDDED_SYNC is off'
}

/**
 * Loads the receipt of a message (decision D53), with times in ISO 8601. Undefined if there is
 * none.
 */
export async function loadReceipt(database: Database, stream: string, id: string) {
  if (!isUuid(id)) return undefined
  const [row] = await database.query<ReceiptRow>(sql`
    select id, stream, state, reason, received, started, finished, stored, rejected, warnings, attempts,
      mapping - 'sha256' as mapping, content_type, octet_length(body) as bytes, encode(sha256, 'hex') as sha256,
      current_setting('fsync') as fsync
    from message where id = ${id} and stream = ${stream}`)
  if (row === undefined) return undefined
  const { content_type: contentType, finished, received, started, mapping, fsync, ...same } = row
  const visible = row.state === 'visible' ? finished : null
  return {
    ...same,
    contentType,
    received: received.toISOString(),
    started: started?.toISOString() ?? null,
    visible: visible?.toISOString() ?? null,
    secondsUntilVisible: visible && (visible.getTime() - received.getTime()) / 1000,
    finished: finished?.toISOString() ?? null,
    rejected: parsed(row.rejected),
    warnings: parsed(row.warnings),
    mapping: mapping === null ? null : parsed(mapping),
    durability: durabilityOf(database.engine, fsync),
  }
}

const parsed = (text: string): unknown => JSON.parse(text)

type Deps = OverviewDeps & { readonly publicUrl: string; readonly now: () => Date }

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description })

const { security, tags } = receiptOperation
const receipt = receiptOperation.response[200].properties

export const overviewOperation = {
  operationId: 'getStreams',
  summary: 'The streams to which you may push, and their messages',
  description:
    'Streams granted by name, and those with messages that your permission covers. With an external identity provider, only the streams to which you have pushed. The counts cover 30 days.',
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
            'The mapping that reads the stream; without one, only bodies in the push formats are read',
          ),
          lastArrival: orNull(time, 'When the newest message arrived, however long ago'),
          unread: Type.Integer({
            description: 'Unread messages of any age: their stream has no mapping',
          }),
          messages: counts('Messages by state'),
          bytes: Type.Integer({ description: 'Total size of their bodies, decompressed' }),
          arrivals: counts('Messages by day (UTC), without the days on which none arrived'),
        }),
        { description: 'In the order of their names' },
      ),
    }),
    401: problem,
    503: problem,
  },
}

export const messagesOperation = {
  operationId: 'getMessages',
  summary: 'The messages of a stream, the newest first',
  description:
    'For callers who may push to the stream; others get an empty list. The Link header with rel="next" leads to the next page.',
  tags,
  security,
  params: Type.Object(stream),
  querystring: Type.Object({
    state: Type.Optional(Type.Enum(states, { description: 'Only messages in this state' })),
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Only messages that arrived at this time or later',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Messages per page' }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 1000, description: 'From the Link header of the previous page' }),
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
          rejected: Type.Integer({ description: 'Rejected items; the receipt gives the reasons' }),
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

/**
 * Registers what providers see of their streams: `GET /push` and `GET /push/{provider}/{dataset}`.
 */
const streamRoutes =
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
