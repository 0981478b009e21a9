import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Visibility } from '../access/index.ts'
import { reasonFor, reportWithheld, setCaching } from '../http/index.ts'
import { parseObject } from '../lang/json.ts'
import { all, sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { scopes } from './quality-deps.ts'
import type { QualityDeps, Scope } from './quality-deps.ts'

const day = Type.Object({
  day: Type.String({ format: 'date', description: 'UTC' }),
  total: Type.Integer({ description: 'Records or series' }),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'By measure, with its language after a dot: `{"text.it": 3}`',
  }),
})

const operation = {
  operationId: 'getQualityTrends',
  summary: 'How the figures of quality have changed from day to day',
  description:
    'The hub keeps the figures of each day for 400 days: one set as everybody sees the data, one with closed data for those who see all of it.',
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

/** `GET /quality/trends`: the figures of each day. */
export const trendRoutes =
  ({ database, visibilityOf, now }: QualityDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/quality/trends', { schema: operation }, async ({ principal, query }, reply) => {
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

type Wanted = {
  readonly days: number
  readonly dataset?: string
  readonly source?: string
  readonly scope: Scope
  readonly now: Date
}

const oneDay = 86_400_000

async function loadDays(database: Queryable, { days, dataset, source, scope, now }: Wanted) {
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
