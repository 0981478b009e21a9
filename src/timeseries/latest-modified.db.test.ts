import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { sql } from '../sql/index.ts'
import { timeseriesRoutes } from './routes.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const now = new Date('2026-11-20T12:00:00Z')

describeWithDatabase('Last-Modified of latest values', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => now }),
    )
    const values: readonly MeasurementItem[] = [
      ['old', 't', '2026-03-01T00:00:00.9Z', 1],
      ['new', 't', '2026-11-20T11:59:59.999Z', 1],
      ['future', 't', '2045-01-01T00:00:00Z', 1],
    ]
    await database().transaction(async (tx) => {
      const saving = { stationType: 'P', received: now }
      const items = ['old', 'new', 'future'].map((code) => ({ code }))
      await storeStations(tx, { ...saving, origin: 'O', items })
      await storeStations(tx, { ...saving, origin: 'O', closed: true, items: [{ code: 'shut' }] })
      await storeDataTypes(tx, { received: now, items: [{ name: 't' }] })
      const closed: MeasurementItem = ['shut', 't', '2026-11-20T12:00:00Z', 1]
      await storeMeasurements(tx, { ...saving, period: 60, items: [...values, closed] })
    })
  })
  afterAll(() => app.close())

  const modified = async (url: string) => {
    const { statusCode, headers } = await app.inject(url)
    expect(statusCode).toBe(200)
    return headers['last-modified']
  }

  it.each(['/v2/flat/P/t/latest', '/v2/tree/P/t/latest', '/v2/flat/*/*/latest?format=csv'])(
    'is the newest time of %s that the caller may see and that is not in the future',
    async (url) => {
      expect(await modified(url)).toBe('Fri, 20 Nov 2026 11:59:59 GMT')
    },
  )

  it.each(['flat', 'tree'])(
    'depends on the rows of the response, not on the selected fields: %s',
    async (structure) => {
      const of = (query: string) => modified(`/v2/${structure}/P/t/latest?${query}`)
      const march = 'Sun, 01 Mar 2026 00:00:00 GMT'
      expect(await of('where=scode.eq."old"')).toBe(march)
      expect(await of('where=scode.in.("old","future")&select=scode')).toBe(march)
      expect(await of('where=or(scode.eq."old",mvalue.gt.5)')).toBe(march)
      expect(await of('where=scode.neq."new"&timezone=Europe/Rome')).toBe(march)
    },
  )

  it('is sent for a long response unless its rows are read page by page', async () => {
    await database().execute(sql`
      with added as (
        insert into station (type, code, name, available, received)
        select 'Many', 'n' || n, 'n', true, now() from generate_series(1, 4001) as n returning id
      ), series as (
        insert into series (station_id, data_type_id, period, kind)
        select id, (select min(id) from data_type), 60, 'number' from added returning id
      )
      insert into latest (series_id, valid_time, transaction_time, number)
      select id, '2026-11-20T11:00:00Z', now(), 1 from series`)
    const many = '/v2/flat/Many/*/latest?limit=-1&select=mvalidtime'
    expect(await modified(many)).toBe('Fri, 20 Nov 2026 11:00:00 GMT')
    expect(await modified(`${many}&where=or(scode.eq."n",mvalue.gt.0)`)).toBeUndefined()
  })

  it('is omitted if no such time exists, and for other requests', async () => {
    expect(await modified('/v2/flat/P/t/latest?where=scode.eq."future"')).toBeUndefined()
    expect(await modified('/v2/flat/P/t/latest?where=scode.eq."nobody"')).toBeUndefined()
    expect(await modified('/v2/flat/P/t/latest?select=max(mvalue)')).toBeUndefined()
    expect(await modified('/v2/flat/P/t')).toBeUndefined()
  })
})
