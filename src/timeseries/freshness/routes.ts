import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import {
  answerRead,
  chooseFormat,
  contentTypeOf,
  fileNameHeader,
  wantsStrictHandling,
} from '../../http/index.ts'
import { problem } from '../../lang/schemas.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import { formatIgnored, formatsOf } from '../formats/index.ts'
import type { Format } from '../formats/format.ts'
import { readParameters } from '../parameters.ts'
import type { ReadParameters } from '../parameters.ts'
import { answerEtag, openAnswer } from '../read/answer.ts'
import { loadPages, toSelection } from '../read/load-pages.ts'
import type { Page, Selection } from '../read/load-pages.ts'
import { assertNamesKnown } from '../read/find-level.ts'
import { parseNames } from '../read/members.ts'
import { openPages, rememberReads } from '../read/open-pages.ts'
import type { Opened, Reads } from '../read/open-pages.ts'
import { originsOf, planRead } from '../read/plan.ts'
import type { ReadRequest, ReadPlan } from '../read/plan.ts'
import { withheldFrom } from '../read/answer-headers.ts'
import type { TimeseriesDeps } from '../timeseries-deps.ts'
import {
  freshnessLevel,
  readsWeek,
  shownByDefault,
  weekFields,
  weekGroup,
  weeksOf,
} from './level.ts'
import { inParts } from './in-parts.ts'
import { week } from './week.ts'

type Request = FastifyRequest<{
  Params: { stationTypes: string }
  Querystring: FreshnessParameters
}>

/** `GET /v2/freshness/{stationTypes}`: how fresh and how complete series are. */
export const freshnessRoutes =
  (deps: TimeseriesDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const database = deps.database.read
    const reads = rememberReads(database, deps.answerMemory)
    const path = '/v2/freshness/:stationTypes'
    app.get(path, { schema: freshnessOperation }, async (request, reply) => {
      const choice = choose(request)
      const now = new Date(Math.ceil(deps.now().getTime() / 1000) * 1000).toISOString()
      const asked = askedFor(deps, request, choice.format)
      const isStrict = wantsStrictHandling(request.headers['prefer'])
      if (isStrict) {
        const origins = originsOf(request.query.origin, asked.clientOriginPrefixes)
        await assertNamesKnown(database, asked, origins ?? [])
      }
      const { plan, isWhole } = planFreshness(asked, request.query, now)
      const wanted = { url: request.url, choice, bom: request.query.bom }
      const open: typeof openPages = isWhole
        ? openPages
        : (given, of) => Promise.resolve(openFreshness(given, of, now))
      return answerRead(
        { request, reply },
        {
          ignored: formatIgnored(request.query, choice.format, isStrict ? 'strict' : 'lenient'),
          withheld: withheldFrom(asked, plan),
          tag: () => answerEtag(database, plan, wanted),
          run: async () => {
            const answer = await openAnswer({ ...reads, open }, plan, wanted)
            const headers = fileNameHeader(choice.format, [
              'freshness',
              request.params.stationTypes,
            ])
            return { ...answer, type: contentTypeOf(choice), headers }
          },
        },
      )
    })
    return Promise.resolve()
  }

/**
 * Plans a request. The week is loaded only for the series of each page, unless a condition or an
 * aggregate uses it.
 */
