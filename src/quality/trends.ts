import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { anonymous } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { reasonFor, reportWithheld, setCaching } from '../http/index.ts'
import { parseObject } from '../lang/json.ts'
import { all, sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { readable, scopes } from './quality-deps.ts'
import type { Measuring, QualityDeps, Scope } from './quality-deps.ts'
import { countSeries, measureGaps } from '../timeseries/index.ts'
import { measure } from './count.ts'
import { keyOf } from './measures.ts'

const day = Type.Object({
  day: Type.String({ format: 'date', description: 'UTC' }),
  total: Type.Integer({ description: 'Records or series' }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'By measure, with its language after a dot: `{"text.it": 3}`',
  }),
})

export const trendsOperation = {
  operationId: 'getQualityTrends',
  summary: 'The figures of data quality by day',
  description:
    'The hub keeps the figures of each day for 400 days: one set for open data, and one including closed data for callers who see all of it.',
  tags: ['Operation'],
  querystring: Type.Object({
    days: Type.Integer({
      ...{ minimum: 1, maximum: 400, default: 30 },
      description: 'How many days up to today',
    }),
    dataset: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'An entity or a station type; without it all of them',
        examples: ['Accommodation'],
      }),
    ),
    source: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'A source of records or an origin of stations; without it all of them together',
      }),
    ),
  }),
  response: {
    200: Type.Object({
      scope: Type.Enum([...scopes], { description: 'Whether closed data is counted' }),
      datasets: Type.Array(
        Type.Object({
          service: Type.Enum(['content', 'timeseries']),
          dataset: Type.String(),
          days: Type.Array(day, {
            description: 'The oldest first; days without figures are missing',
          }),
        }),
      ),
    }),
  },
}

/** Route `GET /quality/trends`: the figures of each day. */
export const trendRoutes =
  ({ database, visibilityOf, now }: QualityDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/quality/trends', { schema: trendsOperation }, async ({ principal, query }, reply) => {
      setCaching(reply, principal)
      const scope = scopeOf(visibilityOf(principal))
      reportWithheld(reply, scope === 'all' ? [] : ['records'], reasonFor(principal))
      const days = await loadDays(database.read, { ...query, scope, now: now() })
      const byDataset = Map.groupBy(days, ({ service, dataset }) => `${service} ${dataset}`)
      const datasets = [...byDataset.values()].flatMap(([first, ...others]) => {
        if (first === undefined) return []
        const { service, dataset } = first
        return [{ service, dataset, days: [first, ...others].map(({ of }) => of) }]
      })
      return { scope, datasets }
    })
    return Promise.resolve()
  }

function scopeOf({ kind }: Visibility): Scope {
  return kind === 'everything' ? 'all' : 'open'
}

type TrendQuery = {
  readonly days: number
  readonly dataset?: string
  readonly source?: string
  readonly scope: Scope
  readonly now: Date
}

const oneDay = 86_400_000

async function loadDays(database: Queryable, { days, dataset, source, scope, now }: TrendQuery) {
  const since = new Date(now.getTime() - (days - 1) * oneDay).toISOString().slice(0, 10)
  const where = all([
    sql`day >= ${since}::date and scope = ${scope}`,
    ...(dataset === undefined ? [] : [sql`dataset = ${dataset}`]),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
  ])
  const rows = await database.texts(sql`
    with chosen as (select * from quality_day where ${where}),
    totals as (
      select service, dataset, day, sum(total) as total from chosen group by service, dataset, day),
    counts as (
      select service, dataset, day, key, sum(value::integer) as count
      from chosen cross join jsonb_each_text(counts) group by service, dataset, day, key)
    select service, dataset, day::text, min(total), json_object_agg(key, count)::text
    from totals join counts using (service, dataset, day)
    group by service, dataset, day order by service, dataset, day`)
  return rows.map(([service, name, date, total, counts]) => ({
    service: service === 'content' ? ('content' as const) : ('timeseries' as const),
    dataset: name ?? '',
    of: { day: date ?? '', total: Number(total), counts: numbersOf(counts ?? '{}') },
  }))
}

