import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal, Visibility } from '../access/index.ts'
import {
  errorHandler,
  isUnchanged,
  jsonType,
  reasonFor,
  setCaching,
  tellWithheld,
  weakEtag,
} from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { timeseriesErrorFormat } from './error-format.ts'
import type { ReadParameters } from './parameters.ts'
import type { Profile } from './profile.ts'
import { serviceDescription } from './describe-service.ts'
import { answerEtag, openAnswer } from './read/answer.ts'
import { findLevel } from './read/find-level.ts'
import { listRepresentations, listTypes } from './read/list-representations.ts'
import { planRead } from './read/plan.ts'
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

export type TimeseriesDeps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /** `HUB_PROFILE` (decision D0). */
  readonly profile?: Profile
  /** Beginnings of `origin` values that name a client (decision D43, `HUB_CLIENT_ORIGIN_PREFIXES`). */
  readonly clientOriginPrefixes?: readonly string[]
}

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

type ReadRequest = FastifyRequest<{ Querystring: ReadParameters }>

const defaultClientPrefixes = ['webcomp-']

/** Answers a read of any depth: parse, plan, then run unless the caller has this very answer already. */
function reader({
  database,
  visibilityOf,
  profile = 'strict',
  clientOriginPrefixes = defaultClientPrefixes,
}: TimeseriesDeps) {
  return async (request: ReadRequest, reply: FastifyReply, segments: readonly string[]) => {
    const visibility = visibilityOf(request.principal)
    const asked = { ...findLevel(segments), visibility, profile, clientOriginPrefixes }
    const plan = planRead(asked, request.query)
    setCaching(reply, request.principal)
    tellWithheld(reply, withheldFrom(asked), reasonFor(request.principal))
    if (request.headers['if-none-match'] !== undefined) {
      const etag = await answerEtag(database.read, plan, request.url)
      if (isUnchanged(request, reply, etag)) return reply.send()
    }
    const { etag, body } = await openAnswer(database.read, plan, request.url)
    return reply.header('etag', etag).type(jsonType).send(body)
  }
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
