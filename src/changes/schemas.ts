import { Type } from 'typebox'
import type { Static } from 'typebox'
import { commaList, problem } from '../lang/schemas.ts'

const tags = ['Changes']

export const feedsOperation = {
  operationId: 'listFeeds',
  description: 'Only feeds that the caller may see. Each feed is at its url.',
  summary:
    'The available feeds: each entity, the stations and latest values of each type, traffic by provider',
  tags,
  response: {
    200: Type.Object({
      feeds: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Such as Accommodation or latest.ParkingStation' }),
          type: Type.String({ description: 'type of its messages' }),
          description: Type.String(),
          url: Type.String(),
          parameters: Type.Array(Type.String(), {
            description: 'Parameters other than offset, live and cursor',
          }),
          needsToken: Type.Boolean({
            description: 'Whether only callers with a token may follow it',
          }),
        }),
      ),
    }),
  },
}

const parameters = Type.Object({
  offset: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 5000,
      examples: ['-1'],
      description:
        'Where to continue: Stream-Next-Offset of the previous response; -1 (default): all records first; now: only future changes. An EventSource that reconnects continues at its Last-Event-ID',
    }),
  ),
  live: Type.Optional(
    Type.Enum(['long-poll', 'sse'], {
      description: 'Wait for changes: for one response (long-poll), or on a connection (sse)',
    }),
  ),
  cursor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 9_007_199_254_740_991,
      description: 'Stream-Cursor of the previous response',
    }),
  ),
  fields: Type.Optional(
    commaList(Type.String({ maxLength: 500 }), {
      maxItems: 200,
      examples: [['Id']],
      description: 'Entities: only these fields',
    }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}$',
      maxLength: 3,
      examples: ['de'],
      description: 'Entities: only texts in this language',
    }),
  ),
  rawfilter: Type.Optional(
    Type.String({
      maxLength: 10_000,
      examples: ['eq(Active,true)'],
      description:
        'Entities: only records that match; a record that no longer matches is reported as deleted',
    }),
  ),
  select: Type.Optional(
    Type.String({
      maxLength: 4000,
      examples: ['scode'],
      description: 'Stations, values and events: fields to show',
    }),
  ),
  where: Type.Optional(
    Type.String({
      maxLength: 8000,
      examples: ['sactive.eq.true'],
      description:
        'Stations, values and events: only those that match; what no longer matches is reported as deleted',
    }),
  ),
})
export type FeedParameters = Static<typeof parameters>

export const feedOperation = {
  operationId: 'followFeed',
  summary:
    'The records of a feed, then every change, including deletions: at least once, in order for each record',
  description:
    'The read side of Durable Streams with messages of its state protocol. Apply insert and update in the same way.',
  tags,
  params: Type.Object({
    feed: Type.String({
      maxLength: 300,
      examples: ['Accommodation'],
      description: 'name of GET /changes',
    }),
  }),
  querystring: parameters,
  response: {
    200: Type.Array(
      Type.Object({
        type: Type.String(),
        key: Type.String(),
        value: Type.Optional(Type.Any()),
        headers: Type.Object({
          operation: Type.Enum(['insert', 'update', 'delete']),
          txid: Type.Optional(
            Type.String({ description: 'The same for all changes of a transaction' }),
          ),
          timestamp: Type.Optional(Type.String({ format: 'date-time' })),
        }),
      }),
    ),
    204: Type.Null({ description: 'long-poll: nothing changed in time' }),
    304: Type.Null({ description: 'The caller has the current page' }),
    400: problem,
    401: problem,
    404: problem,
    410: problem,
    503: problem,
  },
}
