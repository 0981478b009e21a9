import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { fieldsOf } from '../lang/json.ts'
import { answerRead, jsonType, weakEtag } from './answer.ts'
import { completeDescription } from './description.ts'
import type { Document } from './description.ts'

type Deps = {
  readonly publicUrl: string
  readonly version: string
  /** Adds what the routes do not describe themselves. */
  readonly complete?: (document: Document) => Document
}

/** The format of every error of the hub: RFC 9457 with the fields of decision D1. */
const problemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Page that explains the error' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong with this request' }),
    instance: Type.String({ description: 'Identifies this request, for support' }),
    errorCode: Type.String(),
    hint: Type.Optional(Type.String({ description: 'What to do' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          parameter: Type.Optional(Type.String()),
          pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body' })),
          detail: Type.String(),
          position: Type.Optional(Type.Integer({ description: 'Zero-based offset in the text' })),
          expected: Type.Optional(Type.Array(Type.String())),
          hint: Type.Optional(Type.String()),
        }),
      ),
    ),
  },
  { $id: 'ProblemDetails' },
)

/** Tokens of the embedded token service or of another OpenID provider (decision D6). */
const bearer = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'An access token (JWT) of the token service. It is verified according to the best practices of RFC8725: issuer, audience, expiry, and the expected algorithms.',
} as const

/** The services, in the order in which the documentation shows them. */
const tags = [
  { name: 'Catalogue', description: 'The available datasets, and how to read them' },
  { name: 'Content', description: 'Tourism records: lists, items, languages, fields' },
  { name: 'Content writes', description: 'Creating, changing and deleting records; their history' },
  { name: 'Time series', description: 'Mobility stations, their latest values and history' },
  { name: 'Changes', description: 'Feeds of all changes, to keep a copy of the data' },
  { name: 'Traffic', description: 'Road situations as DATEX II' },
  { name: 'Sharing', description: 'Shared bicycles and cars as GBFS' },
  { name: 'Push', description: 'Data from providers, and receipts' },
  { name: 'Tokens', description: 'The embedded token service (OAuth 2.0, OpenID Connect)' },
  { name: 'Operation', description: 'Hub status' },
  { name: 'Demo', description: 'Pictures of the fictional region; only in demo mode' },
]

/**
 * Paths of the document: the hub's own, and those that clients of the public system use (decision
 * D36a).
 */
const addresses = ['/openapi.json', '/json/swagger.json', '/swagger/v1/swagger.json']

/** Serves OpenAPI 3.1, generated from the route schemas, at `/openapi.json`. */
export async function describeRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { complete = (document: Document) => document } = deps
  app.addSchema(problemSchema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hub',
        version: deps.version,
        description:
          'Tourism content, mobility time series, provider push and a DATEX II traffic feed.',
        contact: { name: 'The operator of this hub', url: deps.publicUrl },
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [serverOf(deps.publicUrl)],
      tags: [...tags],
      // Open data is for everybody; with a token a caller may see more (decisions D6, D60).
      security: [{}, { bearer: [] }],
      components: { securitySchemes: { bearer } },
    },
    transformObject: (made) => {
      const document = 'openapiObject' in made ? made.openapiObject : {}
      return completeDescription({ ...document }, complete)
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => nameOf(json['$id'], i) },
  })
  // Written once, because it is long and does not change once the app is ready.
  let written: { readonly body: string; readonly etag: string } | undefined
  const write = () => {
    const body = JSON.stringify(app.swagger())
    return { body, etag: weakEtag([body]) }
  }
  for (const address of addresses) {
    app.get(address, { schema: { hide: true } }, (request, reply) => {
      written ??= write()
      const answer = { ...written, type: jsonType }
      return answerRead({ request, reply }, { run: () => answer })
    })
  }
}

function nameOf(id: unknown, position: number): string {
  return typeof id === 'string' ? id : `schema${String(position)}`
}

type Server = {
  readonly url: string
  readonly description: string
  /** Whether only its operator can use it (OWASP API security, API9). */
  readonly 'x-internal': boolean
}

function serverOf(publicUrl: string): Server {
  const { hostname } = new URL(publicUrl)
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  const description = isLocal ? 'This hub, for local use' : 'This hub, in production'
  return { url: publicUrl, description, 'x-internal': isLocal }
}

/**
 * Removes the components that a document does not reference, directly or through other components.
 */
export function withoutUnused(document: Document): Document {
  const { components, ...rest } = document
  const all = fieldsOf(components)
  const used = new Set<string>()
  collect(rest, { all, used })
  const kept = Object.entries(all).map(([kind, members]): [string, Document] => {
    // Security schemes are referenced by name, not by `$ref`.
    const isUsed = (name: string) =>
      kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`)
    const found = Object.entries(fieldsOf(members)).filter(([name]) => isUsed(name))
    return [kind, Object.fromEntries(found)]
  })
  const filled = kept.filter(([, members]) => Object.keys(members).length > 0)
  return { ...rest, components: Object.fromEntries(filled) }
}

type Search = { readonly all: Document; readonly used: Set<string> }

function collect(value: unknown, search: Search): void {
  if (typeof value !== 'object' || value === null) return
  const reference = '$ref' in value ? value.$ref : undefined
  if (typeof reference === 'string' && !search.used.has(reference)) {
    search.used.add(reference)
    const [, , kind = '', name = ''] = reference.split('/')
    collect(fieldsOf(search.all[kind])[name], search)
  }
  for (const member of Object.values(value)) collect(member, search)
}
