import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  chooseFormat,
  contentTypeOf,
  errorHandler,
  heavyReads,
  isUnchanged,
  jsonType,
  reasonFor,
  setCaching,
  tellIgnored,
  tellWithheld,
  wantsStrictHandling,
  weakEtag,
} from '../http/index.ts'
import { timeseriesErrorFormat } from './error-format.ts'
import { dispositionOf, formatsOf } from './formats/index.ts'
import type { Format } from './formats/index.ts'
import { ignoredReduction } from './buckets/reduction.ts'
import type { ReductionQuery } from './buckets/reduction.ts'
import { freshnessRoutes } from './freshness/routes.ts'
import type { ReadParameters } from './parameters.ts'
import { serviceDescription } from './describe-service.ts'
import { answerEtag, openAnswer } from './read/answer.ts'
import { findLevel } from './read/find-level.ts'
import type { Place } from './read/find-level.ts'
import { listRepresentations, listTypes } from './read/list-representations.ts'
import { isHeavy } from './read/is-heavy.ts'
import { planRead } from './read/plan.ts'
import type { ReadPlan } from './read/plan.ts'
import { newestTime } from './read/tell-newest.ts'
import { rememberChoices } from './read/values/remember-choices.ts'
import { withheldFrom, withheldTypes } from './read/withheld.ts'
import {
  apispecOperation,
  historyOperation,
  latestOperation,
  representationsOperation,
  seriesOperation,
  stationsOperation,
  typesOperation,
} from './schemas.ts'
import type { Caller, TimeseriesDeps } from './timeseries-deps.ts'

/** The time series service (interface 4.8): stations, series, values, edges and events. */
export const timeseriesRoutes =
  (deps: TimeseriesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { publicUrl, profile = 'strict' } = deps
    app.setErrorHandler(errorHandler(timeseriesErrorFormat, deps))

    app.get('/v2', { schema: representationsOperation }, async (request, reply) =>
      sendList(request, reply, listRepresentations(publicUrl)),
    )
    const describe = serviceDescription(() => app.swagger())
    app.get('/v2/apispec', { schema: apispecOperation }, (request, reply) =>
      sendText(request, reply, describe(request.headers.accept)),
    )
    app.get('/v2/:representation', { schema: typesOperation }, async (request, reply) => {
      const { representation: segment } = request.params
      const visibility = deps.visibilityOf(request.principal)
      const asked = { segment, visibility, publicUrl, profile }
      tellWithheld(reply, withheldTypes(visibility), reasonFor(request.principal))
      return sendList(request, reply, await listTypes(deps.database.read, asked))
    })
    await app.register(freshnessRoutes(deps))
    await app.register(readRoutes(deps))
  }

/** The reads, by the number of segments in their paths. */
const readRoutes =
  (deps: TimeseriesDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const read = reader(deps)
    const stations = '/v2/:representation/:stationTypes'
    app.get(stations, { schema: stationsOperation }, async (request, reply) => {
      const { representation, stationTypes } = request.params
      return read(request, reply, [representation, stationTypes])
    })
    app.get(`${stations}/:dataTypes`, { schema: seriesOperation }, async (request, reply) => {
      const { representation, stationTypes, dataTypes } = request.params
      return read(request, reply, [representation, stationTypes, dataTypes])
    })
    app.get(`${stations}/:dataTypes/:from`, { schema: latestOperation }, async (request, reply) => {
      const { representation, stationTypes, dataTypes, from } = request.params
      return read(request, reply, [representation, stationTypes, dataTypes, from])
    })
    app.get(
      `${stations}/:dataTypes/:from/:to`,
      { schema: historyOperation },
      async (request, reply) => {
        const { representation, stationTypes, dataTypes, from, to } = request.params
        return read(request, reply, [representation, stationTypes, dataTypes, from, to])
      },
    )
    return Promise.resolve()
  }

type ReadRequest = FastifyRequest<{ Querystring: ReadParameters & ReductionQuery }>

const defaultClientPrefixes = ['webcomp-']

/** Answers a read of any depth: parse, plan, then run unless the caller has this very answer already. */
function reader({
  database,
  visibilityOf,
  profile = 'strict',
  clientOriginPrefixes = defaultClientPrefixes,
  historyLimitOf,
  now,
}: TimeseriesDeps) {
  const usual = { database: database.read, chooseSeries: rememberChoices(database.read) }
  return async (request: ReadRequest, reply: FastifyReply, segments: readonly string[]) => {
    const visibility = visibilityOf(request.principal)
    const place = findLevel(segments)
    const choice = choose(request, place)
    const historyLimit = historyLimitOf?.(callerOf(request))
    const { needsPlace } = choice.format
    const given = { visibility, profile, clientOriginPrefixes, needsPlace, historyLimit }
    const asked = { ...place, ...given }
    const plan = planRead(asked, request.query)
    const wanted = { url: request.url, choice, bom: request.query.bom }
    setCaching(reply, request.principal)
    tellIgnored(reply, formatIgnored(request, choice.format))
    tellIgnored(reply, reductionIgnored(request, plan))
    tellWithheld(reply, withheldFrom(asked), reasonFor(request.principal))
    if (request.headers['if-none-match'] !== undefined) {
      const etag = await answerEtag(database.read, plan, wanted)
      if (isUnchanged(request, reply, etag)) return reply.send()
    }
    const reads = isHeavy(plan, request.query)
      ? { ...usual, database: await heavyReads({ request, reply }, database) }
      : usual
    const newest = newestTime(now())
    const { etag, body } = await openAnswer(newest.reading(reads, asked.level), plan, wanted)
    newest.tell(reply)
    const disposition = dispositionOf(choice.format, segments.slice(1))
    if (disposition !== undefined) void reply.header('content-disposition', disposition)
    return reply.header('etag', etag).type(contentTypeOf(choice)).send(body)
  }
}

/** @throws AppError HUB-QRY-003 under strict handling for a format that the structure does not have */
function choose(request: ReadRequest, { representation: { structure } }: Place) {
  return chooseFormat({
    offered: formatsOf(structure),
    format: request.query.format,
    accept: request.headers.accept,
    isStrict: wantsStrictHandling(request.headers['prefer']),
    subject: `The structure ${structure}`,
  })
}

function formatIgnored({ query }: ReadRequest, { name }: Format): readonly string[] {
  return query.format === undefined || query.format === name ? [] : ['format']
}

function reductionIgnored({ query, headers }: ReadRequest, { reduction }: ReadPlan) {
  const isStrict = wantsStrictHandling(headers['prefer'])
  return ignoredReduction(query, reduction, isStrict ? 'strict' : 'lenient')
}

function callerOf({ principal, headers, query }: ReadRequest): Caller {
  return { principal, header: headers.referer, parameter: query.referer }
}

function sendList(request: FastifyRequest, reply: FastifyReply, list: readonly object[]) {
  return sendText(request, reply, { body: JSON.stringify(list), type: jsonType })
}

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type }: { readonly body: string; readonly type: string },
) {
  setCaching(reply, request.principal)
  if (isUnchanged(request, reply, weakEtag([body]))) return reply.send()
  return reply.type(type).send(body)
}
