import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { seesAll } from '../access/index.ts'
import type { RuleTable } from '../access/index.ts'
import { printCursor } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import {
  answerRead,
  assertNoneIgnored,
  assertNotClamped,
  heavyReads,
  jsonType,
  rememberPlans,
  reportIgnored,
  sendText,
  wantsStrictHandling,
  weakEtag,
} from '../http/index.ts'
import type { Answer, Exchange } from '../http/index.ts'
import { parseObject } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import { isOutOfRange } from '../storage/index.ts'
import type { Database, Queryable, TextRow } from '../storage/index.ts'
import type { TimeseriesDeps } from '../timeseries/index.ts'
import { entitiesFor, setNames } from './entities.ts'
import { readOptions } from './options.ts'
import type { Options } from './options.ts'
import { columnsBefore, pageSizes, planRead } from './plan.ts'
import type { Plan } from './plan.ts'
import { readResourcePath } from './resource-path.ts'
import type { Resource } from './resource-path.ts'
import { viewOf } from './scope.ts'
import type { View } from './scope.ts'
import { problem, referer } from '../lang/schemas.ts'

const tags = ['Time series']

/** Describes a parameter that contains an expression. The grammar has the same maximum length. */
const expression = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 8000, description, examples: [example] }))

const whole = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999, description }))

const parameters = Type.Object({
  $filter: expression('A condition on the entities', "properties/type eq 'ParkingStation'"),
  $expand: expression(
    'Related entities to show inside each entity',
    'Datastreams($expand=ObservedProperty)',
  ),
  $select: expression('Only these properties', 'id,name'),
  $orderby: expression('Properties to sort by, each with asc or desc', 'name desc'),
  $top: whole('Entities per page: 100 by default, 1,000 at most'),
  $skip: whole('Entities to skip'),
  $count: Type.Optional(
    Type.Boolean({ description: 'Whether to count all entities that match: @iot.count' }),
  ),
  $skiptoken: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'From the @iot.nextLink of the previous page' }),
  ),
  referer,
})

const json = (description: string) => ({
  200: Type.Object({}, { description, additionalProperties: true }),
  400: problem,
  404: problem,
})

const rootOperation = {
  operationId: 'readSensorThings',
  summary: 'OGC SensorThings API 1.1: the sets of entities, and what is supported',
  description: 'The hub supports only reading; data arrives by push.',
  tags,
  response: { 200: json('The URLs of all sets')[200] },
}

const resourceOperation = {
  operationId: 'readSensorThingsResource',
  summary: 'Entities of SensorThings: stations, series, measurements',
  description:
    'A set such as Things, or one entity such as Things(1), from which paths continue: Things(1)/Datastreams, Datastreams(2)/Thing/name/$value, Things/$ref. Observations contains the values that the caller may see.',
  tags,
  params: Type.Object({
    resource: Type.String({
      maxLength: 100,
      description: 'A set or one entity of it',
      examples: ['Things'],
    }),
  }),
  querystring: parameters,
  response: json('A page with value and @iot.nextLink, one entity, or one property'),
}

/** Longer paths have the same parameters, so they are hidden from the OpenAPI document. */
const deeperOperation = { hide: true, querystring: parameters }

type Deps = Pick<TimeseriesDeps, 'cold' | 'publicUrl' | 'historyLimitOf'> & {
  readonly database: Pick<Database, 'read' | 'heavy'>
  readonly visibilityOf: RuleTable['visibility']
}

const path = '/sta/v1.1'

/**
 * Serves OGC SensorThings API 1.1 (18-088) at `/sta/v1.1`, read-only: Sensing core and filtering.
 */
export const staRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const root = `${deps.publicUrl}${path}`
    const plans = rememberPlans<Planned>(200)
    app.get(path, { schema: rootOperation }, (request, reply) =>
      sendText({ request, reply }, JSON.stringify(toRoot(root))),
    )
    const answer = (request: ReadRequest, exchange: Exchange) => {
      const rights = deps.visibilityOf(request.principal)
      const days = deps.historyLimitOf?.(callerOf(request)).days
      const text = `${request.url}\n${String(days)}`
      const planned = plans(request, { text, rights }, () => {
        const entities = entitiesFor(rights, root)
        const { headers } = request
        return toPlanned(request, viewOf({ entities, root, headers, historyDays: days }))
      })
      reportIgnored(exchange.reply, planned.ignored)
      const withheld = seesAll(rights, 'timeseries') ? [] : (['records'] as const)
      return send(deps, exchange, { ...planned, withheld })
    }
    app.get(`${path}/:resource`, { schema: resourceOperation }, (request, reply) =>
      answer(request, { request, reply }),
    )
    app.get(`${path}/:resource/*`, { schema: deeperOperation }, (request, reply) =>
      answer(request, { request, reply }),
    )
    refuseWrites(app)
    return Promise.resolve()
  }

