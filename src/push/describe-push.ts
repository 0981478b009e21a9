import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { stringify } from 'yaml'
import { withoutUnused } from '../http/index.ts'
import { toOpenApi30 } from './to-openapi-30.ts'

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
  const shared = (kind: string) => toOpenApi30(memberOf(others, 'components', kind))
  const problem = memberOf(others, 'components', 'schemas', 'ProblemDetails')
  const ours = Object.entries(paths).filter(([path]) => isPush(path))
  return withoutUnused({
    openapi: '3.0.3',
    info: {
      title: `${info.title}: push collector`,
      version: info.version,
      description:
        'Providers send their data here, as it is. 200 is answered once it is durably stored.',
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
  const description = 'Tokens are verified as the best practices RFC8725 have it.'
  return tokenUrl === undefined
    ? { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
    : { type: 'oauth2', description, flows: { clientCredentials: { tokenUrl, scopes: {} } } }
}
