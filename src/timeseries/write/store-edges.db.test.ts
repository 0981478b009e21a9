import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { deleteTimeseries } from './delete-timeseries.ts'
import { storeEdges } from './store-edges.ts'
import type { EdgeItem } from './items.ts'
import type { EdgesWrite } from './store-edges.ts'
import { storeStations } from './store-stations.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))

const message = (items: readonly EdgeItem[], minute = 0): EdgesWrite => ({
  edgeType: 'Link',
  origin: 'TEST',
  received: at(minute),
  items,
})

function store(database: Database, write: EdgesWrite) {
  return database.transaction((tx) => storeEdges(tx, write))
}

type Row = Readonly<Record<string, unknown>>

function edgeOf(database: Database, code: string): Promise<readonly Row[]> {
  return database.query<Row>(sql`
    select e.name, f.code as from, t.code as to, edge.directed, ST_AsText(edge.geometry) as geometry
    from edge join station e on e.id = edge.station_id
    left join station f on f.id = edge.from_id left join station t on t.id = edge.to_id
    where e.code = ${code}`)
}

const line = {
  type: 'LineString',
  coordinates: [
    [11, 46],
    [12, 47],
  ],
}

describeWithDatabase('Storing edges', (database) => {
  beforeAll(async () => {
    const stations = { stationType: 'T', items: [{ code: 'a' }, { code: 'b' }], received: at(0) }
    await database().transaction((tx) => storeStations(tx, stations))
  })

  it('stores an edge with its station, ends and line, and keeps fields omitted later', async () => {
    const from = { type: 'T', code: 'a' }
    const to = { type: 'T', code: 'b' }
    const item = { code: 'ab', name: 'a -> b', from, to, directed: false, geometry: line }
    expect(await store(database(), message([item]))).toEqual({ stored: 1, rejected: [] })
    const stored = {
      name: 'a -> b',
      from: 'a',
      to: 'b',
      directed: false,
      geometry: 'LINESTRING(11 46,12 47)',
    }
    expect(await edgeOf(database(), 'ab')).toEqual([stored])
    await store(database(), message([{ code: 'ab', to: null }], 1))
    expect(await edgeOf(database(), 'ab')).toEqual([{ ...stored, to: null }])
  })

  it('never lets an older message overwrite a newer one', async () => {
    await store(database(), message([{ code: 'old', directed: true }], 5))
    await store(database(), message([{ code: 'old', directed: true }], 9))
    await store(database(), message([{ code: 'old', directed: false }], 7))
    expect(await edgeOf(database(), 'old')).toMatchObject([{ directed: true }])
  })

  it('does not restore an edge that a newer message deleted', async () => {
    const request = '3f0e5a52-58c7-4a80-9a6b-6a5dca1a0d6e'
    const by = { subject: 'ann', name: 'Ann', client: 'hub', request }
    const deletion = { stationType: 'Link', what: 'stations', received: at(2), by } as const
    await store(database(), message([{ code: 'gone' }], 1))
    await database().transaction((tx) =>
      deleteTimeseries(tx, { ...deletion, items: [{ code: 'gone' }] }),
    )
    expect(await store(database(), message([{ code: 'gone' }, { code: 'kept' }], 1))).toEqual({
      ...{ stored: 2, rejected: [] },
      warnings: [{ index: 0, pointer: '', reason: expect.stringContaining('12:02:00') }],
    })
    expect(await edgeOf(database(), 'gone')).toEqual([])
    expect(await edgeOf(database(), 'kept')).toHaveLength(1)
    expect(await store(database(), message([{ code: 'gone' }], 3))).toEqual({
      ...{ stored: 1, rejected: [] },
    })
  })

  it('rejects unknown ends and impossible geometries and stores the others', async () => {
    const items = [
      { code: 'x', from: { type: 'T', code: 'nobody' } },
      {
        code: 'y',
        geometry: {
          type: 'LineString',
          coordinates: [
            [46, 111],
            [47, 112],
          ],
        },
      },
      { code: 'z' },
    ]
    const { stored, rejected } = await store(database(), message(items))
    expect({ stored, indexes: rejected.map(({ index }) => index) }).toEqual({
      stored: 1,
      indexes: [0, 1],
    })
    expect(rejected[0]?.reason).toContain('"nobody"')
    expect(rejected[1]?.reason).toContain('LineString')
    expect(await edgeOf(database(), 'x')).toEqual([])
  })
})
