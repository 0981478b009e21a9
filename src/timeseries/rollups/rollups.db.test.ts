import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../../test/fixtures/test-app.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { TextRow } from '../../storage/index.ts'
import { bucketLoader } from '../buckets/load-buckets.ts'
import { openColdMonths } from '../cold/cold-months.ts'
import { attachPartition, retirePartitions } from '../partitions/retire-partitions.ts'
import type { ChosenSeries } from '../read/values/choose-series.ts'
import type { Run } from '../read/values/value-rows.ts'
import { timeseriesRoutes } from '../routes.ts'
import { deleteTimeseries } from '../write/delete-timeseries.ts'
import type { MeasurementItem } from '../write/store-values.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'
import { fillRollups, rebuildRollups, refreshMonth } from './keep-rollups.ts'

const first = Date.parse('2024-03-24T00:00:00Z')
const hours = 24 * 14
const codes = ['a', 'b', 'c']
const by = {
  ...{ subject: 'ann', name: 'Ann', client: 'hub' },
  request: '3f0e5a52-58c7-4a80-9a6b-6a5dca1a0d6e',
}

const timeAt = (minutes: number) => new Date(first + minutes * 60_000).toISOString()
const minute = fc.nat({ max: hours * 60 })
const number = fc.oneof(
  fc.integer({ min: -4000, max: 4000 }).map((whole) => whole / 100),
  fc.constantFrom(0.1, 0.2, 1 / 3, 1e-7, -1e15, 123_456_789.123_456_7, 1e200, 5e-324),
)
const code = fc.constantFrom(...codes)
const period = fc.constantFrom(300, 3600)

const write = fc.record({
  kind: fc.constant('write' as const),
  period,
  values: fc.array(fc.tuple(code, minute, number), { minLength: 1, maxLength: 80 }),
})
const removal = fc.record({
  kind: fc.constant('delete' as const),
  code,
  spans: fc.tuple(minute, fc.nat({ max: 6000 })),
})
const fill = fc.record({ kind: fc.constant('fill' as const), steps: fc.constantFrom(1, 5, -1) })
const months = fc.record({
  kind: fc.constant('month' as const),
  step: fc.constantFrom('retire' as const, 'attach' as const),
})
const action = fc.oneof(
  { weight: 4, arbitrary: write },
  removal,
  { weight: 3, arbitrary: fill },
  months,
)

const read = fc.record({
  bucket: fc.constantFrom('1h', '2h', '6h', '1d', '1d', '2d', '1w', '1mo', '15m'),
  agg: fc.subarray(['avg', 'min', 'max', 'count', 'sum', 'first', 'last'], { minLength: 1 }),
  timezone: fc.constantFrom('UTC', 'UTC', 'Europe/Rome', 'Asia/Kolkata'),
  range: fc.oneof(fc.constant([0, hours * 60] as const), fc.tuple(minute, minute)),
  structure: fc.constantFrom('flat', 'tree'),
  more: fc.constantFrom('', '', '', '&where=mvalue.gt.3', '&where=mperiod.eq.300', '&points=5'),
})

