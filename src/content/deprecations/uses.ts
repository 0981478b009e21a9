import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { addLink, sendText } from '../../http/index.ts'
import type { Entity, Profile } from '../entity.ts'
import { findEntity } from '../entity-types.ts'
import type { FieldPath } from '../representation.ts'
import { fieldsIn, parseRawFilter, toStoredField } from '../rawfilter/index.ts'
import type { Field } from '../rawfilter/index.ts'
import { parseRawSort } from '../rawsort.ts'
import { isSchema, stepInto, valueOfKeys } from '../schema-fields.ts'
import { deprecationsOf } from './table.ts'
import type { Day, Deprecation } from './table.ts'
import { commaList, problem } from '../../lang/schemas.ts'
import { requirePrincipal } from '../../access/index.ts'
import type { AppError } from '../../errors/index.ts'
import { hintAt } from '../../lang/index.ts'
import { rejected } from '../filters/values.ts'
import { toNaming } from '../naming.ts'

/**
 * Returns the fields along a path in a request. Language keys and other free keys are left out:
 * `AdditionalPoiInfos.de.MainType` becomes `AdditionalPoiInfos.MainType`.
 * @param names the names of the path, without steps into arrays
 * @returns every field along the path, starting with the field of the record itself
 */
export function fieldsOnTheWay(schema: TSchema, names: readonly string[]): readonly string[] {
  const found: string[] = []
  let at = schema
  let path = ''
  for (const name of names) {
    const step = stepInto(at, name)
    if (step === undefined) break
    at = step.schema
    if (step.isKey) continue
    path = path === '' ? name : `${path}.${name}`
    found.push(path)
  }
  return found
}

/** Deprecation as `/v1/Deprecated` shows it (interface 2.8). */
type DeprecationRecord = {
  readonly Name: string
  readonly Type: string
  readonly Description: string
  readonly DeprecationDate: string
  readonly RemovedAfter: string
}

/** Deprecations that are listed under one name. */
export type Group = {
  readonly name: string
  /** Type of the records, if the name is that of an entity. */
  readonly type: string | undefined
  readonly rows: readonly { readonly row: Deprecation; readonly record: DeprecationRecord }[]
}

type Listed = {
  readonly entities: readonly Entity[]
  /** Deprecated routes that belong to no entity. */
  readonly routes: readonly Deprecation[]
  /** Reports whether the hub serves a path. */
  readonly isServed: (address: string) => boolean
}

/** Groups every deprecation of this hub by the name of its entity, in the order of the entities. */
function toGroups({ entities, routes, isServed }: Listed): readonly Group[] {
  const isListed = ({ kind, name }: Deprecation) => kind !== 'route' || isServed(name)
  const ofEntities = entities.map((entity) => ({
    name: entity.name,
    type: entity.type,
    rows: entity.deprecations
      .filter(isListed)
      .map((row) => ({ row, record: toRecord(row, typeOf(row, entity)) })),
  }))
  const others = Map.groupBy(routes.filter(isListed), ({ entity }) => entity)
  const ofNoEntity = [...others].map(([name, rows]) => ({
    name,
    type: undefined,
    rows: rows.map((row) => ({ row, record: toRecord(row, 'Route') })),
  }))
  return [...ofEntities, ...ofNoEntity].filter(({ rows }) => rows.length > 0)
}

function typeOf({ kind, name, type }: Deprecation, { schema }: Entity): string {
  if (type !== undefined) return type
  if (kind === 'route') return 'Route'
  return kind === 'parameter' ? 'Parameter' : typeNameAt(schema, name.split('.'))
}

function toRecord(row: Deprecation, type: string): DeprecationRecord {
  return {
    Name: row.name,
    Type: type,
    Description: row.description,
    DeprecationDate: row.deprecated,
    RemovedAfter: row.removedAfter,
  }
}

/** Returns the type of a field, such as `String` or `List<Object>`; `Any` if it is unknown. */
export function typeNameAt(schema: TSchema, path: readonly string[]): string {
  const [name, ...below] = path
  if (name === undefined) return typeNameOf(schema)
  const step = stepInto(schema, name)
  if (step === undefined) return 'Any'
  return typeNameAt(step.schema, step.isKey ? path : below)
}

function typeNameOf(schema: TSchema): string {
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) return `List<${typeNameOf(items)}>`
  const value = valueOfKeys(schema)
  if (value !== undefined) return `Map<${typeNameOf(value)}>`
  const types = [Reflect.get(schema, 'type')].flat().filter((type) => type !== 'null')
  return types.length === 1 ? capitalised(String(types[0])) : 'Any'
}

