import { Type } from 'typebox'

const segment = Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })
const problem = Type.Ref('ProblemDetails')
const stream = { provider: segment, dataset: segment }

/** `POST /push/{provider}/{dataset}` (interface 4.10). */
export const pushOperation = {
  operationId: 'push',
  summary: 'Send data in, as it is; 200 once it is durably stored',
  tags: ['Push'],
  security: [{ bearer: [] }],
  params: Type.Object(stream),
  response: {
    200: Type.Object({ message: Type.String(), id: Type.String({ format: 'uuid' }) }),
    400: problem,
    401: problem,
    403: problem,
    413: problem,
    415: problem,
    503: problem,
  },
}

/** `GET /push/{provider}/{dataset}/{id}` (decision D53). */
export const receiptOperation = {
  operationId: 'getReceipt',
  summary: 'What became of a pushed message',
  tags: ['Push'],
  security: [{ bearer: [] }],
  params: Type.Object({ ...stream, id: Type.String({ format: 'uuid' }) }),
  response: {
    200: Type.Object({
      id: Type.String({ format: 'uuid' }),
      stream: Type.String(),
      state: Type.Enum(['accepted', 'processing', 'visible', 'rejected', 'dead']),
      reason: Type.Union([Type.String(), Type.Null()]),
      received: Type.String({ format: 'date-time' }),
      started: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      visible: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      stored: Type.Integer({ description: 'Items that were written' }),
      rejected: Type.Array(
        Type.Object({
          index: Type.Union([Type.Integer(), Type.Null()]),
          reason: Type.String(),
          pointer: Type.Optional(Type.String({ description: 'JSON pointer into the object' })),
          line: Type.Optional(Type.Integer({ description: 'Line of the object in NDJSON' })),
        }),
      ),
      attempts: Type.Integer(),
      contentType: Type.Union([Type.String(), Type.Null()]),
      bytes: Type.Integer(),
      sha256: Type.String(),
      durability: Type.String(),
    }),
    401: problem,
    404: problem,
    503: problem,
  },
}
