import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { form } from '../errors/index.ts'
import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'

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
}

export const durability = {
  postgresql: 'survives a crash of the hub and a power loss, as the database is configured',
  embedded:
    'survives a crash of the hub, but not a power loss: the embedded database does not sync',
} as const

/** The receipt of a message on a stream (decision D53), with times in ISO 8601; undefined when there is none. */
export async function loadReceipt(database: Database, stream: string, id: string) {
  if (!isUuid(id)) return undefined
  const [row] = await database.query<ReceiptRow>(sql`
    select id, stream, state, reason, received, started, finished, stored, rejected, warnings, attempts,
      mapping - 'sha256' as mapping, content_type, octet_length(body) as bytes, encode(sha256, 'hex') as sha256
    from message where id = ${id} and stream = ${stream}`)
  if (row === undefined) return undefined
  const { content_type: contentType, finished, received, started, mapping, ...same } = row
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
    durability: durability[database.engine],
  }
}

const parsed = (text: string): unknown => JSON.parse(text)

/** Whether a text can be the id of a message. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

const segment = (description: string, example: string) =>
  Type.String({
    ...form(
      '^[A-Za-z0-9_.-]{1,100}$',
      'has more than 100 characters, or characters other than letters, digits, _, . and -',
    ),
    maxLength: 100,
    description,
    examples: [example],
  })
const problem = Type.Ref('ProblemDetails')
const stream = {
  provider: segment('Who sends', 'demo'),
  dataset: segment('Kind of data; each kind is a stream of its own', 'example'),
}
const message = {
  ...stream,
  id: Type.String({ format: 'uuid', maxLength: 36, description: 'As the push was answered' }),
}
const time = Type.String({ format: 'date-time' })
const orNull = (schema: TSchema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const security = [{ bearer: [] }]

const items = Type.Array(
  Type.Object({
    index: Type.Union([Type.Integer(), Type.Null()]),
    reason: Type.String(),
    pointer: Type.Optional(Type.String({ description: 'JSON pointer into the object' })),
    line: Type.Optional(Type.Integer({ description: 'Line of the object in NDJSON' })),
    kind: Type.Optional(
      Type.String({
        description:
          'On streams with a mapping: the canonical object that it made of the item; index is the position of the item in the payload, and pointer leads into the object',
      }),
    ),
  }),
)

const rejected = Type.With(items, { description: 'What was rejected, and why' })
const warnings = Type.With(items, {
  description:
    'What was stored as sent, although it is not of the usual type; what keeps the hub from reading the message',
})

const refusal = Type.Object({ message: Type.String(), hint: Type.Optional(Type.String()) })

const tooMany = {
  description: 'Too many messages of this sender, or of all senders, are waiting to be processed',
  headers: {
    'Retry-After': Type.Integer({ description: 'Seconds to wait', minimum: 1, maximum: 3600 }),
  },
  content: { 'application/json': { schema: refusal } },
}

const stored = Type.Integer({ description: 'Items that were written' })

const mapping = Type.Object(
  { name: Type.String(), version: Type.String() },
  { description: 'The mapping that took the message, on streams that have one' },
)

const acceptance = Type.Object({
  message: Type.String(),
  id: Type.String({ format: 'uuid' }),
  warnings: Type.Optional(
    Type.With(items, {
      description: 'What keeps the hub from reading it, judging by its beginning',
    }),
  ),
})

const trial = Type.Object(
  {
    message: Type.String(),
    dryrun: Type.Literal(true),
    state: Type.Enum(['visible', 'rejected', 'empty', 'accepted'], {
      description: 'The outcome that the message would have',
    }),
    reason: orNull(Type.String(), 'The reason, if the state alone does not explain it'),
    stored,
    rejected,
    warnings: Type.Optional(warnings),
    mapping: Type.Optional(mapping),
  },
  { description: 'With dryrun=true: nothing is stored, and no receipt is created' },
)

/** Where the answer leads to (OpenAPI, link object). */
const linkTo = (operationId: string, description: string) => ({
  operationId,
  description,
  parameters: {
    provider: '$request.path.provider',
    dataset: '$request.path.dataset',
    id: '$response.body#/id',
  },
})
const receipt = linkTo('getReceipt', 'The receipt of the message')
const original = linkTo('getOriginal', 'The message as it was received')

export const pushLinks = { 200: { receipt, original } }

/** A data type in the hub's own format; any other body is kept as well. */
const exampleBody =
  '{"kind":"dataTypes","recorded":"2026-01-01T00:00:00Z","items":[{"name":"free","unit":"","type":"Instantaneous","description":"Parking places that are free","metadata":{}}]}'

/** `POST /push/{provider}/{dataset}` (interface 4.10). */
export const pushOperation = {
  operationId: 'push',
  summary: 'Push data in its own format; 200 once it is durably stored',
  description:
    'The body is stored as received, also compressed with gzip. Idempotency-Key makes it safe to send a message again: the answer is that of the first time, for 24 hours.',
  tags: ['Push'],
  security,
  params: Type.Object(stream),
  querystring: Type.Object({
    dryrun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Report what would be stored and rejected, and store nothing',
      }),
    ),
  }),
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({ description: 'A new one for each message, such as a UUID', maxLength: 255 }),
    ),
  }),
  consumes: ['application/json', 'application/x-ndjson', 'text/csv', '*/*'],
  body: Type.Unsafe<unknown>({ type: 'string', format: 'binary', examples: [exampleBody] }),
  response: {
    200: Type.Union([acceptance, trial]),
    400: problem,
    401: problem,
    403: problem,
    408: problem,
    409: problem,
    413: problem,
    415: problem,
    422: problem,
    429: tooMany,
    503: problem,
  },
}

/** `GET /push/{provider}/{dataset}/{id}` (decision D53). */
export const receiptOperation = {
  operationId: 'getReceipt',
  summary: 'The receipt of a pushed message',
  description: 'Its state, the times of each step, and which items were rejected and why.',
  tags: ['Push'],
  security,
  params: Type.Object(message),
  response: {
    200: Type.Object({
      id: Type.String({ format: 'uuid' }),
      stream: Type.String(),
      state: Type.Enum(['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead']),
      reason: orNull(Type.String(), 'The reason, if the state alone does not explain it'),
      received: time,
      started: orNull(time, 'When the last attempt began'),
      visible: orNull(time, 'When its data could be read'),
      secondsUntilVisible: orNull(Type.Number(), 'From received to visible'),
      finished: orNull(time, 'When processing ended, with any outcome'),
      stored,
      rejected,
      warnings,
      mapping: Type.Union([mapping, Type.Null()]),
      attempts: Type.Integer(),
      contentType: orNull(Type.String(), 'As it was sent'),
      bytes: Type.Integer({ description: 'Size of the body, decompressed' }),
      sha256: Type.String({ description: 'Of the bytes as they were received' }),
      durability: Type.String({ description: 'What an acknowledged message survives' }),
    }),
    401: problem,
    404: problem,
    503: problem,
  },
}

/** `GET /push/{provider}/{dataset}/{id}/original`. */
export const originalOperation = {
  operationId: 'getOriginal',
  summary: 'The body of a message as it was received; for its sender only',
  description: 'Byte for byte, with the media type that it was sent with.',
  tags: ['Push'],
  security,
  params: Type.Object(message),
  response: {
    200: {
      description: 'The body as it was received',
      content: { '*/*': { schema: Type.Unsafe({ type: 'string', format: 'binary' }) } },
    },
    401: problem,
    404: problem,
    503: problem,
  },
}
