import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { timeseriesRoutes } from './routes.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

type Row = Readonly<Record<string, unknown>>

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))

describeWithDatabase('Values that arrive out of order', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => at(0) }),
    )
    const items = ['late', 'corrected', 'forecast', 'kinds', 'large', 'tiny', 'many'].map(
      (code) => ({
        code,
      }),
    )
    await database().transaction(async (tx) => {
      await storeStations(tx, { stationType: 'P', origin: 'O', received: at(0), items })
      await storeDataTypes(tx, { received: at(0), items: [{ name: 't' }] })
    })
  })
  afterAll(() => app.close())

  const store = (items: readonly MeasurementItem[], minute = 0, period = 60) =>
    database().transaction((tx) =>
      storeMeasurements(tx, { stationType: 'P', period, received: at(minute), items }),
    )
  const rowsOf = async (path: string) => {
    const answer = await app.inject(`/v2/flat/P/${path}`)
    expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 })
    return answer.json<{ data: readonly Row[] }>().data
  }
  const valuesOf = async (path: string, code: string) => {
    const rows = await rowsOf(`${path}?limit=-1&select=mvalue&where=scode.eq."${code}"`)
    return rows.map(({ mvalue }) => mvalue)
  }
  const history = 't/2026-11-20/2026-11-21'

  it('are sorted into the history and do not replace the latest value', async () => {
    await store([['late', 't', '2026-11-20T10:00:00Z', 10]])
    await store([['late', 't', '2026-11-20T09:00:00Z', 9]], 1)
    expect(await valuesOf(history, 'late')).toEqual([9, 10])
    expect(await valuesOf('t/latest', 'late')).toEqual([10])
    expect(await valuesOf('t', 'late')).toEqual([10])
  })

  it('correct a value of the same time, with the time of the correction', async () => {
    await store([['corrected', 't', '2026-11-20T10:00:00Z', 1]])
    await store([['corrected', 't', '2026-11-20T10:00:00Z', 2]], 5)
    const select = '?select=mvalue,mtransactiontime&where=scode.eq."corrected"'
    const shown = { mvalue: 2, mtransactiontime: '2026-11-20 12:05:00.000+0000' }
    expect(await rowsOf(`t/latest${select}`)).toMatchObject([shown])
    expect(await rowsOf(history + select)).toMatchObject([shown])
  })

  it('are the latest if they are in the future, until a later one arrives', async () => {
    await store([['forecast', 't', '2027-01-02T00:00:00Z', 2]])
    await store([['forecast', 't', '2026-11-20T12:00:00Z', 0]], 1)
    expect(await valuesOf('t/latest', 'forecast')).toEqual([2])
    await store([['forecast', 't', '2027-01-03T00:00:00Z', 3]], 2)
    expect(await valuesOf('t/latest', 'forecast')).toEqual([3])
    expect(await valuesOf('t/2026-11-20/2027-01-03', 'forecast')).toEqual([0, 2])
  })

  it('belong to a separate series for each period and kind of value', async () => {
    const time = '2026-11-20T10:00:00Z'
    await store([['kinds', 't', time, 1]], 0, 300)
    await store([['kinds', 't', time, 'one']], 0, 300)
    await store([['kinds', 't', time, { one: 1 }]], 0, 300)
    await store([['kinds', 't', time, 2]], 0, 600)
    for (const path of [history, 't/latest', 't']) {
      expect((await valuesOf(path, 'kinds')).map((value) => JSON.stringify(value)).sort()).toEqual([
        '"one"',
        '1',
        '2',
        '{"one":1}',
      ])
    }
    const tree = (await app.inject('/v2/tree/P/t/latest?where=scode.eq."kinds"')).json<{
      data: { P: { stations: { kinds: { sdatatypes: { t: { tmeasurements: unknown[] } } } } } }
    }>()
    expect(tree.data.P.stations.kinds.sdatatypes.t.tmeasurements).toHaveLength(4)
  })

  it('are aggregated without an error if the sum exceeds a double', async () => {
    const largest = 1.7e308
    await store([
      ['large', 't', '2026-11-20T10:00:00Z', largest],
      ['large', 't', '2026-11-20T10:01:00Z', largest],
      ['large', 't', '2026-11-20T10:02:00Z', 5e-324],
    ])
    const of = async (functions: string, more = '') =>
      rowsOf(`${history}?select=${functions}&where=scode.eq."large"${more}&shownull=true`)
    expect(await of('sum(mvalue),max(mvalue),count(mvalue)')).toEqual([
      { 'sum(mvalue)': null, 'max(mvalue)': largest, 'count(mvalue)': 3 },
    ])
    const [mean] = await of('avg(mvalue)')
    expect(Number(mean?.['avg(mvalue)']) / ((largest / 3) * 2)).toBeCloseTo(1, 12)
    expect(await of('sum(mvalue),avg(mvalue)', ',mvalue.lt.1')).toEqual([
      { 'sum(mvalue)': 5e-324, 'avg(mvalue)': 5e-324 },
    ])
    await store([
      ['tiny', 't', '2026-11-20T10:00:00Z', 1e-301],
      ['tiny', 't', '2026-11-20T10:01:00Z', 3e-301],
    ])
    expect(await rowsOf(`${history}?select=avg(mvalue)&where=scode.eq."tiny"`)).toEqual([
      { 'avg(mvalue)': 2e-301 },
    ])
    const one = ',mvalidtime.eq.2026-11-20T10:01:00'
    expect(await of('sum(mvalue)', one)).toEqual([{ 'sum(mvalue)': largest }])
  })

  it('are found among 10,000 data types, of which one station has 1,000', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `n${String(index)}`)
    await database().transaction(async (tx) => {
      await storeDataTypes(tx, { received: at(0), items: names.map((name) => ({ name })) })
    })
    const time = '2026-11-20T10:00:00Z'
    await store(names.slice(0, 1000).map((name, index) => ['many', name, time, index]))
    const where = 'limit=-1&select=tname,mvalue&where=scode.eq."many"'
    for (const path of ['*', '*/latest', '*/2026-11-20/2026-11-21']) {
      expect(await rowsOf(`${path}?${where}`)).toHaveLength(1000)
    }
    expect(await rowsOf('n7,n9999/latest?select=tname,mvalue')).toMatchObject([
      { tname: 'n7', mvalue: 7 },
    ])
    const tree = (await app.inject(`/v2/tree/P/*/latest?${where}`)).json<{
      data: { P: { stations: { many: { sdatatypes: object } } } }
    }>()
    expect(Object.keys(tree.data.P.stations.many.sdatatypes)).toHaveLength(1000)
  })
})
