import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { storeDataTypes } from './store-measurements.ts'
import { storeStations } from './store-stations.ts'
import type { StationItem } from './items.ts'
import type { StationsWrite } from './store-stations.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))

const message = (stationType: string, items: readonly StationItem[]): StationsWrite => ({
  stationType,
  origin: 'TEST',
  received: at(0),
  items,
})

function store(database: Database, write: StationsWrite) {
  return database.transaction((tx) => storeStations(tx, write))
}

type Row = Readonly<Record<string, unknown>>

function stationsOf(database: Database, type: string): Promise<readonly Row[]> {
  return database.query<Row>(sql`
    select s.code, s.name, s.active, s.available, s.closed, s.metadata, p.code as parent,
      ST_AsText(s.point, 4) as point
    from station s left join station p on p.id = s.parent_id
    where s.type = ${type} order by s.code`)
}

function versionsOf(database: Database, type: string): Promise<readonly Row[]> {
  return database.query<Row>(sql`
    select recorded, m.metadata from station_metadata m join station s on s.id = m.station_id
    where s.type = ${type} order by recorded`)
}

describeWithDatabase('Storing stations', (database) => {
  it('accepts a parent that appears later in the same message', async () => {
    const items = [
      { code: 'child', parent: { type: 'Family', code: 'parent' } },
      { code: 'parent' },
    ]
    const outcome = await store(database(), message('Family', items))
    expect(outcome).toEqual({ stored: 2, rejected: [] })
    expect(await stationsOf(database(), 'Family')).toMatchObject([
      { code: 'child', parent: 'parent' },
      { code: 'parent', parent: null },
    ])
  })

  it('rejects unknown parents and children of rejected stations, and stores the rest', async () => {
    const items = [
      { code: 'a', parent: { type: 'Nowhere', code: 'x' } },
      { code: 'b', parent: { type: 'Orphan', code: 'a' } },
      { code: 'c' },
    ]
    const { stored, rejected } = await store(database(), message('Orphan', items))
    expect(stored).toBe(1)
    expect(rejected.map(({ index }) => index)).toEqual([0, 1])
    expect(rejected[0]?.reason).toContain('parent')
    expect((await stationsOf(database(), 'Orphan')).map(({ code }) => code)).toEqual(['c'])
  })

  it('keeps the last of two stations with the same code and reports the other', async () => {
    const items = [
      { code: 'a', name: 'first' },
      { code: 'a', name: 'second' },
    ]
    const { stored, rejected } = await store(database(), message('Twice', items))
    expect({ stored, index: rejected[0]?.index }).toEqual({ stored: 1, index: 0 })
    expect(await stationsOf(database(), 'Twice')).toMatchObject([{ name: 'second' }])
  })

  it('keeps omitted fields and clears null fields', async () => {
    const full = {
      code: 'a',
      name: 'A',
      coordinate: [11.35, 46.49],
      active: false,
      available: true,
      metadata: { capacity: 5 },
    }
    await store(database(), { ...message('Partial', [full]), closed: true })
    await store(database(), { ...message('Partial', [{ code: 'a', name: 'B' }]), received: at(1) })
    expect(await stationsOf(database(), 'Partial')).toMatchObject([
      {
        name: 'B',
        active: false,
        closed: true,
        point: 'POINT(11.35 46.49)',
        metadata: '{"capacity": 5}',
      },
    ])
    const cleared = { ...message('Partial', [{ code: 'a', coordinate: null }]), received: at(2) }
    await store(database(), cleared)
    expect(await stationsOf(database(), 'Partial')).toMatchObject([{ name: 'B', point: null }])
  })

  it('converts coordinates to EPSG:4326 and rejects impossible ones', async () => {
    const items = [
      { code: 'a', coordinate: [680000, 5150000], srid: 25832 },
      { code: 'b', coordinate: [11, 46], srid: 999_999 },
      { code: 'c', coordinate: [46, 111] },
      { code: 'd', coordinate: [30_000_000, 5_500_000], srid: 3857 },
      { code: 'e', coordinate: [1_250_000, 300_000_000], srid: 3857 },
      { code: 'f', coordinate: [1_250_000, 5_500_000], srid: 3857 },
      { code: 'g', coordinate: [50_000_000, 5_150_000], srid: 25832 },
      { code: 'h', coordinate: [191, 46], srid: 4258 },
      { code: 'i', coordinate: [11.5, 46.5], srid: 4258 },
      { code: 'j', coordinate: [20_037_508.34, 5_500_000], srid: 3857 },
    ]
    const { rejected } = await store(database(), message('Place', items))
    expect(rejected.map(({ index }) => index)).toEqual([1, 2, 3, 4, 6, 7])
    expect(rejected[0]?.reason).toContain('999999')
    const [a, f, i] = await stationsOf(database(), 'Place')
    expect(a).toMatchObject({ code: 'a', point: 'POINT(11.345 46.4795)' })
    expect(f).toMatchObject({ code: 'f', point: 'POINT(11.2289 44.2229)' })
    expect(i).toMatchObject({ code: 'i', point: 'POINT(11.5 46.5)' })
  })

  it('adds a version of the metadata for each change and none for a repetition', async () => {
    const write = (minute: number, capacity: number) =>
      store(database(), {
        ...message('Versions', [{ code: 'a', metadata: { capacity } }]),
        received: at(minute),
      })
    await write(0, 1)
    await write(1, 1)
    await write(2, 2)
    await write(2, 2)
    expect(await versionsOf(database(), 'Versions')).toEqual([
      { recorded: at(0), metadata: '{"capacity": 1}' },
      { recorded: at(2), metadata: '{"capacity": 2}' },
    ])
  })

  it('lets an older message add to the history but never overwrite newer data', async () => {
    const write = (minute: number, name: string) =>
      store(database(), {
        ...message('Late', [{ code: 'a', name, metadata: { name } }]),
        received: at(minute),
      })
    await write(5, 'young')
    expect(await write(1, 'old')).toEqual({ stored: 1, rejected: [] })
    expect(await stationsOf(database(), 'Late')).toMatchObject([
      { name: 'young', metadata: '{"name": "young"}' },
    ])
    expect((await versionsOf(database(), 'Late')).map(({ metadata }) => metadata)).toEqual([
      '{"name": "old"}',
      '{"name": "young"}',
    ])
  })

  it('keeps a history true to time if an older message arrives after a repetition', async () => {
    const write = (minute: number, ...items: readonly StationItem[]) =>
      store(database(), { ...message('Again', items), received: at(minute) })
    const [old, other] = [{ capacity: 1 }, { capacity: 2 }]
    await write(0, { code: 'a', metadata: old })
    await write(5, { code: 'a', metadata: old })
    await write(2, { code: 'a', metadata: other })
    const history = [
      { recorded: at(0), metadata: '{"capacity": 1}' },
      { recorded: at(2), metadata: '{"capacity": 2}' },
      { recorded: at(5), metadata: '{"capacity": 1}' },
    ]
    expect(await versionsOf(database(), 'Again')).toEqual(history)
    await write(2, { code: 'a', metadata: other })
    await write(3, { code: 'a', metadata: other })
    await write(5, { code: 'a', metadata: old })
    expect(await versionsOf(database(), 'Again')).toEqual(history)
    expect(await stationsOf(database(), 'Again')).toMatchObject([{ metadata: '{"capacity": 1}' }])
  })

  it('deactivates unlisted stations of the type and origin if a list is complete', async () => {
    await store(database(), message('Complete', [{ code: 'a' }, { code: 'b' }]))
    await store(database(), { ...message('Complete', [{ code: 'other' }]), origin: 'OTHER' })
    const complete = { ...message('Complete', [{ code: 'a' }]), complete: true, received: at(1) }
    await store(database(), complete)
    expect(
      (await stationsOf(database(), 'Complete')).map(({ code, active }) => [code, active]),
    ).toEqual([
      ['a', true],
      ['b', false],
      ['other', true],
    ])
    // A list that includes it again makes it active, unless the list states otherwise.
    const whole = [{ code: 'a', active: false }, { code: 'b' }]
    await store(database(), { ...message('Complete', whole), complete: true, received: at(2) })
    expect(
      (await stationsOf(database(), 'Complete')).map(({ code, active }) => [code, active]),
    ).toEqual([
      ['a', false],
      ['b', true],
      ['other', true],
    ])
  })

  it('records a change for children of a changed parent, and none for a repetition', async () => {
    const family = message('Noted', [
      { code: 'p' },
      { code: 'c', parent: { type: 'Noted', code: 'p' } },
    ])
    const changes = async () => {
      const rows = await database().query<{ xid: string; id: string }>(
        sql`select distinct xid::text as xid, id from change where dataset = 'stations/Noted' order by xid, id`,
      )
      return rows.map(({ id }) => id)
    }
    await store(database(), family)
    await store(database(), { ...family, received: at(1) })
    expect(await changes()).toEqual(['c', 'p'])
    const renamed = { ...message('Noted', [{ code: 'p', name: 'P' }]), received: at(2) }
    await store(database(), renamed)
    expect(await changes()).toEqual(['c', 'p', 'c', 'p'])
  })

  it('uses a new id only for a new station or data type', async () => {
    const used = async () => {
      const sequence = (table: string) =>
        sql`(select last_value from pg_sequences where sequencename = ${`${table}_id_seq`})::integer`
      const [row] = await database().query<{ stations: number; types: number }>(
        sql`select ${sequence('station')} as stations, ${sequence('data_type')} as types`,
      )
      return row
    }
    const send = (code: string) =>
      database().transaction(async (tx) => {
        await storeStations(tx, message('Counted', [{ code: 'same' }, { code }]))
        await storeDataTypes(tx, { received: at(0), items: [{ name: 'same' }, { name: code }] })
      })
    await send('a')
    const before = await used()
    for (const code of ['a', 'a', 'b']) await send(code)
    const { stations = 0, types = 0 } = before ?? {}
    expect(await used()).toEqual({ stations: stations + 1, types: types + 1 })
  })
})
