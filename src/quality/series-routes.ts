import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { seesAll } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import { reasonFor, reportWithheld, setCaching } from '../http/index.ts'
import { orNull } from '../lang/schemas.ts'
import type { Queryable } from '../storage/index.ts'
import { countSeries, describeStationType, seriesMeasures } from '../timeseries/index.ts'
import type { SeriesCount, SeriesFigure } from '../timeseries/index.ts'
import type { QualityDeps } from './quality-deps.ts'
import { address, words } from './schemas.ts'

const series = Type.Integer({ description: 'Series whose values you may see' })

const figures = Type.Array(
  Type.Object({
    measure: Type.Enum(seriesMeasures, {
      description:
        '`stale`: the newest value is older than six periods (state `stale` or `silent`). `missingHour`, `missingDay`: values of an hour, or of a day, or more are missing in the 30 days (UTC) before today; measured once a day.',
    }),
    count: Type.Integer({ description: 'How many of the series' }),
    where: Type.String({ description: 'Selects them in /v2/freshness/{stationType}' }),
    list: address,
    export: Type.String({ format: 'uri', description: 'All of them as one CSV file' }),
  }),
)

export const seriesQualityOperation = {
  operationId: 'getQualityOfTimeSeries',
  summary: 'How many series are stale or have gaps, by station type and origin',
  description:
    'Counts of the series that something is the matter with, each with the list of these series. No history is read: gaps are measured once a day.',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      datasets: Type.Array(
        Type.Object({
          dataset: Type.String({ description: 'The station type' }),
          ...{ title: words, series, figures },
          origins: Type.Array(Type.Object({ origin: orNull(Type.String()), series, figures })),
        }),
      ),
    }),
  },
}

/** `GET /quality/timeseries`: stale series and those with gaps. */
export const seriesQualityRoutes =
  ({ database, publicUrl, visibilityOf, now }: QualityDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const countOf = keepCounts(database.read, now)
    app.get(
      '/quality/timeseries',
      { schema: seriesQualityOperation },
      async ({ principal }, reply) => {
        const visibility = visibilityOf(principal)
        setCaching(reply, principal)
        const isWhole = seesAll(visibility, 'timeseries')
        reportWithheld(reply, isWhole ? [] : ['records'], reasonFor(principal))
        const counts = Map.groupBy(await countOf(visibility), ({ type }) => type)
        return { datasets: [...counts].map(([type, of]) => describe(type, of, publicUrl)) }
      },
    )
    return Promise.resolve()
  }

/** Milliseconds for which counts are good enough. */
const lifetime = 30_000

/** Callers with the same rights share one count. */
function keepCounts(database: Queryable, now: () => Date) {
  type Counts = readonly SeriesCount[]
  const known = new WeakMap<Visibility, { readonly counts: Counts; readonly until: number }>()
  const shares = new WeakMap<Visibility, ReturnType<typeof shareRunning<Counts>>>()
  return async (visibility: Visibility): Promise<Counts> => {
    const last = known.get(visibility)
    const time = now()
    if (last !== undefined && time.getTime() < last.until) return last.counts
    const share = shares.get(visibility) ?? shareRunning<Counts>()
    shares.set(visibility, share)
    return share('', async () => {
      const counts = await countSeries(database, visibility, time)
      known.set(visibility, { counts, until: time.getTime() + lifetime })
      return counts
    })
  }
}

function describe(type: string, counts: readonly SeriesCount[], publicUrl: string) {
  const link = linked(type, publicUrl)
  const origins = counts.map(({ origin, series: count, figures: own }) => ({
    origin: origin === '' ? null : origin,
    series: count,
    figures: own.map((figure) => link(figure, `,sorigin.eq.${quote(origin)}`)),
  }))
  const all = counts.flatMap(({ figures: own }) => own)
  const whole = [...Map.groupBy(all, ({ measure }) => measure).values()].flatMap(
    ([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, count: sum([first, ...others].map((one) => one.count)) }],
  )
  return {
    dataset: type,
    title: describeStationType(type).title,
    series: sum(counts.map((count) => count.series)),
    figures: whole.map((figure) => link(figure, '')),
    origins,
  }
}

/** What says which series it is and what is the matter; not the week, which would have to be read. */
const shown =
  'stype,scode,sname,sorigin,tname,mperiod,state,mvalidtime,lag,expectedPeriod,missingHours'

const linked =
  (type: string, publicUrl: string) =>
  ({ measure, count, where: problem }: SeriesFigure, ofOrigin: string) => {
    const where = problem + ofOrigin
    const query = new URLSearchParams({ where, select: shown }).toString()
    const list = `${publicUrl}/v2/freshness/${encodeURIComponent(type)}?${query}`
    return { measure, count, where, list, export: `${list}&limit=-1&format=csv` }
  }

/** A text of `where`; `null` for none. */
function quote(origin: string): string {
  return origin === '' ? 'null' : `"${origin.replaceAll(/["'\\]/g, String.raw`\$&`)}"`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
