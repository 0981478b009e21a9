import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Database } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const received = new Date('2026-11-20T12:00:00Z')

/**
 * Stores a station with a number, a text and an object, a closed station, child stations, and a
 * station that is not available.
 */
async function fill(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const parking = {
      code: 'p:1',
      name: 'P1',
      coordinate: [11.35, 46.49],
      metadata: { capacity: 403, tags: ['a', null] },
    }
    const hidden = { code: 'hidden', available: false }
    await storeStations(tx, {
      stationType: 'Parking',
      origin: 'FAMAS',
      received,
      items: [parking, hidden],
    })
    const closed = { stationType: 'Parking', origin: 'SECRET', closed: true, received }
    await storeStations(tx, { ...closed, items: [{ code: 'p:2' }] })
    const plugs = [
      { code: 'plug', parent: { type: 'Parking', code: 'p:1' } },
      { code: 'stray', parent: { type: 'Parking', code: 'hidden' } },
    ]
    await storeStations(tx, { stationType: 'Plug', origin: 'NEO', received, items: plugs })
    const types = [{ name: 'free', unit: 'cars', type: 'Instantaneous' }, { name: 'state' }]
    await storeDataTypes(tx, { received, items: types })
    const items: MeasurementItem[] = [
      ['p:1', 'free', '2026-11-20T10:00:00Z', 1],
      ['p:1', 'free', '2026-11-20T10:05:00.5Z', 42.123456789012],
      ['p:1', 'state', '2026-11-20T10:01:00Z', 'so "open"'],
      ['p:1', 'state', '2026-11-20T10:02:00Z', { level: 1.5, list: [] }],
      ['p:2', 'free', '2026-11-20T10:00:00Z', 7],
    ]
    const provenance = { name: 'collector', version: null, lineage: 'FAMAS' }
    await storeMeasurements(tx, {
      stationType: 'Parking',
      period: 300,
      provenance,
      received,
      items,
    })
  })
}

type Row = Readonly<Record<string, unknown>>

type Series = Row & { readonly tmeasurements: readonly Row[] }
type Station = Row & { readonly sdatatypes: Readonly<Record<string, Series>> }
type Tree = Readonly<Record<string, { readonly stations: Readonly<Record<string, Station>> }>>

