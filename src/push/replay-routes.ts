import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { holdersOf, requireRole } from '../access/index.ts'
import type { Verified } from '../access/index.ts'
import { checkedBody, jsonType, readJsonBodies } from '../http/index.ts'
import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'
import type { PushDeps } from './accept/accept-route.ts'
import { isUuid, loadBody } from './accept/store-message.ts'
import { tooDeep } from './backlog.ts'
import { countReplayable, deleteMessages, replayMessages, roomToReplay } from './messages.ts'
import type { MessageFilter } from './messages.ts'
import { endingOf } from './pipeline.ts'
import {
  discardOperation,
  discarded,
  previewOperation,
  replayOperation,
  replayed,
  selectionHint,
} from './replay-schemas.ts'
import type { Selection } from './replay-schemas.ts'
import { assertMayReplay, noSuchMessage, readMoment, streamOf } from './streams.ts'
import type { Trial } from './try-out.ts'

/** Largest body: a thousand identifiers. */
const bodyLimit = 65_536

/** Replays over HTTP, by the same statements as `hub push replay` and `hub push dead`. */
export const replayRoutes =
  (deps: PushDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { database, permission } = deps
    readJsonBodies(app)
    const ofStream = '/push/:provider/:dataset' as const
    const mayReplay = (request: FastifyRequest) =>
      assertMayReplay(permission, request, streamOf(request.params)).then(() => undefined)
    const replay = { schema: replayOperation, bodyLimit, onRequest: mayReplay }
    app.post(`${ofStream}/replay`, replay, async (request, reply) => {
      const selection = checkedBody(replayed, request.body, selectionHint)
      const answer = await replaySelected(deps, toFilter(streamOf(request.params), selection))
      request.log.info({ ...answer, stream: streamOf(request.params) }, 'Messages are replayed.')
      return reply.type(jsonType).send(JSON.stringify(answer))
    })
    const discard = { schema: discardOperation, bodyLimit, onRequest: demandAdmin }
    app.post(`${ofStream}/discard`, discard, async (request, reply) => {
      const selection = checkedBody(discarded, request.body, selectionHint)
      const filter = toFilter(streamOf(request.params), selection)
      const answer = { discarded: await deleteMessages(database, filter) }
      request.log.info({ ...answer, stream: filter.stream }, 'Dead messages are deleted.')
      return reply.type(jsonType).send(JSON.stringify(answer))
    })
    app.get(`${ofStream}/:id/preview`, { schema: previewOperation }, async (request, reply) => {
      const stream = streamOf(request.params)
      const caller = await assertMayReplay(permission, request, stream)
      const trial = await loadTrial(database, { stream, id: request.params.id, caller })
      if (trial === undefined) throw noSuchMessage()
      const answer = await preview(deps, trial)
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify(answer))
    })
    return Promise.resolve()
  }

/** Before the body is read. */
function demandAdmin(request: FastifyRequest, _reply: unknown, done: () => void): void {
  requireRole(request.principal, 'ADMIN')
  done()
}

/** @throws AppError HUB-BDY-001 for a time that does not exist */
function toFilter(stream: string, { ids, state, from, to }: Selection): MessageFilter {
  return {
    ...{ stream, ids, state },
    from: readMoment(from, { pointer: '/from' }),
    to: readMoment(to, { pointer: '/to' }),
  }
}

/** What is pushed at the same time must have room. @throws AppError HUB-SRV-007 */
async function replaySelected({ database, backlog, wake }: PushDeps, filter: MessageFilter) {
  const room = roomToReplay(backlog ?? { waiting: 0, limit: Infinity })
  if (room === 0) throw tooDeep(backlog?.waiting ?? 0)
  const all = await countReplayable(database, filter)
  const count = await replayMessages(database, filter, room)
  if (count > 0) wake()
  return { replayed: count, left: Math.max(0, all - count) }
}

type Wanted = { readonly stream: string; readonly id: string; readonly caller: Verified }

/** A stored message as it would be processed now: ADMIN may see any, others what they sent. */
async function loadTrial(
  database: Database,
  { stream, id, caller }: Wanted,
): Promise<Trial | undefined> {
  if (!isUuid(id)) return undefined
  const isVisible = caller.roles.has('ADMIN')
    ? sql`true`
    : sql`sender = any(${holdersOf(caller)}::text[])`
  const [row] = await database.query<Omit<Trial, 'body'> & { readonly bytes: number }>(sql`
    select stream, received, sender, may_backdate as "mayBackdate", content_type as "contentType",
      octet_length(body) as bytes
    from message where id = ${id} and stream = ${stream} and ${isVisible}`)
  if (row === undefined) return undefined
  const { bytes, ...message } = row
  return { ...message, body: await loadBody(database, { id, bytes }), aim: 'compare' }
}

async function preview({ tryOut }: Pick<PushDeps, 'tryOut'>, trial: Trial) {
  const tried = await tryOut(trial)
  const { stored, rejected, warnings = [], mapping, compared } = tried
  return {
    received: trial.received.toISOString(),
    ...endingOf(tried),
    ...{ stored, rejected, warnings },
    ...(mapping === undefined ? {} : { mapping: { name: mapping.name, version: mapping.version } }),
    ...{ records: compared?.records ?? [], count: compared?.count ?? 0 },
  }
}
