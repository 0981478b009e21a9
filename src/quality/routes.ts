import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { seesAll } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import { withheldFields, withheldRecords, wordsOf } from '../content/index.ts'
import type { Entity } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import { reasonFor, reportWithheld, setCaching } from '../http/index.ts'
import { orNull, problem } from '../lang/schemas.ts'
import { sql } from '../sql/index.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import { measure } from './count.ts'
import type { Figure, Quality } from './count.ts'
import { comparisons, conditions } from './measures.ts'
import { readable } from './quality-deps.ts'
import type { QualityDeps } from './quality-deps.ts'
import { address, words } from './schemas.ts'
import { trendRoutes } from './trends.ts'
import { countSeries, describeStationType, seriesMeasures } from '../timeseries/index.ts'
import type { SeriesCount, SeriesFigure } from '../timeseries/index.ts'

const records = Type.Integer({ description: 'Records that you may see' })

const figures = Type.Array(
  Type.Object({
    measure: Type.Enum([...conditions, ...comparisons], {
      description:
        'What is missing; `pictureLicence`: the licence of the first picture. `outlier`: far from all other records. `duplicate`: another record with nearly the same name is within 30 m.',
    }),
    language: orNull(Type.String({ description: 'In which it is missing' })),
    count: Type.Integer({ description: 'How many of the records' }),
    filter: orNull(
      Type.String({
        description:
          'The rawfilter that selects them. For outliers and duplicates it names as many as possible.',
      }),
    ),
    list: orNull(address),
    export: orNull(Type.String({ format: 'uri', description: 'All of them as one CSV file' })),
  }),
)

const dataset = { dataset: Type.String(), path: Type.String(), title: words, records, figures }
const sources = Type.Array(Type.Object({ source: orNull(Type.String()), records, figures }))

const allOperation = {
  operationId: 'getQuality',
  summary: 'How complete the records of each dataset are',
  description:
    'Numbers of incomplete records, each with the list of these records. Only records that you may see are counted. Datasets without such records are omitted.',
  tags: ['Operation'],
  response: { 200: Type.Object({ datasets: Type.Array(Type.Object(dataset)) }) },
}

export const qualityOperation = {
  operationId: 'getQualityOfDataset',
  summary: 'How complete the records of a dataset are, by source',
  description: 'The same counts of one dataset, and for each of its sources.',
  tags: ['Operation'],
  params: Type.Object({
    dataset: Type.String({
      maxLength: 100,
      description: 'Its entity',
      examples: ['Accommodation'],
    }),
  }),
  response: { 200: Type.Object({ ...dataset, sources }), 404: problem },
}

/** Routes under `/quality`: what is missing in records, for those who maintain them. */
export const qualityRoutes =
  (deps: QualityDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(seriesQualityRoutes(deps))
    await app.register(trendRoutes(deps))
    const qualityOf = keepQuality(deps)
    app.get('/quality', { schema: allOperation }, async ({ principal }, reply) => {
      const entities = readable(principal, deps)
      setHeaders(reply, entities, deps)
      const datasets = []
      // Sequentially, because concurrent queries would take every connection.
      for (const entity of entities) {
        const quality = await qualityOf(entity, principal)
        if (quality.records > 0) datasets.push(describe(entity, quality, deps))
      }
      return { datasets }
    })
    app.get(
      '/quality/:dataset',
      { schema: qualityOperation },
      async ({ principal, params }, reply) => {
        const entity = readable(principal, deps).find(({ name }) => name === params.dataset)
        if (entity === undefined) throw noSuchDataset(params.dataset)
        setHeaders(reply, [entity], deps)
        const quality = await qualityOf(entity, principal)
        const bySource = [...quality.sources].map(([source, counted]) => ({
          source: source === '' ? null : source,
          records: counted.records,
          figures: counted.figures.map(linked(entity, deps)),
        }))
        return { ...describe(entity, quality, deps), sources: bySource }
      },
    )
  }

function setHeaders(
  reply: FastifyReply,
  entities: readonly Entity[],
  { visibilityOf }: QualityDeps,
) {
  const { principal } = reply.request
  const isAnonymous = principal.kind === 'anonymous'
  const caller = { visibility: visibilityOf(principal), isAnonymous, isStrict: false }
  const kinds = entities.flatMap((entity) => [
    ...withheldFields(entity, caller),
    ...withheldRecords(entity, caller),
  ])
  setCaching(reply, principal)
  reportWithheld(reply, [...new Set(kinds)], reasonFor(principal))
}

