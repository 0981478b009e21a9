import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import { cloneDatabase, describeOnEngines } from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { datasetVersion } from '../../storage/index.ts'
import type { Database } from '../../storage/index.ts'
import { deleteTimeseries } from './delete-timeseries.ts'
import { forgetDeletions } from './deletions.ts'
import type { Deletable, Deletion } from './deletions.ts'
import type { MeasurementItem } from './store-values.ts'
import { storeEdges } from './store-edges.ts'
import { storeDataTypes, storeMeasurements } from './store-measurements.ts'
import { storeStations } from './store-stations.ts'

const received = new Date('2026-11-20T12:00:00Z')
const by = {
  ...{ subject: 'ann', name: 'Ann', client: 'hub' },
  request: '3f0e5a52-58c7-4a80-9a6b-6a5dca1a0d6e',
}

describeOnEngines('Deleting time series', (engine) => {
  let clone: TestDatabase
  let database: Database
  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    database = await openTestDatabase(clone.settings)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })
  beforeEach(async () => {
    await database.transaction(async (tx) => {
      const parent = { type: 'P', code: 'a' }
      await storeStations(tx, {
        stationType: 'P',
        origin: 'O',
        received,
        items: [
          { code: 'a', metadata: { n: 1 } },
          { code: 'b', parent },
        ],
      })
      await storeEdges(tx, {
        edgeType: 'L',
        origin: 'O',
        received,
        items: [{ code: 'e', from: parent, to: { type: 'P', code: 'b' } }],
      })
      await storeDataTypes(tx, { received, items: [{ name: 't' }, { name: 'u' }] })
      const hours = ['08', '09', '10', '11']
      const items = ['a', 'b'].flatMap((code) =>
        ['t', 'u'].flatMap((type) =>
          hours.map((hour): MeasurementItem => [
            code,
            type,
            `2026-11-20T${hour}:00:00Z`,
            Number(hour),
          ]),
        ),
      )
      await storeMeasurements(tx, { stationType: 'P', period: 60, received, items })
    })
  })

  const remove = (what: Deletable, ...items: readonly Deletion[]) =>
    database.transaction((tx) => deleteTimeseries(tx, { stationType: 'P', what, items, by }))
  const latest = () =>
    database.texts(sql`
      select station.code, data_type.name, latest.number from latest
      join series on series.id = series_id join station on station.id = station_id
      join data_type on data_type.id = data_type_id order by 1, 2`)
  const count = async (table: 'measurement' | 'series' | 'station') => {
    const tables = { measurement: sql`measurement`, series: sql`series`, station: sql`station` }
    const [row] = await database.query<{ n: number }>(
      sql`select count(*)::integer as n from ${tables[table]}`,
    )
    return row?.n
  }

  it('deletes a range of one data type and updates the latest value', async () => {
    const range = { from: '2026-11-20T10:00:00Z', to: '2026-11-20T12:00:00+01:00' }
    const found = await remove('measurements', { code: 'a', dataType: 't', ...range })
    expect(found).toMatchObject({
      stored: 1,
      rejected: [],
      measurements: 1,
      series: 0,
      stations: 0,
    })
    expect(await latest()).toContainEqual(['a', 't', '11'])
    const later = { code: 'a', dataType: 't', period: 60, from: '2026-11-20T10:00:00Z' }
    expect(await remove('measurements', later)).toMatchObject({ measurements: 1 })
    expect(await latest()).toEqual([
      ['a', 't', '9'],
      ['a', 'u', '11'],
      ['b', 't', '11'],
      ['b', 'u', '11'],
    ])
  })

  it('accepts ranges with any offset of ISO 8601', async () => {
    const range = { from: '2026-11-21T04:00:00+18:00', to: '2026-11-19T17:00:00-1800' }
    expect(await remove('measurements', { code: 'a', dataType: 't', ...range })).toMatchObject({
      measurements: 1,
    })
  })

  it('deletes all values of a station and keeps its series without a latest value', async () => {
    expect(await remove('measurements', { code: 'a' })).toMatchObject({ measurements: 8 })
    expect(await latest()).toEqual([
      ['b', 't', '11'],
      ['b', 'u', '11'],
    ])
    expect([await count('series'), await count('measurement')]).toEqual([4, 8])
  })

  it('deletes series with their values and changes the dataset version', async () => {
    const before = await datasetVersion(database, 'timeseries/P')
    const found = await remove('series', { code: 'a', dataType: 't' }, { code: 'b', period: 60 })
    expect(found).toMatchObject({ stored: 2, measurements: 12, series: 3 })
    expect(await latest()).toEqual([['a', 'u', '11']])
    expect(await datasetVersion(database, 'timeseries/P')).not.toBe(before)
  })

  it('deletes stations with all their data and clears references to them', async () => {
    expect(await remove('stations', { code: 'a' })).toMatchObject({ series: 2, stations: 1 })
    expect(await database.texts(sql`select code, parent_id from station order by 1`)).toEqual([
      ['b', null],
      ['e', null],
    ])
    const [edge] = await database.query(sql`select from_id, to_id is null as "isOpen" from edge`)
    expect(edge).toEqual({ from_id: null, isOpen: false })
  })

  it('warns of ranges without values', async () => {
    const [day, late] = ['2026-11-20T00:00:00Z', '2026-11-20T23:00:00Z']
    const [of, unknown] = [
      { code: 'a', dataType: 't', period: 60 },
      { code: 'a', dataType: 'x' },
    ]
    const ranges = [{ from: day, to: day }, { from: late }, { from: day, to: late }]
    const found = await remove(
      'measurements',
      ...ranges.map((range) => ({ ...of, ...range })),
      unknown,
    )
    expect(found).toMatchObject({
      ...{ stored: 4, measurements: 4 },
      warnings: [
        { index: 0, reason: `has no values: a t 60s ${day}/${day}; there was nothing to delete` },
        { index: 1, reason: `has no values: a t 60s ${late}/; there was nothing to delete` },
        {
          index: 3,
          reason: 'names no known series of this type: a x; there was nothing to delete',
        },
      ],
    })
  })

  it('warns about unknown series, and records changes and audit entries', async () => {
    const found = await remove('series', { code: 'nobody' }, { code: 'a', dataType: 'x' })
    expect(found).toMatchObject({ stored: 2, rejected: [], warnings: [{ index: 0 }, { index: 1 }] })
    await remove('stations', { code: 'b' })
    const changes = await database.texts(sql`
      select dataset, kind from change where kind = 'delete' and id = 'b'`)
    expect(changes).toEqual([[expect.stringContaining('P'), 'delete']])
    const audit = await database.texts(sql`
      select name, operation, id, detail ->> 'stations' from audit where detail ->> 'stations' = '1'
      order by sequence desc limit 1`)
    expect(audit).toEqual([['Ann', 'Delete', 'b', '1']])
  })

  describe('by messages', () => {
    afterEach(async () => {
      await remove('stations', { code: 'a' }, { code: 'b' })
      await database.execute(sql`delete from deletion`)
    })

    const at = (minutes: number) => new Date(received.getTime() + minutes * 60_000)
    const removeAt = (minutes: number, what: Deletable, ...items: readonly Deletion[]) =>
      database.transaction((tx) =>
        deleteTimeseries(tx, { stationType: 'P', what, items, by, received: at(minutes) }),
      )
    const storeAt = (minutes: number, ...items: readonly MeasurementItem[]) =>
      database.transaction((tx) =>
        storeMeasurements(tx, { stationType: 'P', period: 60, received: at(minutes), items }),
      )
    const sendAt = (minutes: number, code: string) =>
      database.transaction((tx) =>
        storeStations(tx, { stationType: 'P', received: at(minutes), items: [{ code }] }),
      )
    const value = (code: string, hour: number): MeasurementItem => [
      code,
      't',
      `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`,
      hour,
    ]

    it('keeps newer values, and older ones are not stored again', async () => {
      const range = { dataType: 't', from: '2026-11-20T10:00:00Z', to: '2026-11-20T20:00:00Z' }
      await storeAt(2, value('a', 11), value('a', 15))
      expect(await removeAt(1, 'measurements', { code: 'a', ...range })).toMatchObject({
        ...{ stored: 1, measurements: 1 },
      })
      expect(await latest()).toContainEqual(['a', 't', '15'])
      const late = await storeAt(0, value('a', 10), value('a', 12), value('a', 20), value('b', 12))
      expect(late).toMatchObject({
        ...{ stored: 4, rejected: [] },
        warnings: [0, 1].map((index) => ({ index, reason: expect.stringContaining('12:01:00') })),
      })
      expect(await latest()).toContainEqual(['a', 't', '20'])
      expect(await storeAt(3, value('a', 12))).not.toHaveProperty('warnings')
      expect(await count('measurement')).toBe(16 - 1 + 4)
    })

    it('is done only once if a message is replayed', async () => {
      await removeAt(1, 'stations', { code: 'a' })
      expect(await sendAt(0, 'a')).toMatchObject({ stored: 1, warnings: [{ index: 0 }] })
      expect(await count('station')).toBe(2)
      await sendAt(2, 'a')
      await storeAt(2, value('a', 9))
      expect(await removeAt(1, 'stations', { code: 'a' })).toMatchObject({
        ...{ stored: 1, measurements: 0, series: 0, stations: 0 },
      })
      expect(await storeAt(0, value('a', 8))).toMatchObject({ stored: 1, warnings: [{ index: 0 }] })
      expect(await latest()).toContainEqual(['a', 't', '9'])
      // There are no messages, so no message is older than the deletion.
      expect(await forgetDeletions(database)).toBe(1)
    })

    it('is done again if an attempt has stored what it deletes, and nothing newer is lost', async () => {
      const range = { from: '2026-11-20T13:00:00Z', to: '2026-11-20T14:00:00Z' }
      const attempt = async () => {
        await sendAt(1, 'a')
        await sendAt(1, 'x')
        await sendAt(1, 'y')
        await storeAt(1, value('a', 13), value('a', 14), value('x', 13))
        await removeAt(1, 'measurements', { code: 'a', ...range })
        await removeAt(1, 'stations', { code: 'x' }, { code: 'y' })
        await storeAt(1, value('a', 15))
      }
      const stations = () =>
        database.texts(sql`select code from station where type = 'P' order by 1`)
      await attempt()
      expect(await latest()).toContainEqual(['a', 't', '15'])
      expect(await count('measurement')).toBe(16 + 2)
      await storeAt(2, value('a', 13))
      await attempt()
      expect(await count('measurement')).toBe(16 + 3)
      expect(await latest()).toContainEqual(['a', 't', '15'])
      expect(await stations()).toEqual([['a'], ['b']])
      const noted = await database.texts(sql`select code from deletion order by 1`)
      expect(noted).toEqual([['a'], ['x'], ['y']])
    })

    it('keeps a station that the message sends after its deletion, and references to it', async () => {
      const attempt = async () => {
        await removeAt(1, 'stations', { code: 'a' })
        await sendAt(1, 'a')
      }
      await attempt()
      const items = [{ code: 'b', parent: { type: 'P', code: 'a' } }]
      await database.transaction((tx) =>
        storeStations(tx, { stationType: 'P', received: at(2), items }),
      )
      await attempt()
      expect(
        await database.texts(sql`
          select parent.code from station join station as parent on parent.id = station.parent_id`),
      ).toEqual([['a']])
    })

    it('is repeated within one message, which may store the station in between', async () => {
      const found = await database.transaction(async (tx) => {
        const deletion = { stationType: 'P', what: 'stations', by, received: at(1) } as const
        const items = [{ code: 'a' }]
        await deleteTimeseries(tx, { ...deletion, items })
        await storeStations(tx, { stationType: 'P', received: at(1), items })
        return await deleteTimeseries(tx, { ...deletion, items })
      })
      expect(found).toMatchObject({ stored: 1, stations: 1 })
    })

    it('keeps stations and series that newer messages wrote', async () => {
      await sendAt(2, 'a')
      expect(await removeAt(1, 'stations', { code: 'a' })).toMatchObject({
        ...{ measurements: 8, series: 2, stations: 0 },
      })
      await storeAt(2, value('b', 15))
      expect(await removeAt(1, 'series', { code: 'b' })).toMatchObject({
        ...{ measurements: 8, series: 1 },
      })
      expect(await latest()).toEqual([['b', 't', '15']])
    })
  })
})
