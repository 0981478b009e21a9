import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import type { MeasurementItem } from './store-values.ts'
import { storeDataTypes, storeMeasurements } from './store-measurements.ts'
import type { MeasurementsWrite } from './store-measurements.ts'
import { storeStations } from './store-stations.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))
const noon = '2026-11-20T12:00:00Z'
const later = '2026-11-20T12:05:00Z'

const message = (items: readonly MeasurementItem[], minute = 0): MeasurementsWrite => ({
  stationType: 'T',
  period: 300,
  provenance: { name: 'collector', version: null, lineage: 'TEST' },
  received: at(minute),
  items,
})

function store(database: Database, write: MeasurementsWrite) {
  return database.transaction((tx) => storeMeasurements(tx, write))
}

type Row = Readonly<Record<string, unknown>>

/**
 * Returns the values of a data type with their time (hour and minute) and the minute of the
 * transaction.
 */
async function values(database: Database, table: 'measurement' | 'latest', dataType: string) {
  const from = table === 'latest' ? sql`latest` : sql`measurement`
  return database.query<Row>(sql`
    select to_char(valid_time at time zone 'UTC', 'HH24:MI') as time,
      coalesce(number::text, m.text, m.json::text) as value,
      extract(minute from transaction_time)::integer as written
    from ${from} m join series on series.id = m.series_id
    join data_type on data_type.id = series.data_type_id
    where data_type.name = ${dataType}
    order by valid_time, series_id`)
}

