import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { beginEpoch } from '../changes/index.ts'
import { noteMonthChanged } from './partitions/months.ts'
import { rebuildRollups } from './rollups/index.ts'
import { timeseriesRoutes } from './routes.ts'
import { deleteTimeseries } from './write/delete-timeseries.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const hour = 3_600_000
const now = Date.now()
const before = (hours: number) => new Date(now - hours * hour).toISOString()

describeWithDatabase('Ranges that ended two days ago', (database) => {
  let app: FastifyInstance
  const sent = new Date(now)
  const store = (items: readonly MeasurementItem[], received = new Date()) =>
    database().transaction((tx) =>
      storeMeasurements(tx, { stationType: 'P', period: 60, received, items }),
    )
  beforeAll(async () => {
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => new Date() }),
    )
    await database().transaction(async (tx) => {
      const saving = { stationType: 'P', received: new Date() }
      await storeStations(tx, { ...saving, origin: 'O', items: [{ code: 'a' }, { code: 'b' }] })
      await storeDataTypes(tx, { received: new Date(), items: [{ name: 't' }] })
    })
    await store([
      ['a', 't', before(60), 1],
      ['a', 't', before(3), 2],
    ])
    await store([['b', 't', before(70), 3]], sent)
  })
  afterAll(() => app.close())

  const tagOf = async (from: number, to: number, query = 'limit=-1') => {
    const range = `${before(from)}/${before(to)}`
    const { statusCode, headers } = await app.inject(`/v2/flat/P/t/${range}?${query}`)
    expect(statusCode).toBe(200)
    return headers.etag
  }
  const tags = async () => ({
    past: await tagOf(80, 49),
    buckets: await tagOf(80, 49, 'bucket=1h'),
    aggregate: await tagOf(80, 49, 'select=max(mvalue)'),
    recent: await tagOf(80, 47),
  })
  type Tags = Awaited<ReturnType<typeof tags>>
  const namesOfSame = async (known: Tags) => {
    const found = Object.entries(await tags())
    const isSame = new Set(Object.values(known))
    return found.filter(([, tag]) => isSame.has(tag)).map(([name]) => name)
  }
  const past = ['past', 'buckets', 'aggregate']

  it('keep their ETags when values of the last day arrive', async () => {
    const known = await tags()
    await store([
      ['a', 't', before(0), 4],
      ['b', 't', before(23), 4],
    ])
    expect(await namesOfSame(known)).toEqual(past)
  })

  it.each(['a late value', 'a correction'])('change their ETags after %s', async (what) => {
    const known = await tags()
    await store([['a', 't', before(what === 'a correction' ? 60 : 61), 5]])
    expect(await namesOfSame(known)).toEqual([])
  })

  it('keep their ETags when a late value is sent again unchanged', async () => {
    const known = await tags()
    await store([['b', 't', before(70), 3]], sent)
    expect(await namesOfSame(known)).toEqual([...past, 'recent'])
  })

  it.each(['measurements', 'series'] as const)(
    'change their ETags when %s are deleted',
    async (what) => {
      const known = await tags()
      const by = { subject: 's', name: 'n', client: 'c', request: crypto.randomUUID() }
      const items = [{ code: 'a', dataType: 't' }]
      await database().transaction((tx) =>
        deleteTimeseries(tx, { stationType: 'P', what, items, by }),
      )
      expect(await namesOfSame(known)).toEqual([])
    },
  )

  it('change their ETags when a month is retired', async () => {
    const known = await tags()
    await database().transaction((tx) => noteMonthChanged(tx, 'measurement_2020_01', 'delete'))
    expect(await namesOfSame(known)).toEqual([])
  })

  it('change their ETags when the rollups are rebuilt', async () => {
    const known = await tags()
    await rebuildRollups(database())
    expect(await namesOfSame(known)).toEqual([])
  })

  it('change their ETags in a restored backup, which may miss newer values', async () => {
    const known = await tags()
    await database().execute(beginEpoch)
    expect(await namesOfSame(known)).toEqual(['recent'])
  })

  it('change their ETags when a station changes', async () => {
    const known = await tags()
    await database().transaction((tx) => {
      const items = [{ code: 'b', name: 'Another name' }]
      return storeStations(tx, { stationType: 'P', origin: 'O', received: new Date(), items })
    })
    expect(await namesOfSame(known)).toEqual([])
  })
})
