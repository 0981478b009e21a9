import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import { commaList, problem } from '../../lang/schemas.ts'
import { requirePrincipal } from '../../access/index.ts'
import type { AppError } from '../../errors/index.ts'
import { sendText } from '../../http/index.ts'
import { hintAt } from '../../lang/index.ts'
import type { Entity, Profile } from '../entity.ts'
import { rejected } from '../filters/values.ts'
import { toNaming } from '../naming.ts'
import type { Deprecation } from './table.ts'
import { deprecationsOf } from './table.ts'
import { anchorOf, reportDeprecated, toGroups } from './uses.ts'
import type { Group } from './uses.ts'

type Deps = {
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  /** Reading the table takes a token in the strict one (decision D33). */
  readonly profile?: Profile
}

const record = Type.Object({
  Name: Type.String({ description: 'Path of a field, name of a parameter, or a route' }),
  Type: Type.String({ description: 'Type of the field; or Parameter, or Route' }),
  Description: Type.String(),
  DeprecationDate: Type.String({ format: 'date' }),
  RemovedAfter: Type.String({ format: 'date', description: 'Served at least until this day' }),
})

/** `GET /v1/Deprecated` (interface 2.8, 4.7). */
const operation = {
  operationId: 'listDeprecated',
  summary: 'Deprecated and removed fields, parameters and routes',
  description: 'Keyed by the name of the entity.',
  tags: ['Content'],
  deprecated: true,
  querystring: Type.Object({
    type: Type.Optional(
      commaList(Type.String({ maxLength: 200 }), {
        maxItems: 100,
        description:
          'Only those of these entities: names or types, such as Event or hubactivitypoi',
        'x-aliases': ['hubtype', 'odhtype'],
      }),
    ),
  }),
  response: { 200: Type.Record(Type.String(), Type.Array(record)), 400: problem, 401: problem },
}

/** The table of deprecations, for programs and for people, and the headers of deprecated addresses. */
export async function deprecationRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  // All entities have the names of the deployment.
  const naming = deps.entities[0]?.naming ?? toNaming('Hub')
  const routes = deprecationsOf(naming).filter(({ kind }) => kind === 'route')
  reportRoutes(app, { routes, publicUrl: deps.publicUrl })
  await app.register(tableRoutes({ ...deps, routes }))
}

type Routes = { readonly routes: readonly Deprecation[] }

const tableRoutes =
  ({ entities, routes, profile = 'strict' }: Deps & Routes): FastifyPluginAsyncTypebox =>
  (app) => {
    const named = new Set(entities.map(({ name }) => name))
    const others = routes.filter(({ entity }) => !named.has(entity))
    const isServed = (url: string) => app.hasRoute({ url, method: 'GET' })
    const groups = () => toGroups({ entities, routes: others, isServed })

    const schema = profile === 'strict' ? { ...operation, security: [{ bearer: [] }] } : operation
    app.get('/v1/Deprecated', { schema }, (request, reply) => {
      if (profile === 'strict') requirePrincipal(request.principal)
      const text = toText(choose(groups(), { types: request.query.type, entities }))
      return sendText({ request, reply }, text)
    })
    publicTable(app, groups)
    return Promise.resolve()
  }

/** Sets the headers of every deprecated address that the app gets from now on, on errors too. */
function reportRoutes(
  app: FastifyInstance,
  { routes, publicUrl }: Routes & { readonly publicUrl: string },
): void {
  app.addHook('onRoute', (route) => {
    const { url } = route
    const uses = routes.filter(({ name }) => url === name || url.startsWith(`${name}/`))
    if (uses.length === 0) return
    const report: onRequestHookHandler = (_request, reply, done) => {
      reportDeprecated(reply, { uses, publicUrl })
      done()
    }
    route.onRequest = [report, ...[route.onRequest ?? []].flat()]
  })
}

type Choice = {
  readonly types: readonly string[] | undefined
  readonly entities: readonly Entity[]
}

/** @throws AppError HUB-QRY-001 for what is neither an entity nor a type */
function choose(groups: readonly Group[], { types, entities }: Choice): readonly Group[] {
  if (types === undefined) return groups
  const known = [...entities, ...groups].flatMap(({ name, type = name }) => [name, type])
  const isKnown = (type: string) =>
    known.some((spelling) => spelling.toLowerCase() === type.toLowerCase())
  const unknown = types.find((type) => !isKnown(type))
  if (unknown !== undefined) throw noSuchType(unknown, known)
  const wanted = new Set(types.map((type) => type.toLowerCase()))
  return groups.filter(({ name, type = name }) =>
    [name, type].some((spelling) => wanted.has(spelling.toLowerCase())),
  )
}

function noSuchType(written: string, known: readonly string[]): AppError {
  return rejected({
    parameter: 'type',
    detail: `has ${JSON.stringify(written)}, which is not an entity of this hub`,
    expected: [...new Set(known)],
    ...hintAt(written, known),
  })
}

function toText(groups: readonly Group[]): string {
  return JSON.stringify(
    Object.fromEntries(groups.map(({ name, rows }) => [name, rows.map(({ record }) => record)])),
  )
}

const entry = Type.Object({
  of: Type.String({
    description: 'Name of the entity, or of the service to which the route belongs',
  }),
  kind: Type.Enum(['member', 'parameter', 'route']),
  name: Type.String({ description: 'Path of a field, name of a parameter, or a route' }),
  type: Type.String({ description: 'Type of the field; or Parameter, or Route' }),
  state: Type.Enum(['deprecated', 'removed'], {
    description: 'What is deprecated is served; what is removed is neither stored nor served',
  }),
  description: Type.String({ description: 'What to use instead' }),
  since: Type.String({ format: 'date' }),
  until: Type.String({ format: 'date', description: 'Served at least until this day' }),
  anchor: Type.String({ description: 'Where links in headers lead on the page of deprecations' }),
})

const publicOperation = {
  operationId: 'getDeprecations',
  summary: 'Deprecated and removed fields, parameters and routes, and what to use instead',
  description:
    'The content of `/v1/Deprecated` for all callers, as one list; `/docs/deprecations` shows it as a page.',
  tags: ['Catalogue'],
  response: { 200: Type.Object({ deprecations: Type.Array(entry) }) },
}

/** The table of deprecations for the caller: the page behind the links in headers is made of it. */
function publicTable(app: FastifyInstance, groups: () => readonly Group[]): void {
  let text: string | undefined
  app.get('/deprecations', { schema: publicOperation }, (request, reply) => {
    // Which addresses are served is known once the app is ready, and does not change.
    text ??= JSON.stringify({ deprecations: groups().flatMap(toEntries) })
    return sendText({ request, reply }, text)
  })
}

function toEntries({ name: of, rows }: Group): readonly object[] {
  return rows.map(({ row, record }) => ({
    of,
    kind: row.kind,
    name: record.Name,
    type: record.Type,
    state: row.state,
    description: record.Description,
    since: record.DeprecationDate,
    until: record.RemovedAfter,
    anchor: anchorOf(row),
  }))
}