function planFreshness(
  asked: Omit<ReadRequest, 'level'>,
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
): Omit<ReadRequest, 'level'> {
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

/** Position of the period among the columns of the order. */
const periodColumn = 3

/**
 * Opens the pages of a plan whose week is loaded later. The series of each page are known before
 * any of their history is read, so rows that `offset` skips cost almost nothing, and each statement
 * is short.
 */
function openFreshness({ database }: Reads, plan: ReadPlan, now: string): Opened {
  const selection = toSelection(plan)
  const width = selection.order.columns.length + selection.columns.length
  const places = plan.shown.map(({ group, field }, index) => {
    if (group.name !== weekGroup) return selection.places[index] ?? 0
    return width + weekFields.findIndex(({ name }) => name === field.name)
  })
  const keys = selection.order.columns.map((_column, index) => ({ index }))
  const shown = places.map((index) => ({ index }))
  const cells = { shown, timestamp: { index: 0 }, keys, present: { index: keys.length } }
  const id = plan.shown.findIndex(({ group }) => group.name === weekGroup)
  if (id === -1) return { pages: loadPages(database, selection), cells }
  const idColumn = selection.places[id] ?? 0
  return { pages: addWeeks(database, selection, { now, width, idColumn }), cells }
}

type Adding = { readonly now: string; readonly width: number; readonly idColumn: number }

async function* addWeeks(
  database: Queryable,
  selection: Selection,
  { now, width, idColumn }: Adding,
): AsyncGenerator<Page, void, undefined> {
  for await (const { rows, isLast, versions } of loadPages(database, selection)) {
    const parts = inParts(rows, { periodOf: (row) => Number(row[periodColumn]), span: week })
    for (const [index, part] of parts.entries()) {
      const ids = part.map((row) => row[idColumn] ?? '')
      const found = ids.length === 0 ? [] : await database.texts(weeksOf(now, ids))
      const weeks = new Map(found.map(([id, ...of]) => [id, of]))
      yield {
        rows: part.map((row) => [
          ...row.slice(0, width),
          ...(weeks.get(row[idColumn] ?? '') ?? nothing),
        ]),
        isLast: isLast && index === parts.length - 1,
        versions: index === 0 ? versions : undefined,
      }
    }
  }
}

/** Values for a series that no longer exists, which should never happen. */
const nothing: TextRow = weekFields.map(() => null)

const { limit, offset, origin, timezone, shownull, referer, format, bom } =
  readParameters.properties

/**
 * Parameters of the freshness of series: those of other requests except `distinct`, with examples
 * of their own.
 */
const freshnessParameters = Type.Object({
  ...{ limit, offset, origin, timezone, shownull, referer, format, bom },
  where: Type.Optional(
    Type.String({
      maxLength: 8000,
      examples: ['state.neq."fresh"'],
      'x-repeated': 'joined',
      description:
        'Conditions on fields of the station, the data type and the freshness, such as and(state.eq."stale",lag.gt.86400)',
    }),
  ),
  select: Type.Optional(
    Type.String({
      maxLength: 4000,
      examples: ['scode,tname,state,lag'],
      'x-repeated': 'joined',
      description: 'Fields to show, or aggregates such as sorigin,state,count(lag)',
    }),
  ),
})
type FreshnessParameters = Static<typeof freshnessParameters>

const seconds = (description: string) => Type.Integer({ description: `Seconds: ${description}` })
const time = (description: string) => Type.String({ description })
const share = (of: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Share of the values expected in the last ${of} that exist`,
  })

const series = Type.Object(
  {
    stype: Type.String(),
    scode: Type.String(),
    sname: Type.String(),
    sorigin: Type.String(),
    tname: Type.String(),
    mperiod: seconds('the period that the sender declares; 0 for none'),
    kind: Type.Enum(['number', 'text', 'json']),
    state: Type.Enum(['fresh', 'late', 'stale', 'silent']),
    mvalidtime: time('Time of the latest value that is not in the future'),
    lag: seconds('since then'),
    expectedPeriod: seconds('between values'),
    expectedBy: Type.Enum(['declared', 'observed']),
    futureUntil: time('Time of the latest value, if it is in the future'),
    coverageDay: share('24 hours'),
    coverageWeek: share('7 days'),
    observedPeriod: seconds('median between the last values'),
    gaps: Type.Integer({ description: 'Gaps of the last 7 days' }),
    missing: Type.Integer({ description: 'Values missing in them' }),
    longestGap: seconds('the longest of them'),
    longestGapFrom: time('Its start'),
    longestGapTo: time('Its end; absent while it continues'),
    lastGapFrom: time('Start of the last gap'),
    lastGapTo: time('Its end; absent while it continues'),
    stuckSince: time('Since when all values are the same number'),
    stuckCount: Type.Integer({ description: 'How many of them' }),
    missingHours: Type.Integer({
      description:
        'Hours for which values are missing in the 30 days (UTC) before today; measured once a day',
    }),
    futureCount: Type.Integer({
      description: 'Number of values in the future, counted up to 10000',
    }),
  },
  { additionalProperties: true },
)

const envelope = Type.Object({
  offset: Type.Integer(),
  limit: Type.Integer(),
  data: Type.Array(Type.Partial(series)),
})

const answer = {
  description: 'The series, in the order of type, code and data type',
  content: Object.fromEntries(
    formatsOf('flat').flatMap(({ name, summary, mediaTypes }) => {
      const schema: TSchema = name === 'json' ? envelope : Type.Unsafe({ description: summary })
      return mediaTypes.map((mediaType) => [mediaType, { schema }] as const)
    }),
  ),
}

/** `GET /v2/freshness/{stationTypes}` */
const freshnessOperation = {
  operationId: 'listFreshness',
  summary: 'Freshness and completeness of the series of stations',
  description:
    'One row for each series whose values the caller may see: its period, its delay, missing values, whether it is stuck, and values in the future.',
  tags: ['Time series'],
  params: Type.Object({
    stationTypes: Type.String({
      maxLength: 4000,
      description: 'Comma-separated station types; * for all',
      examples: ['ParkingStation'],
    }),
  }),
  querystring: freshnessParameters,
  response: {
    200: answer,
    400: problem,
    404: problem,
    503: problem,
  },
}