function numbersOf(json: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(parseObject(json)).map(([key, count]) => [key, Number(count)]),
  )
}

type Deps = Measuring & { readonly database: Database }

/**
 * Days for which figures are kept: more than a year, so that a year can be compared with the one
 * before.
 */
const keptFor = 400

/** Milliseconds after which another node may measure the day. */
const patience = 3_600_000

const readers: Readonly<Record<Scope, Principal>> = {
  open: anonymous,
  all: {
    kind: 'verified',
    ...{ subject: 'hub', client: 'hub', name: 'hub', token: '', roles: new Set(['ADMIN']) },
  },
}

/**
 * Measures the gaps of series and stores the figures of the day (UTC), unless that has been done.
 * Only one node does so, once there is data.
 */
export async function measureDay(deps: Deps): Promise<void> {
  const { database, now } = deps
  const time = now()
  const day = dateOf(time)
  if (!(await takeDay(database, day, time))) return
  await measureGaps(database, time)
  const rows: Row[] = []
  for (const scope of scopes) rows.push(...(await rowsOf(scope, deps)))
  if (rows.length === 0) return
  await database.transaction(async (tx) => {
    await storeRows(tx, day, rows)
    await tx.execute(sql`
      delete from quality_day where day < ${dateOf(new Date(time.getTime() - keptFor * oneDay))}::date`)
    await tx.execute(sql`update quality_run set day = ${day}::date`)
  })
}

async function takeDay(database: Queryable, day: string, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + patience)
  const taken = await database.execute(sql`
    insert into quality_run (day, until) values (${day}::date - 1, ${until})
    on conflict (only_row) do update set until = excluded.until
    where quality_run.day < ${day}::date and quality_run.until < ${now}`)
  return taken > 0
}

type Row = {
  readonly scope: Scope
  readonly service: 'content' | 'timeseries'
  readonly dataset: string
  readonly source: string
  readonly total: number
  readonly counts: Readonly<Record<string, number>>
}

async function rowsOf(scope: Scope, deps: Deps): Promise<readonly Row[]> {
  const { database, visibilityOf, now } = deps
  const principal = readers[scope]
  const visibility = visibilityOf(principal)
  const rows: Row[] = []
  for (const entity of readable(principal, deps)) {
    const seeing = { ...deps, database: database.read, principal, visibility }
    const { sources } = await measure(entity, seeing)
    for (const [source, { records: total, figures }] of sources) {
      const counts = Object.fromEntries(figures.map((one) => [keyOf(one), one.count]))
      rows.push({ scope, service: 'content', dataset: entity.name, source, total, counts })
    }
  }
  for (const { type, origin, series, figures } of await countSeries(
    database.read,
    visibility,
    now(),
  )) {
    const counts = Object.fromEntries(figures.map((one) => [one.measure, one.count]))
    const of = { service: 'timeseries' as const, dataset: type, source: origin }
    rows.push({ scope, ...of, total: series, counts })
  }
  return rows
}

async function storeRows(tx: Queryable, day: string, rows: readonly Row[]): Promise<void> {
  await tx.execute(sql`
    insert into quality_day (day, scope, service, dataset, source, total, counts)
    select ${day}::date, scope, service, dataset, source, total, counts::jsonb
    from unnest(
      ${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ service }) => service)}::text[],
      ${rows.map(({ dataset }) => dataset)}::text[], ${rows.map(({ source }) => source)}::text[],
      ${rows.map(({ total }) => total)}::integer[],
      ${rows.map(({ counts }) => JSON.stringify(counts))}::text[]
    ) as row (scope, service, dataset, source, total, counts)
    on conflict (day, scope, service, dataset, source) do nothing`)
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
