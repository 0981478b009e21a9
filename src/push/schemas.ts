import { Type } from 'typebox'
import type { TSchema } from 'typebox'

const segment = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })
const problem = Type.Ref('ProblemDetails')
const stream = { provider: segment, dataset: segment }
const message = { ...stream, id: Type.String({ format: 'uuid' }) }
const time = Type.String({ format: 'date-time' })
const orNull = (schema: TSchema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const security = [{ bearer: [] }]

const rejected = Type.Array(
  Type.Object({
    index: Type.Union([Type.Integer(), Type.Null()]),
    reason: Type.String(),
    pointer: Type.Optional(Type.String({ description: 'JSON pointer into the object' })),
    line: Type.Optional(Type.Integer({ description: 'Line of the object in NDJSON' })),
  }),
)

const refusal = Type.Object({ message: Type.String(), hint: Type.Optional(Type.String()) })

const stored = Type.Integer({ description: 'Items that were written' })

const acceptance = Type.Object({ message: Type.String(), id: Type.String({ format: 'uuid' }) })

const trial = Type.Object(
  {
    message: Type.String(),
    dryrun: Type.Literal(true),
    state: Type.Enum(['visible', 'rejected', 'accepted'], {
      description: 'What would become of the message',
    }),
    reason: orNull(Type.String(), 'Why, where the state alone does not say it'),
    stored,
    rejected,
  },
  { description: 'With dryrun=true: nothing is stored, and there is no receipt' },
)

/** `POST /push/{provider}/{dataset}` (interface 4.10). */
export const pushOperation = {
  operationId: 'push',
  summary: 'Send data in, as it is; 200 once it is durably stored',
  description:
    'The body is kept as it comes, also packed with gzip. Idempotency-Key makes it safe to send a message again: the answer is that of the first time, for 24 hours.',
  tags: ['Push'],
  security,
  params: Type.Object(stream),
  querystring: Type.Object({
    dryrun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Say what would be stored and rejected, and store nothing',
      }),
    ),
  }),
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({ description: 'A new one for each message, such as a UUID', maxLength: 255 }),
    ),
  }),
  consumes: ['application/json', 'application/x-ndjson', 'text/csv', '*/*'],
  body: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }),
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
    429: refusal,
    503: problem,
  },
}

/** `GET /push/{provider}/{dataset}/{id}` (decision D53). */
export const receiptOperation = {
  operationId: 'getReceipt',
  summary: 'What became of a pushed message',
  tags: ['Push'],
  security,
  params: Type.Object(message),
  response: {
    200: Type.Object({
      id: Type.String({ format: 'uuid' }),
      stream: Type.String(),
      state: Type.Enum(['accepted', 'processing', 'visible', 'rejected', 'dead']),
      reason: orNull(Type.String(), 'Why, where the state alone does not say it'),
      received: time,
      started: orNull(time, 'When the last attempt began'),
      visible: orNull(time, 'When its data could be read'),
      secondsUntilVisible: orNull(Type.Number(), 'From received to visible'),
      finished: orNull(time, 'When the hub was done with it, whatever the outcome'),
      stored,
      rejected,
      attempts: Type.Integer(),
      contentType: orNull(Type.String(), 'As it was sent'),
      bytes: Type.Integer({ description: 'Of the body, unpacked' }),
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
  tags: ['Push'],
  security,
  params: Type.Object(message),
  response: { 401: problem, 404: problem, 503: problem },
}