describeWithDatabase('Stations and their values', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await fill(database())
    const now = () => received
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now }),
    )
  })
  afterAll(() => app.close())

  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const bodyOf = async <Data>(url: string, headers = {}) => {
    const answer = await get(url, headers)
    expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 })
    return answer.json<{ readonly data: Data }>().data
  }
  const rowsOf = (url: string, headers = {}) => bodyOf<readonly Row[]>(url, headers)
  const treeOf = (url: string) => bodyOf<Tree>(url)
  const valuesOf = async (url: string) => (await rowsOf(url)).map(({ mvalue }) => mvalue)
  const station = {
    sactive: true,
    savailable: true,
    scode: 'p:1',
    scoordinate: { x: 11.35, y: 46.49, srid: 4326 },
    smetadata: { capacity: 403, tags: ['a', null] },
    sname: 'P1',
    sorigin: 'FAMAS',
    stype: 'Parking',
  }
  const free = { tname: 'free', ttype: 'Instantaneous', tunit: 'cars' }
  const newest = {
    mperiod: 300,
    mtransactiontime: '2026-11-20 12:00:00.000+0000',
    mvalidtime: '2026-11-20 10:05:00.500+0000',
    mvalue: 42.123456789012,
  }
  const provenance = { prname: 'collector', prlineage: 'FAMAS' }

  describe('with stations', () => {
    it('shows all fields of available stations, in an envelope', async () => {
      const answer = await get('/v2/flat,node/Parking')
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json()).toEqual({
        offset: 0,
        limit: 200,
        data: [station, expect.objectContaining({ scode: 'p:2', sorigin: 'SECRET' })],
      })
    })

    it('shows the parent, and hides children of an unavailable one', async () => {
      expect(await rowsOf('/v2/flat/Plug')).toMatchObject([
        { scode: 'plug', pcode: 'p:1', pname: 'P1' },
      ])
      const tree = await treeOf('/v2/tree/Plug')
      expect(tree['Plug']?.stations['plug']?.['sparent']).toMatchObject({ pcode: 'p:1' })
      expect(tree['Plug']?.stations['stray']).toBeUndefined()
    })

    it('accepts stars, lists, encoded commas, a trailing slash and unknown types', async () => {
      const codes = async (path: string) => {
        const rows = await rowsOf(path)
        return rows.map(({ scode }) => scode)
      }
      expect(await codes('/v2/flat/*')).toEqual(['p:1', 'p:2', 'plug'])
      expect(await codes('/v2/flat%2Cnode/Plug%2C%20Parking/')).toEqual(['p:1', 'p:2', 'plug'])
      expect(await codes('/v2/flat/parking')).toEqual([])
      expect(await treeOf('/v2/tree/Nothing')).toEqual({})
    })

    it.each([
      ['/v2/flat/parking', 'stationTypes', 'Did you mean Parking?'],
      ['/v2/flat/Parking/Free/latest', 'dataTypes', 'Did you mean free?'],
      ['/v2/flat/Parking?origin=nope', 'origin', 'lists all of them'],
      ['/v2/freshness/Nope', 'stationTypes', '/v2/flat lists all of them.'],
      ['/v2/flat,event/NOPE', 'stationTypes', '/v2/flat lists all of them.'],
    ])('refuses the unknown name in %s under strict handling', async (url, parameter, hint) => {
      const { statusCode, body } = await get(url)
      expect(statusCode, body).toBe(200)
      const strict = await get(url, { prefer: 'handling=strict' })
      expect(strict.json()).toMatchObject({
        ...{ status: 400, errorCode: 'HUB-QRY-003' },
        errors: [{ parameter, hint: expect.stringContaining(hint) }],
      })
    })

    it('accepts known names and client names under strict handling', async () => {
      const headers = { prefer: 'handling=strict' }
      for (const url of [
        '/v2/tree/Parking,Plug/*/latest?origin=NEO,webcomp-x',
        '/v2/flat/Parking/metadata/2026-01-01/2026-01-02',
        '/v2/flat,event/*',
      ]) {
        const { statusCode, body } = await get(url, headers)
        expect(statusCode, body).toBe(200)
      }
    })

    it('filters by origin, but not by the name of a client', async () => {
      expect(await rowsOf('/v2/flat/Parking?origin=SECRET,OTHER')).toHaveLength(1)
      expect(await rowsOf('/v2/flat/Parking?origin=webcomp-parking')).toHaveLength(2)
      expect(await rowsOf('/v2/flat/Parking?origin=nobody')).toEqual([])
    })

    it('shows nulls if requested', async () => {
      const [, second] = await rowsOf('/v2/flat/Parking?shownull=true')
      expect(second).toMatchObject({ scoordinate: null, smetadata: null, pcode: null })
      const tree = await treeOf('/v2/tree/Parking?shownull=true')
      expect(tree['Parking']?.stations['p:2']?.['sparent']).toMatchObject({ pcode: null })
    })
  })

  describe('with latest values', () => {
    it('shows the newest value of each series in full precision, ordered by time', async () => {
      const data = await rowsOf('/v2/flat,node/Parking/*/latest')
      expect(data.map(({ mvalue }) => mvalue)).toEqual([
        'so "open"',
        { level: 1.5, list: [] },
        42.123456789012,
      ])
      const timestamp = { _timestamp: newest.mvalidtime }
      expect(data[2]).toEqual({ ...timestamp, ...station, ...free, ...newest, ...provenance })
    })

    it('shows them in the tree', async () => {
      expect(await treeOf('/v2/tree,node/Parking/free/LATEST')).toEqual({
        Parking: {
          stations: {
            'p:1': {
              ...station,
              sdatatypes: {
                free: { ...free, tmeasurements: [{ ...newest, mprovenance: provenance }] },
              },
            },
          },
        },
      })
    })

    it('withholds closed values from callers without rights', async () => {
      const path = '/v2/flat/Parking/free/latest'
      expect(await rowsOf(path)).toHaveLength(1)
      expect(await rowsOf(path, { authorization: 'Bearer closed' })).toMatchObject([
        { scode: 'p:2', mvalue: 7 },
        { scode: 'p:1' },
      ])
    })

    it('prints times in the requested zone', async () => {
      const data = await rowsOf('/v2/flat/Parking/free/latest?timezone=Europe/Rome')
      expect(data[0]?.['mvalidtime']).toBe('2026-11-20 11:05:00.500+0100')
    })
  })

  describe('with series', () => {
    it('lists the series of stations with latest values, closed ones without', async () => {
      const data = await rowsOf('/v2/flat/Parking/free')
      expect(data).toEqual([
        { ...station, ...free, ...newest, ...provenance },
        {
          ...free,
          sactive: true,
          savailable: true,
          scode: 'p:2',
          sname: 'p:2',
          sorigin: 'SECRET',
          stype: 'Parking',
        },
      ])
      const tree = await treeOf('/v2/tree/Parking/*')
      expect(tree['Parking']?.stations['p:1']?.sdatatypes['state']?.tmeasurements).toHaveLength(2)
      expect(tree['Parking']?.stations['p:2']?.sdatatypes['free']).toEqual(free)
    })
  })

  describe('with history', () => {
    const range = '2026-11-20T10:00:00Z/2026-11-20T10:05:00.500Z'

    it('includes the start of the range and excludes its end', async () => {
      const values = await valuesOf(`/v2/flat/Parking/*/${range}`)
      expect(values).toEqual([1, 'so "open"', { level: 1.5, list: [] }])
      const open = await rowsOf(`/v2/flat/Parking/free/${range}`, { authorization: 'Bearer admin' })
      expect(open).toHaveLength(2)
    })

    it('orders the measurements of the tree by time', async () => {
      const tree = await treeOf('/v2/tree/Parking/free/2026-11-20/2026-11-21')
      const values = tree['Parking']?.stations['p:1']?.sdatatypes['free']?.tmeasurements
      expect(values).toMatchObject([{ mvalue: 1 }, { mvalue: 42.123456789012 }])
    })
  })

  it('returns 304 until something is written, with separate ETags by visibility', async () => {
    const url = '/v2/flat/Parking/free/latest'
    const first = await get(url)
    const etag = String(first.headers.etag)
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304)
    const closed = await get(url, { authorization: 'Bearer closed' })
    expect(closed.headers.etag).not.toBe(etag)
    const write = {
      stationType: 'Parking',
      period: 300,
      received: new Date('2026-11-20T13:00:00Z'),
      items: [['p:2', 'free', '2026-11-20T11:00:00Z', 8]] satisfies MeasurementItem[],
    }
    await database().transaction((tx) => storeMeasurements(tx, write))
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(200)
  })
})