type Dataset = { readonly service: string; readonly type: string }

/**
 * Returns a function that lists this standard for datasets of stations, with the URL of their
 * Things.
 */
export const staStandard =
  (publicUrl: string) =>
  ({ service, type }: Dataset) => {
    if (service !== 'timeseries') return []
    const filter = encodeURIComponent(`properties/type eq '${type.replaceAll("'", "''")}'`)
    const url = `${publicUrl}${path}/Things?$filter=${filter}`
    return [{ name: 'OGC SensorThings API', version: '1.1', url, mediaType: 'application/json' }]
  }

type Query = Static<typeof parameters>
type ReadRequest = FastifyRequest<{ Querystring: Query }>

const callerOf = ({ principal, headers, query }: ReadRequest) => {
  return { principal, header: headers.referer, parameter: query.referer }
}

/** Describes the service: its sets, and the requirements that it meets (OGC 18-088, 9.2.1). */
function toRoot(root: string): object {
  const names = Object.values(setNames)
  const conformance = ['datamodel', 'resource-path', 'request-data'].map(
    (part) => `http://www.opengis.net/spec/iot_sensing/1.1/req/${part}`,
  )
  return {
    value: names.map((name) => ({ name, url: `${root}/${name}` })),
    serverSettings: { conformance },
  }
}

const writes = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

function refuseWrites(app: Parameters<FastifyPluginAsyncTypebox>[0]): void {
  const refuse = ({ method, url }: FastifyRequest) => {
    throw new AppError('HUB-RTE-002', `${method} does not work at ${url.split('?')[0] ?? ''}.`, {
      headers: { allow: 'GET, HEAD, OPTIONS' },
      hint: 'SensorThings is read-only. Providers send stations and measurements to /push.',
    })
  }
  for (const url of [path, `${path}/*`]) {
    app.route({
      ...{ method: [...writes], url, schema: { hide: true }, handler: refuse },
      config: { isRefusal: true },
      // Refused before the body is read, whatever its type.
      onRequest: (request) => refuse(request),
    })
  }
}

type Planned = {
  readonly plan: Plan
  readonly resource: Resource
  readonly options: Options
  /** URL of the next page up to its cursor, which is appended. */
  readonly next: string
  /** Options that have no effect on the resource. */
  readonly ignored: readonly string[]
}

function toPlanned(request: ReadRequest, view: View): Planned {
  const { url, headers } = request
  // The URL of a request may contain a host.
  const { pathname } = new URL(url, view.root)
  const resource = readResourcePath(decodeURIComponent(pathname.slice(path.length)), view.entities)
  const ignored = ignoredOf(request.query, resource)
  if (wantsStrictHandling(headers['prefer'])) assertNoneIgnored(ignored, 'at this path')
  const query = resource.isSet ? request.query : ofEntity(request.query)
  const { $top: top, $skip: skip, $count: count, $skiptoken: cursor, ...written } = query
  assertNotClamped(request, '$top', [top ?? 0, pageSizes.most])
  const options = {
    ...readOptions(written),
    ...(top === undefined ? {} : { top }),
    // The cursor is already past the skipped entities.
    ...(skip === undefined || cursor !== undefined ? {} : { skip }),
    ...(count === undefined ? {} : { count }),
    ...selected(resource),
  }
  const kept = Object.entries(query).filter(([name]) => name !== '$skiptoken' && name !== '$skip')
  const parameters = kept.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const next = `${view.root}${pathname.slice(path.length)}?${[...parameters, '$skiptoken='].join('&')}`
  return { plan: planRead({ resource, options, cursor }, view), resource, options, next, ignored }
}

const ofSets = ['$filter', '$orderby', '$top', '$skip', '$count', '$skiptoken'] as const
const ofWhole = ['$select', '$expand'] as const