function capitalised(word: string): string {
  return word === '' || word === 'undefined'
    ? 'Any'
    : `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** Parts of a request that may name something deprecated. */
type Named = {
  readonly fields: readonly FieldPath[]
  readonly query: Readonly<Record<string, unknown>>
}

type Path = readonly string[]

/** Sets response headers that report the deprecated fields and parameters that a request uses. */
export function reportUses(
  reply: FastifyReply,
  { entity, publicUrl, ...named }: Named & { readonly entity: Entity; readonly publicUrl: string },
): void {
  reportDeprecated(reply, { uses: deprecatedUses(entity, named), publicUrl })
}

/**
 * Returns the deprecated fields and parameters that a request names. A request for whole records
 * names no field.
 */
export function deprecatedUses(entity: Entity, { fields, query }: Named): readonly Deprecation[] {
  const paths = [...fields.map(namesOf), ...pathsIn(entity, query)]
  if (paths.length === 0 && !entity.deprecations.some(({ name }) => name in query)) return []
  const members = new Set(paths.flatMap((path) => fieldsOnTheWay(entity.schema, path)))
  return entity.deprecations.filter(({ kind, name }) => {
    if (kind === 'member') return members.has(name)
    return kind === 'parameter' && query[name] !== undefined
  })
}

function namesOf({ steps }: FieldPath): Path {
  return steps.flatMap((step) => {
    if (step.kind === 'member') return [step.name]
    return step.kind === 'every' ? ['*'] : []
  })
}

/** Returns the fields in the filter and sort expressions. The plan has already validated them. */
function pathsIn(entity: Entity, { rawfilter, rawsort }: Named['query']): readonly Path[] {
  const toPath = (field: Field) => toStoredField(field, { entity, naming: entity.naming }).names
  return [
    ...(typeof rawfilter === 'string' ? fieldsIn(parseRawFilter(rawfilter)) : []),
    ...(typeof rawsort === 'string' ? parseRawSort(rawsort).keys.map(({ field }) => field) : []),
  ].map(toPath)
}

/** Page that shows the table to people. */
const deprecationsPath = '/docs/deprecations'

const oneDay = 86_400_000
const maxLinks = 10

const startOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)

/** Returns the anchor of a row on the page of deprecations. */
function anchorOf({ entity, name }: Deprecation): string {
  return `${entity}.${name}`.replaceAll(/[^\w.-]/g, '-')
}

/**
 * Sets the headers of a response that uses something deprecated: `Deprecation` with the earliest
 * announcement (RFC 9745), `Sunset` with the earliest day of removal (RFC 8594), and links to what
 * to use instead. Must be called before the entity tag is compared, because 304 responses have
 * these headers, too.
 */
export function reportDeprecated(
  reply: FastifyReply,
  { uses, publicUrl }: { readonly uses: readonly Deprecation[]; readonly publicUrl: string },
): void {
  if (uses.length === 0) return
  const since = Math.min(...uses.map(({ deprecated }) => startOf(deprecated)))
  // Served until the end of that day.
  const until = Math.min(...uses.map(({ removedAfter }) => startOf(removedAfter) + oneDay))
  void reply.header('deprecation', `@${String(since / 1000)}`)
  void reply.header('sunset', new Date(until).toUTCString())
  for (const use of uses.slice(0, maxLinks)) {
    const target = `${publicUrl}${deprecationsPath}#${anchorOf(use)}`
    addLink(reply, { target, relation: 'deprecation' })
  }
}

type Deps = {
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  /** The strict profile requires a token for the table (decision D33). */
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

/**
 * Registers the table of deprecations, for programs and people, and the headers of deprecated
 * routes.
 */
export async function deprecationRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  // All entities share the naming of the deployment.
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

/**
 * Sets the headers of every deprecated route that is registered from now on. Errors have them, too.
 */
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

/**
 * Selects the groups of the requested entities or types.
 * @throws AppError HUB-QRY-001 for a name that is neither an entity nor a type
 */
function choose(groups: readonly Group[], { types, entities }: Choice): readonly Group[] {
  if (types === undefined) return groups
  const known = [...entities, ...groups].flatMap(({ name, type = name }) => [name, type])
  const names = new Set(known.map((spelling) => spelling.toLowerCase()))
  const nameOf = (type: string) => {
    const lower = type.toLowerCase()
    if (names.has(lower)) return lower
    const entity = findEntity(entities, type)
    if (entity === undefined) throw noSuchType(type, known)
    return entity.name.toLowerCase()
  }
  const wanted = new Set(types.map(nameOf))
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
    description: 'Deprecated items are still served; removed items are neither stored nor served',
  }),
  description: Type.String({ description: 'What to use instead' }),
  since: Type.String({ format: 'date' }),
  until: Type.String({ format: 'date', description: 'Served at least until this day' }),
  anchor: Type.String({
    description: 'Anchor on the page of deprecations, to which links in headers lead',
  }),
})

const publicOperation = {
  operationId: 'getDeprecations',
  summary: 'Deprecated and removed fields, parameters and routes, and what to use instead',
  description:
    'The content of `/v1/Deprecated` for all callers, as one list; `/docs/deprecations` shows it as a page.',
  tags: ['Catalogue'],
  response: { 200: Type.Object({ deprecations: Type.Array(entry) }) },
}

/**
 * Registers the public table of deprecations, from which the page behind the header links is made.
 */
function publicTable(app: FastifyInstance, groups: () => readonly Group[]): void {
  let text: string | undefined
  app.get('/deprecations', { schema: publicOperation }, (request, reply) => {
    // Built once: the routes are known when the app is ready, and do not change.
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
