import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from 'node:http'
import { stringify } from 'yaml'
import type { Visibility } from '../access/index.ts'
import { catalogue } from '../errors/index.ts'
import {
  answerRead,
  assertNoneIgnored,
  chooseFormat,
  contentTypeOf,
  formatErrors,
  fileNameHeader,
  heavyReads,
  jsonType,
  reasonFor,
  rememberPlans,
  sendText,
  reportWithheld,
  toProblem,
  wantsStrictHandling,
  withoutUnused,
} from '../http/index.ts'
import type { ErrorFormat, Exchange } from '../http/index.ts'
import { isObject } from '../lang/json.ts'
import { ignoredReduction } from './buckets/aggregates.ts'
import type { ReductionQuery } from './buckets/aggregates.ts'
import { formatIgnored, formatsOf } from './formats/index.ts'
import type { Format } from './formats/format.ts'
import { freshnessRoutes } from './freshness/routes.ts'
import type { ReadParameters, StationParameters } from './parameters.ts'
import { newestTime, withheldFrom, withheldTypes } from './read/answer-headers.ts'
import { answerEtag, openAnswer } from './read/answer.ts'
import { assertNamesKnown, findLevel, listRepresentations, listTypes } from './read/find-level.ts'
import type { Place } from './read/find-level.ts'
import { rememberReads } from './read/open-pages.ts'
import type { Reads } from './read/open-pages.ts'
import { originsOf, planRead } from './read/plan.ts'
import type { HistoryLimit, ReadPlan } from './read/plan.ts'
import { parseRepresentation } from './read/representation.ts'
import type { Representation } from './read/representation.ts'
import {
  apispecOperation,
  historyOperation,
  latestOperation,
  representationsOperation,
  seriesOperation,
  stationsOperation,
  typesOperation,
} from './schemas.ts'
import { inGroups, toSelect } from './select/groups.ts'
import type { Caller, TimeseriesDeps } from './timeseries-deps.ts'

/**
 * Returns the routes of the service (interface 4.8): stations, series, values, edges and events.
 */
export const timeseriesRoutes =
  (deps: TimeseriesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { publicUrl, profile = 'strict' } = deps
    formatErrors(app, { below: '/v2', format: timeseriesErrorFormat }, deps)

    app.get('/v2', { schema: representationsOperation }, async (request, reply) =>
      sendList(request, reply, listRepresentations(publicUrl)),
    )
    const describe = serviceDescription(() => app.swagger())
    app.get('/v2/apispec', { schema: apispecOperation }, (request, reply) => {
      const { body, type } = describe(request.headers.accept)
      return sendText({ request, reply }, body, type)
    })
    app.get('/v2/:representation', { schema: typesOperation }, async (request, reply) => {
      const { representation: segment } = request.params
      const visibility = deps.visibilityOf(request.principal)
      const asked = { segment, visibility, publicUrl, profile }
      reportWithheld(reply, withheldTypes(visibility), reasonFor(request.principal))
      return sendList(request, reply, await listTypes(deps.database.read, asked))
    })
    await app.register(freshnessRoutes(deps))
    await app.register(readRoutes(deps))
  }

/** Returns the routes that read data, one for each number of segments in their paths. */
const readRoutes =
  (deps: TimeseriesDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const read = reader(deps)
    const stations = '/v2/:representation/:stationTypes'
    app.get(stations, { schema: stationsOperation }, async (request, reply) => {
      const { representation, stationTypes } = request.params
      const { query, ignored } = readGroups(request, parseRepresentation(representation))
      try {
        return await read({ request, reply, query, ignored }, [representation, stationTypes])
      } catch (error) {
        throw inGroups(error, request.query)
      }
    })
    app.get(`${stations}/:dataTypes`, { schema: seriesOperation }, async (request, reply) => {
      const { params, query } = request
      const { representation, stationTypes, dataTypes } = params
      return read({ request, reply, query }, [representation, stationTypes, dataTypes])
    })
    app.get(`${stations}/:dataTypes/:from`, { schema: latestOperation }, async (request, reply) => {
      const { params, query } = request
      const { representation, stationTypes, dataTypes, from } = params
      return read({ request, reply, query }, [representation, stationTypes, dataTypes, from])
    })
    app.get(
      `${stations}/:dataTypes/:from/:to`,
      { schema: historyOperation },
      async (request, reply) => {
        const { params, query } = request
        const { representation, stationTypes, dataTypes, from, to } = params
        return read({ request, reply, query }, [representation, stationTypes, dataTypes, from, to])
      },
    )
    return Promise.resolve()
  }

