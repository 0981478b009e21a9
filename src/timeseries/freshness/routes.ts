import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import {
  chooseFormat,
  contentTypeOf,
  isUnchanged,
  reasonFor,
  setCaching,
  tellIgnored,
  tellWithheld,
  wantsStrictHandling,
} from '../../http/index.ts'
import { dispositionOf, formatsOf } from '../formats/index.ts'
import type { Format } from '../formats/index.ts'
import type { ReadParameters } from '../parameters.ts'
import { answerEtag, openAnswer } from '../read/answer.ts'
import { parseNames } from '../read/names.ts'
import { openPages } from '../read/open-pages.ts'
import { planRead } from '../read/plan.ts'
import type { Asked, ReadPlan } from '../read/plan.ts'
import { rememberChoices } from '../read/values/remember-choices.ts'
import { withheldFrom } from '../read/withheld.ts'
import type { TimeseriesDeps } from '../timeseries-deps.ts'
import { freshnessLevel, readsWeek, shownByDefault, weekGroup } from './level.ts'
import { openFreshness } from './open-freshness.ts'
import { freshnessOperation } from './schema.ts'
import type { FreshnessParameters } from './schema.ts'

type Request = FastifyRequest<{
  Params: { stationTypes: string }
  Querystring: FreshnessParameters
}>

/** `GET /v2/freshness/{stationTypes}`: how fresh and how complete series are. */
export const freshnessRoutes =
  (deps: TimeseriesDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const database = deps.database.read
    const reads = { database, chooseSeries: rememberChoices(database) }
    const path = '/v2/freshness/:stationTypes'
    app.get(path, { schema: freshnessOperation }, async (request, reply) => {
      const choice = choose(request)
      const now = atFullSecond(deps.now())
      const asked = askedFor(deps, request, choice.format)
      const { plan, isWhole } = planFreshness(asked, request.query, now)
      const wanted = { url: request.url, choice, bom: request.query.bom }
      setCaching(reply, request.principal)
      tellIgnored(reply, formatIgnored(request, choice.format.name))
      tellWithheld(
        reply,
        withheldFrom({ ...asked, level: plan.level }),
        reasonFor(request.principal),
      )
      if (request.headers['if-none-match'] !== undefined) {
        const etag = await answerEtag(database, plan, wanted)
        if (isUnchanged(request, reply, etag)) return reply.send()
      }
      const open: typeof openPages = isWhole
        ? openPages
        : (given, of) => Promise.resolve(openFreshness(given, of, now))
      const { etag, body } = await openAnswer({ ...reads, open }, plan, wanted)
      const disposition = dispositionOf(choice.format, ['freshness', request.params.stationTypes])
      if (disposition !== undefined) void reply.header('content-disposition', disposition)
      return reply.header('etag', etag).type(contentTypeOf(choice)).send(body)
    })
    return Promise.resolve()
  }

/**
 * Plans a read. Unless the week is asked about in a condition or an aggregate, it is looked up for the
 * series of each page only.
 */
function planFreshness(
  asked: Omit<Asked, 'level'>,
  { select = shownByDefault, ...query }: FreshnessParameters,
  now: string,
): { readonly plan: ReadPlan; readonly isWhole: boolean } {
  const wanted: ReadParameters = { ...query, select, distinct: false }
  const planned = (weekComes: 'row' | 'later') =>
    planRead({ ...asked, level: freshnessLevel(now, weekComes) }, wanted)
  const whole = planned('row')
  const isAsked =
    readsWeek(whole.where) ||
    (whole.rows === 'grouped' && whole.shown.some(({ group }) => group.name === weekGroup))
  return isAsked ? { plan: whole, isWhole: true } : { plan: planned('later'), isWhole: false }
}

function askedFor(
  { visibilityOf, profile = 'strict', clientOriginPrefixes = ['webcomp-'] }: TimeseriesDeps,
  { params, principal }: Request,
  { needsPlace }: Format,
): Omit<Asked, 'level'> {
  return {
    representation: { structure: 'flat', type: 'node' },
    types: parseNames(params.stationTypes),
    dataTypes: { kind: 'all' },
    visibility: visibilityOf(principal),
    profile,
    clientOriginPrefixes,
    needsPlace,
  }
}

function choose({ query, headers }: Request) {
  return chooseFormat({
    offered: formatsOf('flat'),
    format: query.format,
    accept: headers.accept,
    isStrict: wantsStrictHandling(headers['prefer']),
    subject: 'The freshness of series',
  })
}

function formatIgnored({ query }: Request, name: string): readonly string[] {
  return query.format === undefined || query.format === name ? [] : ['format']
}

/** The end of the second: what is answered within one second is the same, and nothing of it is future. */
function atFullSecond(now: Date): string {
  return new Date(Math.ceil(now.getTime() / 1000) * 1000).toISOString()
}
