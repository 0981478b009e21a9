import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { formatsOf } from '../formats/index.ts'
import { readParameters } from '../parameters.ts'

const problem = Type.Ref('ProblemDetails')

const { limit, offset, origin, timezone, shownull, referer, format, bom } =
  readParameters.properties

/** Parameters of the freshness of series: those of every read, with examples of its own. */
export const freshnessParameters = Type.Object({
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
export type FreshnessParameters = Static<typeof freshnessParameters>

const seconds = (description: string) => Type.Integer({ description: `Seconds: ${description}` })
const time = (description: string) => Type.String({ description })
const share = (of: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Share of the values expected in the last ${of} that are there`,
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
    mvalidtime: time('Newest time of a value that does not lie in the future'),
    lag: seconds('how long ago that is'),
    expectedPeriod: seconds('between values'),
    expectedBy: Type.Enum(['declared', 'observed']),
    futureUntil: time('Newest time of a value, where it lies in the future'),
    coverageDay: share('24 hours'),
    coverageWeek: share('7 days'),
    observedPeriod: seconds('median between the last values'),
    gaps: Type.Integer({ description: 'Gaps of the last 7 days' }),
    missing: Type.Integer({ description: 'Values that lack in them' }),
    longestGap: seconds('the longest of them'),
    longestGapFrom: time('Its beginning'),
    longestGapTo: time('Its end; absent while it lasts'),
    lastGapFrom: time('Beginning of the last gap'),
    lastGapTo: time('Its end; absent while it lasts'),
    stuckSince: time('Since when values come, but always the same number'),
    stuckCount: Type.Integer({ description: 'How many of them' }),
    futureCount: Type.Integer({ description: 'Values in the future; 10000 for that many or more' }),
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
export const freshnessOperation = {
  operationId: 'listFreshness',
  summary: 'How fresh and how complete the series of stations are',
  description:
    'One row for each series whose values the caller may see: its period, how late it is, what lacks, whether it is stuck, and values in the future.',
  tags: ['Time series'],
  params: Type.Object({
    stationTypes: Type.String({
      maxLength: 4000,
      description: 'Station types between commas; a star for all',
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
