import { Type } from 'typebox'
import type { Static } from 'typebox'
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

/** Which messages of a stream, as `hub push replay` and `hub push dead` select them. */
const chosen = {
  ids: Type.Optional(ids),
  from: moment('Received at this time or later'),
  to: moment('Received before this time'),
}
/** The body of a replay. */
export const replayed = exactly(
  { ...chosen, state: Type.Optional(Type.Enum(states, { description: 'In this state' })) },
  { minProperties: 1, examples: [{ state: 'rejected' }] },
)
/** The body that discards messages. */
export const discarded = exactly(chosen, {
  minProperties: 1,
  examples: [{ to: '2026-01-01T00:00:00Z' }],
})

export type Selection = Static<typeof replayed>

export const selectionHint =
  'It is an object with ids, from, to or state; several of them select what matches all.'

const problems = { 400: problem, 401: problem, 404: problem, 503: problem }

/** `POST /push/{provider}/{dataset}/replay`. */
export const replayOperation = {
  operationId: 'replayMessages',
  summary: 'Process messages of a stream again, the oldest first',
  description:
    'As if they had just arrived; what newer messages wrote stays. For callers who may push to the stream, and for ADMIN. Messages that wait anyway are left alone.',
  tags,
  security,
  params,
  body: replayed,
  response: {
    200: Type.Object({
      replayed: Type.Integer({ description: 'Messages that wait to be processed again' }),
      left: Type.Integer({
        description:
          'Others of the selection: at most 1,000 messages wait to be replayed at a time',
      }),
    }),
    ...problems,
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
  before: Type.Optional(Type.Unknown({ description: 'Absent where the field is new' })),
  after: Type.Optional(Type.Unknown({ description: 'Absent where the field is removed' })),
})

/** `GET /push/{provider}/{dataset}/{id}/preview`. */
export const previewOperation = {
  operationId: 'previewReplay',
  summary: 'What a replay of a message would change; nothing is stored',
  description:
    'For the sender of the message who may still push to its stream, and for ADMIN. What a newer message wrote stays, also in the preview.',
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
            description: 'Of a record or station; of a latest value with its data type and period',
          }),
          kind: Type.Enum(['create', 'update', 'delete']),
          differences: Type.Array(difference),
        }),
        { description: 'The first 100 records, stations and latest values that would be written' },
      ),
      count: Type.Integer({ description: 'All that would be written' }),
    }),
    ...problems,
  },
}