describeWithDatabase('Rollups', (database) => {
  const apps: Awaited<ReturnType<typeof createTestApp>>[] = []
  beforeAll(async () => {
    const now = () => new Date('2026-11-20T12:00:00Z')
    for (let count = 0; count < 2; count++)
      apps.push(
        await createTestApp(
          timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now }),
        ),
      )
    await database().transaction(async (tx) => {
      const received = now()
      const items = codes.map((one) => ({ code: one }))
      await storeStations(tx, { stationType: 'P', origin: 'O', received, items })
      await storeDataTypes(tx, { received, items: [{ name: 't' }] })
    })
  })
  afterAll(() => Promise.all(apps.map((app) => app.close())))

  let clock = Date.parse('2026-11-20T12:00:00Z')
  const store = (items: readonly MeasurementItem[], seconds: number) =>
    database().transaction((tx) => {
      const received = new Date((clock += 1000))
      return storeMeasurements(tx, { stationType: 'P', period: seconds, received, items })
    })
  const fillSome = (steps: number) => {
    let left = steps
    return fillRollups(database(), () => left-- === 0)
  }
  const cold = () => openColdMonths({ database: database(), store: undefined })
  const retire = (firstKept: string | undefined) =>
    retirePartitions(database(), { firstKept, retirement: 'detach', cold: cold() })
  const setMonth = async (step: 'retire' | 'attach') => {
    await retire(step === 'retire' ? '2024-04' : undefined)
    if (step === 'retire') return
    // It may be attached already.
    await attachPartition(database(), '2024-03', { firstKept: undefined, by, cold: cold() }).catch(
      () => undefined,
    )
  }
  const act = async (one: typeof action extends fc.Arbitrary<infer One> ? One : never) => {
    if (one.kind === 'fill') return fillSome(one.steps)
    if (one.kind === 'month') return setMonth(one.step)
    if (one.kind === 'write')
      return store(
        one.values.map(([of, at, value]) => [of, 't', timeAt(at), value]),
        one.period,
      )
    const [from, length] = one.spans
    const items = [{ code: one.code, from: timeAt(from), to: timeAt(from + length) }]
    return database().transaction((tx) =>
      deleteTimeseries(tx, { stationType: 'P', what: 'measurements', items, by }),
    )
  }
  const bodyOf = async (app: (typeof apps)[number] | undefined, url: string) => {
    const answer = await app?.inject({ url })
    expect([url, answer?.statusCode]).toEqual([url, 200])
    return answer?.body ?? ''
  }
  /** Runs work as if the hub had never computed rollups. */
  const withoutRollups = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const [span] = await database().query<{ since: string; until: string }>(
      sql`select since::text, until::text from rollup_span`,
    )
    await database().execute(sql`delete from rollup_span`)
    const result = await work()
    if (span !== undefined)
      await database().execute(sql`
        insert into rollup_span (since, until)
        values (${span.since}::timestamptz, ${span.until}::timestamptz)`)
    return result
  }
  const rowsOf = async (table: Sql) =>
    (await database().query<{ n: number }>(sql`select count(*)::integer as n from ${table}`))[0]?.n

  it('match the values after any writes, corrections, deletions and retirements', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 1, maxLength: 6 }),
        fc.array(read, { minLength: 4, maxLength: 6 }),
        async (actions, reads) => {
          for (const one of actions) await act(one)
          for (const { bucket, agg, timezone, range, structure, more } of reads) {
            const [from = 0, to = 0] = [...range].sort((one, other) => one - other)
            const query = `bucket=${bucket}&agg=${agg.join(',')}&timezone=${timezone}&limit=-1${more}`
            const url = `/v2/${structure}/P/t/${timeAt(from)}/${timeAt(to)}?${query}`
            const rolled = await bodyOf(apps[0], url)
            expect(rolled).toBe(await withoutRollups(() => bodyOf(apps[1], url)))
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  it('are read instead of values, except for a day with a late value', async () => {
    await setMonth('attach')
    await rebuildRollups(database())
    await store([['a', 't', timeAt(1), 1]], 300)
    await store([['a', 't', timeAt(2000), 1]], 300)
    await fillSome(-1)
    expect(await rowsOf(sql`rollup_stale`)).toBe(0)
    expect(await rowsOf(sql`rollup_hour`)).toBeGreaterThan(0)
    await database().execute(sql`update rollup_day set count = 1000`)
    await store([['a', 't', timeAt(2), 1]], 300)
    const whole = '2024-03-24/2024-03-26?bucket=1d&agg=count&select=mvalidtime&limit=-1'
    const body = await bodyOf(
      apps[0],
      `/v2/flat/P/t/${whole}&where=scode.eq.%22a%22,mperiod.eq.300`,
    )
    const [first, second] = countsIn(body)
    expect(first).toBeLessThan(1000)
    expect(second).toBe(1000)
    await database().execute(sql`
      insert into cold_month (month, file, bytes, sha256, checks, rows)
      values ('2024-03', 'file', 1, 'sum', '{}', 1)`)
    await fillSome(-1)
    expect(await rowsOf(sql`rollup_stale`)).toBe(1)
    await database().execute(sql`delete from cold_month`)
    await rebuildRollups(database())
    expect(countsIn(await bodyOf(apps[1], `/v2/flat/P/t/${whole}`))).not.toContain(1000)
  })

  it.each([
    ['deleted', () => act({ kind: 'delete', code: 'a', spans: [0, 1500] })],
    ['retired', () => setMonth('retire')],
    ['attached again', () => setMonth('attach')],
  ])('are not read for values that were %s', async (_what, change) => {
    await setMonth('attach')
    await store(
      [
        ['a', 't', timeAt(60), 1],
        ['b', 't', timeAt(1440), 2],
      ],
      300,
    )
    await fillSome(-1)
    await change()
    const url = `/v2/flat/P/t/2024-03-24/2024-03-26?bucket=1d&agg=count,sum&limit=-1`
    const rolled = await bodyOf(apps[0], url)
    expect(rolled).toBe(await withoutRollups(() => bodyOf(apps[1], url)))
  })

  it('are found by time without a scan of all others', async () => {
    await database().execute(sql`
      insert into rollup_day (series_id, start, count, sum, min, max, first, last)
      select 1000000 + id, day, 1, 1, 1, 1, day, day
      from generate_series('2030-01-01Z', '2030-12-31Z', interval '24 hours') as day,
        generate_series(1, 100) as id
      order by day`)
    await store([['a', 't', timeAt(3), 1]], 300)
    expect(await fillSome(-1)).toBeGreaterThan(0)
    await database().execute(sql`analyze rollup_day`)
    const plan = await database().texts(sql`
      explain (analyze, buffers) select count(*) from rollup_day
      where start >= '2030-06-01Z' and start < '2030-06-04Z'`)
    await database().execute(sql`delete from rollup_day where series_id > 1000000`)
    const [, pages] = /Buffers: shared hit=(\d+)/.exec(plan.flat().join('\n')) ?? []
    // Of some 400 pages.
    expect(Number(pages)).toBeLessThan(80)
  })

  it('are computed for a month before it becomes cold, so filling can continue', async () => {
    for (const table of [sql`rollup_span`, sql`rollup_hour`, sql`rollup_day`])
      await database().execute(sql`delete from ${table}`)
    await database().execute(sql`
      insert into rollup_span (since, until) values ('2024-03-24Z', '2024-03-25Z')`)
    await refreshMonth(database(), '2024-03')
    await database().execute(sql`
      insert into cold_month (month, file, bytes, sha256, checks, rows)
      values ('2024-03', 'file', 1, 'sum', '{}', 1)`)
    expect(await fillSome(3)).toBe(3)
    await database().execute(sql`delete from cold_month`)
    await fillSome(-1)
  })

  it('are not relied on where they do not reach as far as their span states', async () => {
    const span: TextRow = ['0', '1', String(Date.parse('2100-01-01'))]
    const run: Run = (statement) =>
      statement.text.includes('from rollup_span')
        ? Promise.resolve([span])
        : database().texts(statement)
    const from = Date.parse('2099-12-01')
    const piece = { origin: from, width: 86_400_000, from, until: from + 86_400_000 }
    const value: MeasurementItem = ['a', 't', '2099-12-01T12:00:00Z', 1]
    await store([value], 300)
    const found = await database().query<{ id: number }>(sql`
      select series_id as id from measurement where valid_time >= '2099-12-01'`)
    const ids = found.map(({ id }) => String(id))
    const series = seriesOf(ids)
    const values = {
      ...{ relation: sql`measurement`, joins: sql``, where: sql`true` },
      range: { from: '2099-12-01', to: '2099-12-02' },
    }
    const reading = { values, series, packed: [], aggregates: ['count'] } as const
    const window = { pieces: [piece], count: 1, isLast: true }
    expect(await bucketLoader(run)(reading, window, 'byTime')).toHaveLength(1)
  })
})

function countsIn(body: string): readonly number[] {
  const { data }: { data: readonly Readonly<Record<string, number>>[] } = JSON.parse(body)
  return data.map((row) => row['count(mvalue)'] ?? 0)
}

function seriesOf(ids: readonly string[]): ChosenSeries {
  return {
    ...{ ids, stations: ids, dataTypes: ids, periods: ids.map(() => '300') },
    placeOf: new Map(ids.map((id, place) => [id, place])),
    kinds: { text: false, json: false },
    share: { kind: 'few' },
    catalogue: '',
  }
}
