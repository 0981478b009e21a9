import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { timeseriesRoutes } from '../../src/timeseries/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import {
  megabyte,
  readMeasuring,
  readToEnd,
  turnsOfCompiler,
  turnsTooLong,
} from '../fixtures/large-answers.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const series = 100
const times = 1500

/** Stores 150,000 values, which are 80 MB of JSON. */
async function fill(database: Database): Promise<void> {
  await database.execute(sql`
    insert into station (type, code, name, available, point, metadata, received)
    select 'P', 'c' || n, 'name', true, ST_SetSRID(ST_MakePoint(11, 46), 4326),
      jsonb_build_object('note', repeat('x', 200)), now()
    from generate_series(1, ${series}) as n`)
  await database.execute(sql`insert into data_type (name, received) values ('count', now())`)
  await database.execute(sql`
    insert into series (station_id, data_type_id, period, kind)
    select station.id, data_type.id, 60, 'number' from station, data_type
    where station.type = 'P' and data_type.name = 'count'`)
  await database.execute(sql`
    select ensure_measurement_partitions('2026-01-01 00:00Z', '2026-02-01 00:00Z')`)
  await database.execute(sql`
    insert into measurement (series_id, valid_time, transaction_time, number)
    select series.id, time, time, series.id / 7.0
    from series join station on station.id = series.station_id, generate_series(
      '2026-01-01 00:00Z'::timestamptz, '2026-01-01 00:00Z'::timestamptz + ${times - 1} * interval '1 minute',
      interval '1 minute') as time
    where station.type = 'P'`)
}

describeWithDatabase('large responses of the time series service', (database) => {
  let app: FastifyInstance
  let address: string
  beforeAll(async () => {
    await fill(database())
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => new Date() }),
    )
    address = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  const read = async <Result>(
    query: string,
    take: (body: ReadableStream<Uint8Array>) => Promise<Result>,
  ) => {
    const { body } = await fetch(`${address}/v2/${query}`)
    if (body === null) throw new Error('The answer has no body.')
    return take(body)
  }
  const history = 'P/count/2026-01-01/2026-02-01'

  const formatted = (format: string) => `flat/${history}?format=${format}`
  for (const [query, bytesOfRow] of [
    [`flat/${history}?format=json`, 50],
    [`tree/${history}?format=json`, 50],
    ...['csv', 'ndjson', 'geojson', 'arrow'].map((format) => [formatted(format), 50] as const),
    // Small, because whole columns are compressed.
    [formatted('parquet'), 0.25],
  ] as const) {
    it(`are written with little memory and often yield to other requests: ${query}`, async () => {
      const { bytes, most } = await read(`${query}&limit=-1`, readMeasuring)
      expect(bytes).toBeGreaterThan(series * times * bytesOfRow)
      expect(most).toBeLessThan(60 * megabyte)
      const turns = await turnsTooLong(() => read(`${query}&limit=50000`, readToEnd))
      expect(turns).toBeLessThanOrEqual(turnsOfCompiler)
    })
  }
})
