import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { holdersOf, requireRole } from '../access/index.ts'
import type { Verified } from '../access/index.ts'
import { checkedBody, jsonType, readJsonBodies, readMoment } from '../http/index.ts'
import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'
import type { PushDeps } from './accept/accept-route.ts'
import { isUuid, loadBody } from './accept/store-message.ts'
import { tooDeep } from './backlog.ts'
import { countReplayable, deleteMessages, replayMessages, roomToReplay } from './messages.ts'
import type { MessageFilter } from './messages.ts'
import { endingOf } from './pipeline.ts'
import { assertMayReplay, noSuchMessage, streamOf } from './streams.ts'
import type { Trial } from './try-out.ts'
import { exactly, problem } from '../lang/schemas.ts'
import {
  mapping,
  message,
  orNull,
  rejected,
  security,
  states,
  stored,
  stream,
  time,
  warnings,
} from './schemas.ts'

const tags = ['Push']
const params = Type.Object(stream)

const moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }))

const ids = Type.Array(Type.String({ format: 'uuid', maxLength: 36 }), {
  minItems: 1,
  maxItems: 1000,
  description: 'These messages',
})

/** Fields that select messages of a stream, like `hub push replay` and `hub push dead`. */
const chosen = {
  ids: Type.Optional(ids),
  from: moment('Received at this time or later'),
  to: moment('Received before this time'),
}
const replayed = exactly(
  { ...chosen, state: Type.Optional(Type.Enum(states, { description: 'In this state' })) },
  { minProperties: 1, examples: [{ state: 'rejected' }] },
)
const discarded = exactly(chosen, {
  minProperties: 1,
  examples: [{ to: '2026-01-01T00:00:00Z' }],
})

export type Selection = Static<typeof replayed>

const selectionHint =
  'It is an object with ids, from, to or state; several of them select what matches all.'

const problems = { 400: problem, 401: problem, 404: problem, 503: problem }

/** `POST /push/{provider}/{dataset}/replay`. */
export const replayOperation = {
  operationId: 'replayMessages',
  summary: 'Process messages of a stream again, the oldest first',
  description:
    'Processes them as if they had just arrived, but keeps what newer messages wrote. For callers who may push to the stream, and for ADMIN. Messages that are already waiting are ignored.',
  tags,
  security,
  params,
  body: replayed,
  response: {
    200: Type.Object({
      replayed: Type.Integer({ description: 'Messages that are waiting to be processed again' }),
      left: Type.Integer({
        description:
          'Remaining messages of the selection: at most 1,000 messages wait to be replayed at a time',
      }),
    }),
    ...problems,
    413: problem,
    415: problem,
  },
}

/** `POST /push/{provider}/{dataset}/discard`. */
export const discardOperation = {
  operationId: 'discardMessages',
  summary: 'Delete dead messages of a stream permanently',
  description: 'Needs the role ADMIN. Messages in another state are never deleted.',
  tags,
  security,
  params,
  body: discarded,
  response: {
    200: Type.Object({ discarded: Type.Integer({ description: 'Messages that were deleted' }) }),
    ...problems,
    403: problem,
  },
}

const outcome = {
  state: Type.Enum(['visible', 'rejected', 'empty', 'accepted']),
  reason: orNull(Type.String(), 'The reason, if the state alone does not explain it'),
  stored,
  rejected,
  warnings,
  mapping: Type.Optional(mapping),
}

const difference = Type.Object({
  pointer: Type.String({ description: 'JSON pointer of the field' }),
  before: Type.Optional(Type.Unknown({ description: 'Absent if the field is new' })),
  after: Type.Optional(Type.Unknown({ description: 'Absent if the field is removed' })),
})

/** `GET /push/{provider}/{dataset}/{id}/preview`. */
export const previewOperation = {
  operationId: 'previewReplay',
  summary: 'What a replay of a message would change; nothing is stored',
  description:
    'For the sender of the message who may still push to its stream, and for ADMIN. The preview also keeps what a newer message wrote.',
  tags,
  security,
  params: Type.Object(message),
  response: {
    200: Type.Object({
      received: time,
      ...outcome,
      records: Type.Array(
        Type.Object({
          dataset: Type.String({ description: 'Such as Event, or timeseries/ParkingStation' }),
          id: Type.String({
            description: 'Of a record or station; for a latest value with its data type and period',
          }),
          kind: Type.Enum(['create', 'update', 'delete']),
          differences: Type.Array(difference),
        }),
        { description: 'The first 100 records, stations and latest values that would be written' },
      ),
      count: Type.Integer({ description: 'Number of all that would be written' }),
    }),
    ...problems,
  },
}

/** Maximum size of a request body in bytes: enough for a thousand identifiers. */
const bodyLimit = 65_536

/**
 * Registers the replay routes. They run the same statements as `hub push replay` and `hub push
 * dead`.
 */
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

/** Checks the role before the body is read. */
function demandAdmin(request: FastifyRequest, _reply: unknown, done: () => void): void {
  requireRole(request.principal, 'ADMIN')
  done()
}

/**
 * Converts a selection to a filter.
 * @throws AppError HUB-BDY-001 for a time that does not exist
 */
function toFilter(stream: string, { ids, state, from, to }: Selection): MessageFilter {
  return {
    ...{ stream, ids, state },
    from: readMoment(from, { pointer: '/from' }),
    to: readMoment(to, { pointer: '/to' }),
  }
}

/**
 * Replays as many of the selected messages as may wait, because new pushes must have room.
 * @throws AppError HUB-SRV-007 if there is no room for any
 */
async function replaySelected({ database, backlog, wake }: PushDeps, filter: MessageFilter) {
  const room = roomToReplay(backlog ?? { waiting: 0, limit: Infinity })
  if (room === 0) throw tooDeep(backlog?.waiting ?? 0)
  const all = await countReplayable(database, filter)
  const count = await replayMessages(database, filter, room)
  if (count > 0) wake()
  return { replayed: count, left: Math.max(0, all - count) }
}

type TrialRequest = { readonly stream: string; readonly id: string; readonly caller: Verified }

/**
 * Loads a stored message as a trial of how it would be processed now. An ADMIN may load any
 * message, other callers only what they sent.
 */
async function loadTrial(
  database: Database,
  { stream, id, caller }: TrialRequest,
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