describeWithDatabase('Storing measurements', (database) => {
  const types = [
    'bulk',
    'late',
    'old',
    'mixed',
    'twice',
    'many',
    'odd',
    'noted',
    'spelt',
    'rolled',
    'edges',
    'filling',
    'seconds',
  ]

  beforeAll(async () => {
    await database().transaction(async (tx) => {
      const many = Array.from({ length: 1000 }, (_, index) => `many-${String(index)}`)
      const items = [...types, ...many].map((name) => ({ name }))
      await storeDataTypes(tx, { items, received: at(0) })
      const stations = { stationType: 'T', items: [{ code: 'a' }, { code: 'b' }], received: at(0) }
      await storeStations(tx, stations)
    })
  })

  it('keeps late values in the history and the newest one as the latest', async () => {
    await store(database(), message([['a', 'late', later, 2]], 0))
    await store(database(), message([['a', 'late', noon, 1]], 1))
    expect(await values(database(), 'measurement', 'late')).toEqual([
      { time: '12:00', value: '1', written: 1 },
      { time: '12:05', value: '2', written: 0 },
    ])
    expect(await values(database(), 'latest', 'late')).toMatchObject([
      { time: '12:05', value: '2' },
    ])
  })

  it('stores many values at once, and corrects those that already exist', async () => {
    const items = Array.from({ length: 2400 }, (_, index): MeasurementItem => {
      const time = new Date(Date.UTC(2026, 10, 20, 0, Math.floor(index / 2))).toISOString()
      return [index % 2 === 0 ? 'a' : 'b', 'bulk', time, index]
    })
    await store(database(), message(items, 0))
    const corrected = items.map(([code, type, time], index): MeasurementItem => {
      return [code, type, time.replace('2026-11-20T00:00', '2026-11-20T20:00'), index + 0.5]
    })
    const outcome = await store(database(), { ...message(corrected, 1), provenance: null })
    expect(outcome).toEqual({ stored: 2400, rejected: [] })
    const found = await values(database(), 'measurement', 'bulk')
    expect(found).toHaveLength(2402)
    expect(found.slice(0, 3)).toEqual([
      { time: '00:00', value: '0', written: 0 },
      { time: '00:00', value: '1', written: 0 },
      { time: '00:01', value: '2.5', written: 1 },
    ])
    expect(found.slice(-2)).toEqual([
      { time: '20:00', value: '0.5', written: 1 },
      { time: '20:00', value: '1.5', written: 1 },
    ])
    expect(await values(database(), 'latest', 'bulk')).toMatchObject([
      { time: '20:00', value: '0.5' },
      { time: '20:00', value: '1.5' },
    ])
    // Sent again, they write nothing at all, not even rows that are rolled back.
    const size = () =>
      database().query(sql`
      select sum(pg_relation_size(relid)) as bytes from pg_partition_tree('measurement')`)
    const before = await size()
    await store(database(), { ...message(corrected, 1), provenance: null })
    expect(await size()).toEqual(before)
  })

  it('stores any time and number the same in large and small messages', async () => {
    const times = [
      '0001-01-01T00:00:00Z',
      '1999-12-31T23:59:59.999999Z',
      '2000-01-01T00:00:00.000001Z',
    ]
    const last = ['2026-11-20T12:00:00.123456Z', '9999-12-31T23:59:59.999999Z']
    const numbers = [-0, 0.1, -1e308, 5e-324, 123456789.123]
    const edges = [...times, ...last].flatMap((time, index): MeasurementItem[] => [
      ['a', 'edges', time, numbers[index] ?? 0],
    ])
    const filling = Array.from({ length: 2000 }, (_, index): MeasurementItem => [
      ...(['a', 'filling', new Date(Date.UTC(2026, 9, 1, 0, index)).toISOString(), index] as const),
    ])
    const texts = () =>
      database().query<Row>(sql`
      select station.code, valid_time::text as time, number::text, provenance_id,
        transaction_time::text as written
      from measurement join series on series.id = series_id join station on station.id = station_id
        join data_type on data_type.id = data_type_id
      where data_type.name = 'edges' order by valid_time`)
    for (const provenance of [null, { name: 'collector', version: null, lineage: 'TEST' }]) {
      await database().execute(sql`truncate measurement`)
      await store(database(), { ...message(edges, 3), provenance })
      const few = await texts()
      await database().execute(sql`truncate measurement`)
      await store(database(), { ...message([...filling, ...edges], 3), provenance })
      expect(await texts()).toEqual(few)
      expect(few.map(({ number }) => number)).toContain('0')
      expect(few).toHaveLength(5)
    }
  })

  it('corrects more values than fit in one statement', async () => {
    const items = (value: number) =>
      Array.from({ length: 10_500 }, (_, index): MeasurementItem => {
        const time = new Date(Date.UTC(2026, 8, 1, 0, 0, index)).toISOString()
        return [index % 3 === 0 ? 'a' : 'b', 'seconds', time, value]
      })
    await store(database(), message(items(1), 0))
    expect(await store(database(), message(items(2), 1))).toEqual({ stored: 10_500, rejected: [] })
    const found = await values(database(), 'measurement', 'seconds')
    expect(found).toHaveLength(10_500)
    expect(new Set(found.map(({ value }) => value))).toEqual(new Set(['2']))
  })

  it('corrects a value of the same time, including the latest value', async () => {
    await store(database(), message([['a', 'late', later, 3]], 2))
    const corrected = { time: '12:05', value: '3', written: 2 }
    expect(await values(database(), 'latest', 'late')).toEqual([corrected])
    expect(await values(database(), 'measurement', 'late')).toContainEqual(corrected)
  })

  it('never lets an older message overwrite a newer one', async () => {
    await store(database(), message([['a', 'old', noon, 2]], 5))
    expect(await store(database(), message([['a', 'old', noon, 1]], 4))).toEqual({
      stored: 1,
      rejected: [],
    })
    const young = [{ time: '12:00', value: '2', written: 5 }]
    expect(await values(database(), 'measurement', 'old')).toEqual(young)
    expect(await values(database(), 'latest', 'old')).toEqual(young)
  })

  it('creates a series for each kind of value', async () => {
    const items: MeasurementItem[] = [
      ['a', 'mixed', noon, 1.5],
      ['a', 'mixed', noon, 'open'],
      ['a', 'mixed', noon, { state: 'open' }],
    ]
    expect(await store(database(), message(items))).toEqual({ stored: 3, rejected: [] })
    const found = await values(database(), 'latest', 'mixed')
    expect(found.map(({ value }) => value).toSorted()).toEqual(['1.5', 'open', '{"state": "open"}'])
  })

  it('keeps the last of several values for one instant in any notation', async () => {
    const items: MeasurementItem[] = [
      ['a', 'spelt', '2026-11-20T12:00Z', 1],
      ['a', 'spelt', '2026-11-20T13:00:00.000+01:00', 2],
      ['a', 'spelt', '2026-11-20T12:00:00.000000+0000', 3],
    ]
    expect(await store(database(), message(items))).toEqual({ stored: 3, rejected: [] })
    expect(await values(database(), 'measurement', 'spelt')).toMatchObject([{ value: '3' }])
  })

  it('rejects unknown names, infinite numbers and bad times, and stores the rest', async () => {
    const items: MeasurementItem[] = [
      ['nobody', 'odd', noon, 1],
      ['a', 'nothing', noon, 1],
      ['a', 'odd', noon, Number.POSITIVE_INFINITY],
      ['a', 'odd', '0000-01-01T00:00:00Z', 1],
      ['a', 'odd', noon, 7],
    ]
    const { stored, rejected } = await store(database(), message(items))
    expect(stored).toBe(1)
    expect(rejected.map(({ index }) => index).toSorted()).toEqual([0, 1, 2, 3])
    const reasonOf = (index: number) => rejected.find((one) => one.index === index)?.reason
    expect(reasonOf(0)).toContain('station')
    expect(reasonOf(1)).toContain('data type')
    expect(await values(database(), 'measurement', 'odd')).toMatchObject([{ value: '7' }])
  })

  it('stores values of any month and year, each in a partition', async () => {
    const years = ['0001', '1950', '1999', '2000', '2026', '2099', '2100', '9999']
    const items = years.map((year): MeasurementItem => ['b', 'odd', `${year}-06-15T00:00:00Z`, 1])
    expect(await store(database(), message(items))).toMatchObject({ stored: 8, rejected: [] })
    const [row] = await database().query<{ found: number }>(sql`
      select count(*)::integer as found
      from pg_class where relname in ('measurement_2000_06', 'measurement_2099_06')`)
    expect(row?.found).toBe(2)
  })

  it('creates a thousand series of one station', async () => {
    const items = Array.from({ length: 1000 }, (_, index): MeasurementItem => [
      'b',
      `many-${String(index)}`,
      noon,
      index,
    ])
    expect(await store(database(), message(items))).toEqual({ stored: 1000, rejected: [] })
    expect(await values(database(), 'latest', 'many-999')).toMatchObject([{ value: '999' }])
  })

  it('records one change per series and message, and none for a repeated message', async () => {
    const items: MeasurementItem[] = [
      ['a', 'noted', noon, 1],
      ['a', 'noted', later, 2],
      ['b', 'noted', noon, 3],
    ]
    const changes = async () => {
      const [row] = await database().query<{ found: number }>(
        sql`select count(*)::integer as found from change where dataset = 'timeseries/T'`,
      )
      return row?.found ?? 0
    }
    const before = await changes()
    await store(database(), message(items))
    expect((await changes()) - before).toBe(2)
    await store(database(), message(items))
    expect((await changes()) - before).toBe(2)
  })

  it('forgets series and partitions of a message that was rolled back', async () => {
    const write = message([['a', 'rolled', '2019-01-01T00:00:00Z', 1]])
    const failed = database().transaction(async (tx) => {
      await storeMeasurements(tx, write)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await store(database(), write)).toEqual({ stored: 1, rejected: [] })
    expect(await values(database(), 'measurement', 'rolled')).toMatchObject([{ value: '1' }])
  })
})