/** Lists the options that the standard does not have for the resource (OGC 18-088, 9.3). */
function ignoredOf(query: Query, { isSet, shown }: Resource): readonly string[] {
  const idle = [...(isSet ? [] : ofSets), ...(shown === 'entities' ? [] : ofWhole)]
  return idle.filter((name) => query[name] !== undefined)
}

const ofEntity = ({ $select, $expand }: Query): Query => ({
  ...($select === undefined ? {} : { $select }),
  ...($expand === undefined ? {} : { $expand }),
})

/** Translates a path that names a property or `$ref` into the equivalent selection. */
function selected({ shown }: Resource): Pick<Options, 'select' | 'expand'> {
  if (shown === 'entities') return {}
  const name = shown === 'references' ? 'selfLink' : shown.property
  return { select: [{ kind: 'path', names: [name], position: 0 }], expand: [] }
}

type Reading = Planned & { readonly withheld: readonly 'records'[] }

async function send({ cold, database }: Deps, exchange: Exchange, reading: Reading) {
  const { plan, withheld } = reading
  const { text, values } = plan.statement
  const mark = weakEtag([text, JSON.stringify(values), JSON.stringify(reading.resource.shown)])
  const run = async () => {
    const reads = plan.isHeavy ? await heavyReads(exchange, database) : database.read
    const { history } = plan
    const whole = history === undefined ? reads : (cold?.guard(reads, history) ?? reads)
    const rows = await loadRows(whole, plan)
    const etag = { etag: weakEtag([rows[0]?.[0] ?? '', mark]) }
    const answer = toAnswer(rows, reading)
    if (answer.body === '') void exchange.reply.code(204)
    // A response that depends on the time of the request has no version.
    return { ...answer, ...(plan.isTimeless ? etag : {}) }
  }
  const tag = async () => {
    const [row] = await database.read.texts(sql`select ${plan.version}`)
    return weakEtag([row?.[0] ?? '', mark])
  }
  return answerRead(exchange, { withheld, run, ...(plan.isTimeless ? { tag } : {}) })
}

/**
 * Loads the rows of a plan.
 * @throws AppError HUB-QRY-018 if a computed number exceeds the range of its type
 */
async function loadRows(database: Queryable, { statement }: Plan): Promise<readonly TextRow[]> {
  try {
    return await database.texts(statement)
  } catch (error) {
    if (!isOutOfRange(error)) throw error
    throw new AppError('HUB-QRY-018', '$filter computes a number that is too large.', {
      hint: 'Compare the property with a number, without arithmetic.',
    })
  }
}

function toAnswer(rows: readonly TextRow[], { resource, options, plan, next }: Reading): Answer {
  const [first] = rows
  const found = rows.filter((row) => row[4] !== null)
  const texts = found.map((row) => row[4] ?? '')
  const [only] = texts
  if (first?.[1] !== 'true' || (!resource.isSet && only === undefined)) throw notFound(resource)
  if (!resource.isSet) return toSingle(only ?? '', resource)
  const keys = found.at(-1)?.slice(columnsBefore, columnsBefore + plan.list.keys.length)
  const hasMore = keys !== undefined && Number(first[3]) > found.length
  const cursor = hasMore ? printCursor(plan.list, { seen: 0, values: keys }) : undefined
  const link = cursor === undefined ? {} : { '@iot.nextLink': `${next}${cursor}` }
  const count = options.count === true ? { '@iot.count': Number(first[2]) } : {}
  const head = JSON.stringify({ ...count, ...link }).slice(1, -1)
  const value = `"value":[${texts.join(',')}]`
  const body = `{${head === '' ? value : `${head},${value}`}}`
  return { body, type: jsonType, next: link['@iot.nextLink'] }
}

function toSingle(entity: string, { shown }: Resource): Answer {
  if (typeof shown === 'string') return { body: entity, type: jsonType }
  const value = parseObject(entity)[shown.property] ?? null
  if (value === null) return { body: '', type: jsonType }
  if (shown.form === 'json') return { body: entity, type: jsonType }
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  return { body, type: typeof value === 'object' ? jsonType : 'text/plain; charset=utf-8' }
}

function notFound({ steps }: Resource): AppError {
  const names = steps.map(({ entity, id }) =>
    id === undefined ? entity.name : `${entity.name} ${id}`,
  )
  return new AppError('HUB-RTE-003', `There is no ${names.toReversed().join(' of ')}.`, {
    hint: 'Follow the links of the entities, from those that GET /sta/v1.1 names.',
  })
}
