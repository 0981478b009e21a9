import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { stringify } from 'yaml'
import { form } from '../errors/index.ts'
import { withoutUnused } from '../http/index.ts'
import { fieldsOf } from '../lang/json.ts'
import { problem } from '../lang/schemas.ts'

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
/** Path parameters that name a stream. */
export const stream = {
  provider: segment('The provider', 'demo'),
  dataset: segment('Kind of data; each kind is a stream of its own', 'example'),
}

/** Path parameters that name a message. */
export const message = {
  ...stream,
  id: Type.String({ format: 'uuid', maxLength: 36, description: 'As the push was answered' }),
}
export const time = Type.String({ format: 'date-time' })
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
export const security = [{ bearer: [] }]

const items = Type.Array(
  Type.Object({
    index: Type.Union([Type.Integer(), Type.Null()]),
    reason: Type.String(),
    pointer: Type.Optional(Type.String({ description: 'JSON pointer into the object' })),
    line: Type.Optional(Type.Integer({ description: 'Line of the object in NDJSON' })),
    kind: Type.Optional(
      Type.String({
        description:
          'On streams with a mapping: the canonical object that it produced from the item. index is the position of the item in the payload, and pointer refers to the object',
      }),
    ),
  }),
)

/** Rejected items of a message or a trial. */
export const rejected = Type.With(items, { description: 'Rejected items, with the reason' })
export const warnings = Type.With(items, {
  description:
    'Fields stored as sent although they are not of the usual type; reasons why the hub cannot read the message',
})

export const stored = Type.Integer({ description: 'Items that were written' })

export const mapping = Type.Object(
  { name: Type.String(), version: Type.String() },
  { description: 'The mapping that processed the message, on streams that have one' },
)

const acceptance = Type.Object({
  message: Type.String(),
  id: Type.String({ format: 'uuid' }),
  warnings: Type.Optional(
    Type.With(items, {
      description: 'Reasons why the hub cannot read it, judging by its start',
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

/** Describes a link from a response to another operation (OpenAPI, Link Object). */
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

/** A data type in the hub's own format. Bodies in any other format are kept as well. */
const exampleBody =
  '{"kind":"dataTypes","recorded":"2026-01-01T00:00:00Z","items":[{"name":"free","unit":"","type":"Instantaneous","description":"Parking places that are free","metadata":{}}]}'

/** `POST /push/{provider}/{dataset}` (interface 4.10). */
export const pushOperation = {
  operationId: 'push',
  summary: 'Push data in its own format; 200 once it is durably stored',
  description:
    'The body is stored as received, even if it is compressed with gzip. Idempotency-Key makes it safe to send a message again: for 24 hours the response equals the first one.',
  tags: ['Push'],
  security,
  params: Type.Object(stream),
  querystring: Type.Object({
    dryrun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Report what would be stored and rejected, without storing anything',
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
    503: problem,
  },
}

/** States of a message, in the order in which it may pass through them. */
export const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

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
      state: Type.Enum(states),
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

type Deps = {
  readonly tokenUrl?: string
}

const apispecOperation = {
  operationId: 'getApispec',
  summary: 'This description of the push collector, in OpenAPI 3.0',
  description: 'As YAML, for client generators that do not support OpenAPI 3.1 yet.',
  tags: ['Push'],
  response: {
    200: {
      content: { 'application/yaml': { schema: Type.Object({}) } },
    },
  },
}

/**
 * Serves `GET /apispec`: the paths of the hub's API description that concern pushing, as OpenAPI
 * 3.0 YAML.
 */
export function describePush(app: FastifyInstance, deps: Deps): void {
  let text: string | undefined
  app.get('/apispec', { schema: apispecOperation }, (_request, reply) => {
    text ??= stringify(describe(app, deps), { aliasDuplicateObjects: false, lineWidth: 0 })
    return reply
      .header('cache-control', 'public, max-age=300')
      .type('application/yaml; charset=utf-8')
      .send(text)
  })
}

function describe(app: FastifyInstance, { tokenUrl }: Deps): object {
  const { info, paths = {}, ...others } = app.swagger()
  const { components, servers } = fieldsOf(others)
  const { schemas, headers, responses } = fieldsOf(components)
  const ours = Object.entries(paths).filter(
    ([path]) => path.startsWith('/push/') || ['/push', '/health', '/apispec'].includes(path),
  )
  return withoutUnused({
    openapi: '3.0.3',
    info: {
      title: `${info.title}: push collector`,
      version: info.version,
      description:
        'Providers send their data here, in its own format. The response is 200 once it is durably stored.',
      contact: info.contact,
      license: info.license,
    },
    servers,
    security: others.security,
    tags: others.tags?.filter(({ name }) => ['Push', 'Operation'].includes(name)),
    paths: toOpenApi30(Object.fromEntries(ours)),
    components: {
      schemas: { ProblemDetails: toOpenApi30(fieldsOf(schemas)['ProblemDetails']) },
      headers: toOpenApi30(headers),
      responses: toOpenApi30(responses),
      securitySchemes: { bearer: securityScheme(tokenUrl) },
    },
  })
}

function securityScheme(tokenUrl: string | undefined): object {
  const description = 'Tokens are verified according to the best practices of RFC8725.'
  return tokenUrl === undefined
    ? { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
    : { type: 'oauth2', description, flows: { clientCredentials: { tokenUrl, scopes: {} } } }
}

/** Fields of JSON Schema 2020-12 that the schema object of OpenAPI 3.0 does not have. */
const unknownIn30 = ['$id', '$schema', '~kind', 'examples']

/**
 * Converts a part of an OpenAPI 3.1 document to 3.0.3: the type `null` becomes the field
 * `nullable`, a constant becomes an enumeration of one value, and `$ref` has no siblings. Supports
 * only what the hub's schemas use, which have no lists of types, for example.
 */
function toOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi30)
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return { $ref: value.$ref }
  if ('anyOf' in value && Array.isArray(value.anyOf)) return withoutNull(value, value.anyOf)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (unknownIn30.includes(name)) return []
      return name === 'const' ? [['enum', [member]]] : [[name, toOpenApi30(member)]]
    }),
  )
}

function withoutNull(
  { anyOf: _, ...rest }: object & { readonly anyOf?: unknown },
  choices: readonly unknown[],
) {
  const others = choices.filter((choice) => !isNull(choice))
  const outer = toOpenApi30(rest)
  const isNullable = others.length < choices.length ? { nullable: true } : {}
  const [only] = others
  const inner = others.length === 1 ? toOpenApi30(only) : { anyOf: toOpenApi30(others) }
  return Object.assign({}, inner, outer, isNullable)
}

function isNull(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
}