type ReadQuery = ReadParameters & ReductionQuery

type ReadRequest = Exchange & {
  readonly query: ReadQuery
  /** Names of parameters in the request that are not in `query`, because they have no effect. */
  readonly ignored?: readonly string[]
}

/**
 * Replaces `groupby` and `agg` of the list of stations with the `select` that they stand for. In a
 * tree, which shows each station by itself, they have no effect.
 * @throws AppError HUB-QRY-003 for parameters without effect under strict handling (decision D3)
 */
function readGroups(
  {
    query: { groupby, agg, ...query },
    headers,
  }: FastifyRequest<{ Querystring: StationParameters }>,
  { structure }: Representation,
): { readonly query: ReadQuery; readonly ignored: readonly string[] } {
  const given = { ...(groupby && { groupby }), ...(agg && { agg }) }
  const select = structure === 'flat' ? toSelect(given) : undefined
  const ignored =
    select === undefined ? Object.keys(given) : query.select === undefined ? [] : ['select']
  if (wantsStrictHandling(headers['prefer'])) {
    assertNoneIgnored(ignored, select === undefined ? 'in a tree' : 'beside groupby and agg')
  }
  return { query: select === undefined ? query : { ...query, select }, ignored }
}

const defaultClientPrefixes = ['webcomp-']

/**
 * Returns the handler for requests of any depth: parse, plan, and run unless the client has cached
 * the current response.
 */
function reader(deps: TimeseriesDeps) {
  const { cold, database, visibilityOf, historyLimitOf, now, answerMemory } = deps
  const usual = rememberReads(database.read, answerMemory)
  const plans = rememberPlans<Planned>(500)
  const guarded = (reads: Reads, { history, reduction }: ReadPlan): Reads => {
    if (history === undefined || cold === undefined) return reads
    return reduction?.bucket === undefined
      ? { ...reads, database: cold.guard(reads.database, history) }
      : { ...reads, cold }
  }
  return async (read: ReadRequest, segments: readonly string[]) => {
    const { request, reply } = read
    const rights = visibilityOf(request.principal)
    const historyLimit = historyLimitOf?.(callerOf(read))
    const text = `${request.url}\n${historyLimit?.policy ?? ''}`
    const planned = plans(request, { text, rights }, () =>
      toPlanned(deps, read, { segments, rights, historyLimit }),
    )
    const { plan, wanted } = planned
    if (wantsStrictHandling(request.headers['prefer'])) {
      await assertNamesKnown(database.read, planned.asked, planned.origins)
    }
    const run = async () => {
      const reads = guarded(
        planned.isHeavy
          ? { ...usual, database: await heavyReads({ request, reply }, database) }
          : usual,
        plan,
      )
      const newest = newestTime(now())
      const answer = await openAnswer(newest.reading(reads, plan.level), plan, wanted)
      const headers = { ...planned.headers, ...newest.headers() }
      return { ...answer, type: contentTypeOf(wanted.choice), headers }
    }
    const tag = () => answerEtag(database.read, plan, wanted)
    return answerRead({ request, reply }, { ...planned.reported, tag, run })
  }
}

type PlanRequest = {
  readonly segments: readonly string[]
  readonly rights: Visibility
  readonly historyLimit: HistoryLimit | undefined
}

/** Everything that can be derived from the text of a request and its caller. It is cached. */
type Planned = ReturnType<typeof toPlanned>

function toPlanned(
  { profile = 'strict', clientOriginPrefixes = defaultClientPrefixes }: TimeseriesDeps,
  read: ReadRequest,
  { segments, rights: visibility, historyLimit }: PlanRequest,
) {
  const { request, query } = read
  const place = findLevel(segments)
  const choice = choose(read, place)
  const { needsPlace } = choice.format
  const given = { visibility, profile, clientOriginPrefixes, needsPlace, historyLimit }
  const asked = { ...place, ...given }
  const plan = planRead(asked, query)
  const ignored = ignoredBy(read, choice.format, plan)
  return {
    ...{ plan, asked, origins: originsOf(query.origin, clientOriginPrefixes) ?? [] },
    wanted: { url: request.url, choice, bom: query.bom },
    isHeavy: isHeavy(plan, query),
    headers: fileNameHeader(choice.format, segments.slice(1)),
    reported: { ignored, withheld: withheldFrom(asked, plan) },
  }
}

