import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const received = new Date('2026-11-20T12:00:00Z')
const stations = 50
const times = 1000

/** Stores 50 stations with a value every minute at the same times: pages must break ties. */
async function fill(database: Database): Promise<void> {
  const codes = Array.from({ length: stations }, (_, index) => `s${String(index).padStart(2, '0')}`)
  await database.transaction(async (tx) => {
    const items = codes.map((code) => ({ code }))
    await storeStations(tx, { stationType: 'Many', received, items })
    await storeDataTypes(tx, { received, items: [{ name: 'n' }] })
  })
  const start = Date.parse('2026-11-20T00:00:00Z')
  const moments = Array.from({ length: times }, (_, index) =>
    new Date(start + index * 60_000).toISOString(),
  )
  const items = codes.flatMap((code) =>
    moments.map((moment, index): MeasurementItem => [code, 'n', moment, index]),
  )
  const write = { stationType: 'Many', period: 60, received, items }
  await database.transaction((tx) => storeMeasurements(tx, write))
}

type Row = { readonly scode: string; readonly mvalidtime: string }

const keyOf = ({ scode, mvalidtime }: Row) => `${mvalidtime} ${scode}`

describeWithDatabase('Long responses of the time series service', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await fill(database())
    app = await appOn(database().read)
  })
  afterAll(() => app.close())

  const appOn = (read: Queryable) =>
    createTestApp(
      timeseriesRoutes({
        database: { ...database(), read },
        publicUrl,
        visibilityOf,
        now: () => received,
      }),
    )
  const history = '/v2/flat/Many/n/2026-11-20/2026-11-21'

  it('contain each of 50,000 rows once and in order', async () => {
    const answer = await app.inject(`${history}?limit=-1`)
    const rows: readonly Row[] = answer.json().data
    const keys = rows.map(keyOf)
    expect(new Set(keys).size).toBe(stations * times)
    expect(keys).toEqual(keys.toSorted())
  })

  it('contain all values in a tree, by station and ordered by time', async () => {
    const answer = await app.inject(`${history.replace('flat', 'tree')}?limit=-1`)
    const tree: Readonly<Record<string, { sdatatypes: { n: { tmeasurements: readonly Row[] } } }>> =
      answer.json().data.Many.stations
    expect(Object.keys(tree)).toHaveLength(stations)
    for (const { sdatatypes } of Object.values(tree)) {
      const found = sdatatypes.n.tmeasurements.map(({ mvalidtime }) => mvalidtime)
      expect(found).toHaveLength(times)
      expect(found).toEqual(found.toSorted())
    }
  })

  it('are the same in pages, without repetitions or omissions', async () => {
    const whole: readonly Row[] = (await app.inject(`${history}?limit=2500`)).json().data
    const paged: Row[] = []
    for (let offset = 0; offset < 2500; offset += 500) {
      const page = await app.inject(`${history}?limit=500&offset=${String(offset)}`)
      expect(page.json()).toMatchObject({ offset, limit: 500 })
      paged.push(...page.json().data)
    }
    expect(paged.map(keyOf)).toEqual(whole.map(keyOf))
  })

  it('are cut off, not ended normally, if the database fails midway', async () => {
    let calls = 0
    const failing: Queryable = {
      ...database().read,
      texts: (statement) => {
        calls += 1
        return calls > 6
          ? Promise.reject(new Error('the database is gone'))
          : database().read.texts(statement)
      },
    }
    const fragile = await appOn(failing)
    const address = await fragile.listen({ host: '127.0.0.1', port: 0 })
    const whole = fetch(`${address}${history}?limit=-1`).then((answer) => answer.text())
    await expect(whole).rejects.toThrow('terminated')
    await fragile.close()
  })
})
