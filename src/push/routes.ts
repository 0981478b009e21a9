import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { stringify } from 'yaml'
import { errorHandler, jsonType, toProblem, withoutUnused } from '../http/index.ts'
import type { ErrorFormat } from '../http/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { acceptRoute } from './accept/accept-route.ts'
import type { PushDeps } from './accept/accept-route.ts'
import { isUuid, loadReceipt, originalOperation, receiptOperation } from './schemas.ts'
import { assertMayRead, noSuchMessage, streamOf } from './streams.ts'

/** Push errors carry `message` beside the fields of a problem (decision D1). */
const pushErrorFormat: ErrorFormat = (error, context) => ({
  message: error.title,
  ...toProblem(error, context),
})

/** The push collector: accepts what providers send, and reports the outcome (interface 4.10). */
export const pushRoutes =
  (deps: PushDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.setErrorHandler(errorHandler(pushErrorFormat, deps))
    describePush(app, deps)
    acceptRoute(app, deps)

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

    app.get(
      '/push/:provider/:dataset/:id/original',
      { schema: originalOperation },
      async (request, reply) => {
        const stream = streamOf(request.params)
        const { client: sender } = await assertMayRead(deps.permission, request, stream)
        const { id } = request.params
        const original = await loadOriginal(deps.database, { stream, id, sender })
        if (original === undefined) throw noSuchMessage()
        if (original.encoding !== null) void reply.header('content-encoding', original.encoding)
        return reply
          .headers({
            'cache-control': 'no-store, no-transform',
            // It may be a page, and must not run as one of ours.
            'content-disposition': `attachment; filename="${id}"`,
            'content-security-policy': 'sandbox',
            'repr-digest': `sha-256=:${original.sha256}:`,
            'content-type': original.contentType ?? 'application/octet-stream',
          })
          .send(original.bytes)
      },
    )
  }

/** The bytes of a message as they were received. */
type Original = {
  readonly contentType: string | null
  /** Content-Encoding of the bytes; null when they are not packed. */
  readonly encoding: string | null
  readonly bytes: Uint8Array
  /** In base64. */
  readonly sha256: string
}

/** The sent body, for its sender only; undefined if this sender has no such message. */
async function loadOriginal(
  database: Queryable,
  { stream, id, sender }: { readonly stream: string; readonly id: string; readonly sender: string },
): Promise<Original | undefined> {
  if (!isUuid(id)) return undefined
  const [original] = await database.query<Original>(sql`
    select content_type as "contentType",
      case when packed is not null then headers ->> 'content-encoding' end as encoding,
      coalesce(packed, body) as bytes, encode(sha256, 'base64') as sha256
    from message where id = ${id} and stream = ${stream} and sender = ${sender}`)
  return original
}

type Deps = {
  /** Where callers get their tokens. */
  readonly tokenUrl?: string
}

const apispecOperation = {
  operationId: 'getApispec',
  summary: 'This description of the push collector, in OpenAPI 3.0',
  description: 'As YAML, for generators of clients that do not know OpenAPI 3.1 yet.',
  tags: ['Push'],
  response: {
    200: {
      content: { 'application/yaml': { schema: Type.Object({}) } },
    },
  },
}

/** Paths of the push collector (interface 4.10). */
const isPush = (path: string) => path.startsWith('/push/') || ['/health', '/apispec'].includes(path)

/** `GET /apispec`: the part of the hub's own description that is about pushing, as OpenAPI 3.0 YAML. */
function describePush(app: FastifyInstance, deps: Deps): void {
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
  const shared = (kind: string) => toOpenApi30(memberOf(others, 'components', kind))
  const problem = memberOf(others, 'components', 'schemas', 'ProblemDetails')
  const ours = Object.entries(paths).filter(([path]) => isPush(path))
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
    servers: memberOf(others, 'servers'),
    security: others.security,
    tags: others.tags?.filter(({ name }) => ['Push', 'Operation'].includes(name)),
    paths: toOpenApi30(Object.fromEntries(ours)),
    components: {
      schemas: { ProblemDetails: toOpenApi30(problem) },
      headers: shared('headers'),
      responses: shared('responses'),
      securitySchemes: { bearer: securityScheme(tokenUrl) },
    },
  })
}

function memberOf(value: object, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      found instanceof Object
        ? Object.entries(found).find(([key]) => key === name)?.[1]
        : undefined,
    value,
  )
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
 * A part of an OpenAPI 3.1 document in the words of 3.0.3: `null` is not a type there but the field
 * `nullable`, a constant is an enumeration of one, and `$ref` stands alone. As far as our schemas go;
 * lists of types and the like do not occur in them.
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