/** @throws AppError HUB-QRY-003 under strict handling if the structure does not have the format */
function choose({ request, query }: ReadRequest, { representation: { structure } }: Place) {
  return chooseFormat({
    offered: formatsOf(structure),
    format: query.format,
    accept: request.headers.accept,
    isStrict: wantsStrictHandling(request.headers['prefer']),
    subject: `The structure ${structure}`,
  })
}

function ignoredBy(read: ReadRequest, format: Format, plan: ReadPlan): readonly string[] {
  const { ignored = [] } = read
  const { query, request } = read
  const handling = wantsStrictHandling(request.headers['prefer']) ? 'strict' : 'lenient'
  return [
    ...ignored,
    ...formatIgnored(query, format, handling),
    ...ignoredReduction(query, plan.reduction, handling),
  ]
}

function callerOf({ request: { principal, headers }, query }: ReadRequest): Caller {
  return { principal, header: headers.referer, parameter: query.referer }
}

function sendList(request: FastifyRequest, reply: FastifyReply, list: readonly object[]) {
  return sendText({ request, reply }, JSON.stringify(list))
}

type Document = Readonly<Record<string, unknown>>

type Text = { readonly body: string; readonly type: string }

/**
 * Returns a function that describes the time series service: in YAML, as the public system does, or
 * in JSON if the `Accept` header names it. Both texts are made only once.
 * @param load returns the OpenAPI document of all services
 */
function serviceDescription(load: () => object): (accept: string | undefined) => Text {
  const texts = new Map<'json' | 'yaml', Text>()
  return (accept = '') => {
    const format = /\bjson\b/i.test(accept) ? 'json' : 'yaml'
    const known = texts.get(format)
    if (known !== undefined) return known
    const text = print(describeService(load()), format)
    texts.set(format, text)
    return text
  }
}

function print(description: Document, format: 'json' | 'yaml'): Text {
  if (format === 'json') return { body: JSON.stringify(description), type: jsonType }
  const body = stringify(description, { aliasDuplicateObjects: false })
  return { body, type: 'application/yaml; charset=utf-8' }
}

/**
 * Returns the part of an OpenAPI document that describes the time series service: its paths, with
 * the servers, schemas and security schemes of the whole document.
 */
function describeService(document: object): Document {
  const { paths, tags, ...rest }: Document = { ...document }
  const own = Object.entries(isObject(paths) ? paths : {}).filter(
    ([path]) => path === '/v2' || path.startsWith('/v2/'),
  )
  const used = new Set(own.flatMap(([, path]) => namesOfTags(path)))
  const described = Array.isArray(tags)
    ? tags.filter((tag) => isObject(tag) && used.has(String(tag['name'])))
    : []
  return withoutUnused({ ...rest, tags: described, paths: Object.fromEntries(own) })
}

function namesOfTags(path: unknown): readonly string[] {
  if (!isObject(path)) return []
  return Object.values(path).flatMap((operation) => {
    const tags: unknown = isObject(operation) ? operation['tags'] : undefined
    return Array.isArray(tags) ? tags.map(String) : []
  })
}

/**
 * Formats an error as problem details, with the additional fields that clients of the time series
 * service expect (decision D1).
 */
const timeseriesErrorFormat: ErrorFormat = (error, context) => ({
  ...toProblem(error, context),
  message: error.message,
  timestamp: context.now.getTime(),
  code: error.status,
  error: STATUS_CODES[error.status] ?? error.title,
  description: catalogue[error.code].explanation,
})

/** A year in milliseconds. Longer ranges may be heavy. */
const usual = 366 * 86_400_000

/**
 * Reports whether a request may keep the database busy for seconds, because it reduces the values
 * of years to few rows or searches them for few.
 */
function isHeavy(
  { level: { range }, reduction, rows }: ReadPlan,
  { where }: { readonly where?: string },
): boolean {
  if (range === undefined || Date.parse(range.to) - Date.parse(range.from) <= usual) return false
  return reduction !== undefined || rows !== 'every' || where !== undefined
}
