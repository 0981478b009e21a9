import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { naiveBeginnings, naiveBuckets } from '../../../test/fixtures/naive-buckets.ts'
import type { Value } from '../../../test/fixtures/naive-buckets.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../../test/fixtures/test-app.ts'
import type { Database } from '../../storage/index.ts'
import { timeseriesRoutes } from '../routes.ts'
import type { MeasurementItem } from '../write/store-values.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'

const received = new Date('2026-11-20T12:00:00Z')

/** Three days around each day of 2026 on which clocks change. Lord Howe changes by half an hour. */
const changes = [
  ['Europe/Rome', '2026-03-28', '2026-03-31'],
  ['Europe/Rome', '2026-10-24', '2026-10-27'],
  ['America/New_York', '2026-03-07', '2026-03-10'],
  ['America/New_York', '2026-10-31', '2026-11-03'],
  ['Australia/Lord_Howe', '2026-04-03', '2026-04-06'],
  ['Australia/Lord_Howe', '2026-10-02', '2026-10-05'],
] as const

const seconds = 1000
const stepOf = { often: 450 * seconds, rarely: 3600 * seconds + 7 } as const

/** Returns whole numbers, whose sums are the same in any order. */
function valuesBetween(from: string, to: string, step: number): readonly Value[] {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return Array.from({ length: Math.ceil((end - start) / step) }, (_nothing, place) => {
    const time = start + place * step
    return [new Date(time).toISOString(), (place * 7919) % 1000]
  })
}

const valuesOf = (name: keyof typeof stepOf) =>
  changes.flatMap(([, from, to]) => valuesBetween(from, to, stepOf[name]))

async function fill(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const write = { stationType: 'B', origin: 'OPEN', received }
    await storeStations(tx, { ...write, items: [{ code: 'often' }, { code: 'rarely' }] })
    const items = (['often', 'rarely'] as const).flatMap((code) =>
      valuesOf(code).map(([time, value]): MeasurementItem => [code, 'level', time, value]),
    )
    await storeDataTypes(tx, { received, items: [{ name: 'level' }] })
    await storeMeasurements(tx, { stationType: 'B', period: 450, received, items })
  })
}

type Row = Readonly<Record<string, unknown>>

describeWithDatabase('Buckets', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await fill(database())
    const now = () => received
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now }),
    )
  })
  afterAll(() => app.close())

  const dataOf = async (url: string) => {
    const answer = await app.inject({ url })
    expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 })
    return answer.json<{ readonly data: unknown }>().data
  }
  const all = 'agg=avg,min,max,count,sum,first,last'

  describe.each(changes)('in %s, from %s on', (zone, from, to) => {
    const range = `/v2/flat/B/level/${from}/${to}`
    const within = ([time]: Value) => time >= from && time < to

    it.each(Object.keys(naiveBeginnings))(
      'of %s are the same as in a naive computation',
      async (bucket) => {
        const asked = `bucket=${bucket}&${all}&timezone=${zone}&limit=-1`
        const rows = await dataOf(`${range}?${asked}&select=scode,mvalidtime`)
        const beginningOf = naiveBeginnings[bucket]
        if (beginningOf === undefined) throw new Error('There is no such length')
        const naive = (['often', 'rarely'] as const).flatMap((scode) =>
          naiveBuckets(valuesOf(scode).filter(within), zone, beginningOf).map((row) => ({
            _timestamp: row.mvalidtime,
            scode,
            ...row,
          })),
        )
        const order = (row: Row) => Date.parse(String(row['mvalidtime']).replace(' ', 'T'))
        expect(rows).toEqual(naive.toSorted((one, other) => order(one) - order(other)))
      },
    )
  })
})