/** Returns a function that caches the last figures for as long as the records have not changed. */
function keepQuality({ database: { read }, visibilityOf, profile, now }: QualityDeps) {
  type Kept = Map<string, { readonly version: string; readonly quality: Quality }>
  // Callers with the same rights share one object.
  const known = new WeakMap<Visibility, Kept>()
  const share = new WeakMap<Visibility, ReturnType<typeof shareRunning<Quality>>>()
  return async (entity: Entity, principal: Principal): Promise<Quality> => {
    const visibility = visibilityOf(principal)
    const kept: Kept = known.get(visibility) ?? new Map()
    known.set(visibility, kept)
    const running = share.get(visibility) ?? shareRunning<Quality>()
    share.set(visibility, running)
    // The version is read before the records, so that the next request detects a change in between.
    const [row] = await read.texts(sql`select ${versionOfDataset(sql`${entity.name}`)}`)
    const version = row?.[0] ?? ''
    const key = `${principal.kind} ${entity.name}`
    const last = kept.get(key)
    if (last?.version === version) return last.quality
    return running(`${key} ${version}`, async () => {
      const seeing = { database: read, principal, visibility, profile, now }
      const quality = await measure(entity, seeing)
      kept.set(key, { version, quality })
      return quality
    })
  }
}

function describe(entity: Entity, { records: count, figures: own }: Quality, deps: QualityDeps) {
  const { name, path, naming } = entity
  const { title } = wordsOf(naming, name)
  return { dataset: name, path, title, records: count, figures: own.map(linked(entity, deps)) }
}

const linked =
  ({ path }: Entity, { publicUrl }: QualityDeps) =>
  ({ measure: name, language, count, filter }: Figure) => {
    const query = new URLSearchParams({ rawfilter: filter ?? '' }).toString()
    const list = filter === null ? null : `${publicUrl}/v1/${path}?${query}`
    const file = list === null ? null : `${list}&format=csv&stream=true`
    return { measure: name, language, count, filter, list, export: file }
  }

function noSuchDataset(name: string): AppError {
  return new AppError('HUB-RTE-003', `There is no dataset ${JSON.stringify(name)}.`, {
    hint: 'GET /quality lists all datasets.',
  })
}

const series = Type.Integer({ description: 'Series whose values you may see' })

const seriesFigures = Type.Array(
  Type.Object({
    measure: Type.Enum(seriesMeasures, {
      description:
        '`stale`: the latest value is older than six periods (state `stale` or `silent`). `missingHour`, `missingDay`: values for an hour or a day, or more, are missing in the 30 days (UTC) before today; measured once a day.',
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
    'Numbers of stale series and of series with gaps, each with the list of these series. No history is read: gaps are measured once a day.',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      datasets: Type.Array(
        Type.Object({
          dataset: Type.String({ description: 'The station type' }),
          ...{ title: words, series, figures: seriesFigures },
          origins: Type.Array(
            Type.Object({ origin: orNull(Type.String()), series, figures: seriesFigures }),
          ),
        }),
      ),
    }),
  },
}

/** Route `GET /quality/timeseries`: stale series, and series with gaps. */
const seriesQualityRoutes =
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
        return { datasets: [...counts].map(([type, of]) => describeSeries(type, of, publicUrl)) }
      },
    )
    return Promise.resolve()
  }

/** Milliseconds for which counts are cached. */
const lifetime = 30_000

/** Returns a function that caches counts. Callers with the same rights share one count. */
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

function describeSeries(type: string, counts: readonly SeriesCount[], publicUrl: string) {
  const link = linkedSeries(type, publicUrl)
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

/**
 * Columns that identify a series and its problem. The week is omitted, because it would have to be
 * read from the history.
 */
const shown =
  'stype,scode,sname,sorigin,tname,mperiod,state,mvalidtime,lag,expectedPeriod,missingHours'

const linkedSeries =
  (type: string, publicUrl: string) =>
  ({ measure, count, where: problem }: SeriesFigure, ofOrigin: string) => {
    const where = problem + ofOrigin
    const query = new URLSearchParams({ where, select: shown }).toString()
    const list = `${publicUrl}/v2/freshness/${encodeURIComponent(type)}?${query}`
    return { measure, count, where, list, export: `${list}&limit=-1&format=csv` }
  }

/** Quotes a text for `where`; `null` for an empty one. */
function quote(origin: string): string {
  return origin === '' ? 'null' : `"${origin.replaceAll(/["'\\]/g, String.raw`\$&`)}"`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
