import type { FastifyInstance } from 'fastify'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Database } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeEdges } from './write/store-edges.ts'
import { storeEvents } from './write/store-events.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const received = new Date('2026-11-20T12:00:00Z')
const line = {
  type: 'LineString',
  coordinates: [
    [11, 46],
    [12, 47],
  ],
}
const oddName = 'a "quoted", one\r\nwith lines'

/**
 * Stores two stations, one without a place, values of all kinds, edges, an event and a long series.
 */
async function fill(database: Database): Promise<void> {
  const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString()
  const long = Array.from({ length: 9000 }, (_, index): MeasurementItem => {
    return ['a', 'long', minute(index), index]
  })
  await database.transaction(async (tx) => {
    const stations = [
      { code: 'a', name: oddName, coordinate: [11.35, 46.49], metadata: { city: 'Bozen', n: 1 } },
      { code: 'b', name: '=1+1' },
    ]
    await storeStations(tx, { stationType: 'P', origin: 'O', received, items: stations })
    const types = ['number', 'text', 'json', 'long'].map((name) => ({ name }))
    await storeDataTypes(tx, { received, items: types })
    const items: MeasurementItem[] = [
      ['a', 'number', '2026-11-20T10:00:00Z', 0.1234567890123],
      ['a', 'text', '2026-11-20T10:01:00Z', 'so "open"'],
      ['b', 'json', '2026-11-20T10:02:00.5Z', { level: [1, 'x'] }],
      ...long,
    ]
    await storeMeasurements(tx, { stationType: 'P', period: 60, received, items })
    const ends = { from: { type: 'P', code: 'a' }, to: { type: 'P', code: 'b' } }
    const edges = [{ code: 'ab', ...ends, geometry: line }, { code: 'ba' }]
    await storeEdges(tx, { edgeType: 'Link', origin: 'O', received, items: edges })
    const event = { uuid: 'e1', series: 's1', category: 'c', name: 'Fog', geometry: line }
    const start = '2026-11-20T10:00:00Z'
    await storeEvents(tx, { origin: 'ROADS', received, items: [{ ...event, start }] })
  })
}

type Feature = {
  readonly type: string
  readonly geometry: Readonly<Record<string, unknown>> | null
  readonly properties: Readonly<Record<string, unknown>>
}
type Features = { readonly type: string; readonly features: readonly Feature[] }

describeWithDatabase('Formats of the time series service', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await fill(database())
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => received }),
    )
  })
  afterAll(() => app.close())

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const tableOf = async (url: string): Promise<readonly unknown[]> =>
    parse((await get(`${url}format=csv`)).body, { columns: true, record_delimiter: '\r\n' })
  const featuresOf = async (url: string) => (await get(url)).json<Features>().features
  const values = '/v2/flat/P/number,text,json/latest'

  it('follow the parameter format, otherwise Accept, and set Content-Type', async () => {
    const typeOf = async (url: string, accept: string) =>
      (await get(url, { accept })).headers['content-type']
    expect(await typeOf('/v2/flat/P', 'text/csv')).toBe('text/csv; charset=utf-8')
    expect(await typeOf('/v2/flat/P?format=json', 'text/csv')).toBe(
      'application/json; charset=utf-8',
    )
    expect(await typeOf('/v2/flat/P', 'application/geo+json, */*;q=0.1')).toBe(
      'application/geo+json; charset=utf-8',
    )
    expect(await typeOf('/v2/flat/P', 'application/jsonl')).toBe('application/jsonl; charset=utf-8')
    expect(await typeOf('/v2/flat/P', 'application/xml')).toBe('application/json; charset=utf-8')
    expect((await get('/v2/flat/P?format=xml')).statusCode).toBe(400)
  })

  it('each have an ETag, for which a repeated request returns 304', async () => {
    const tagOf = async (accept: string) =>
      String((await get('/v2/flat/P', { accept })).headers.etag)
    const tags = await Promise.all(['application/json', 'text/csv', '*/*'].map(tagOf))
    expect(new Set(tags).size).toBe(2)
    const again = { accept: 'text/csv', 'if-none-match': tags[1] ?? '' }
    const answer = await get('/v2/flat/P', again)
    expect([answer.statusCode, answer.body]).toEqual([304, ''])
    expect(answer.headers.vary).toContain('Accept,')
    expect((await get('/v2/flat/P', { ...again, accept: '*/*' })).statusCode).toBe(200)
  })

  describe('with a tree', () => {
    it('are always JSON, and format is reported as ignored', async () => {
      const answer = await get('/v2/tree/P?format=csv')
      expect(answer.headers['x-ignored-parameters']).toBe('format')
      expect(answer.json()).toMatchObject({ data: { P: { stations: { a: { scode: 'a' } } } } })
      expect((await get('/v2/tree/P', { accept: 'text/csv' })).headers['content-type']).toContain(
        'application/json',
      )
    })

    it('report a byte order mark as ignored outside CSV', async () => {
      const [csv, other] = [await get('/v2/flat/P?format=csv&bom=true'), '/v2/flat/P?bom=true']
      expect(csv.headers['x-ignored-parameters']).toBeUndefined()
      expect((await get(other)).headers['x-ignored-parameters']).toBe('bom')
      const strict = await get(other, { prefer: 'handling=strict' })
      expect(strict.json()).toMatchObject({ status: 400, errors: [{ parameter: 'bom' }] })
    })

    it('are refused under strict handling', async () => {
      const answer = await get('/v2/tree/P?format=csv', { prefer: 'handling=strict' })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        errorCode: 'HUB-QRY-003',
        errors: [{ parameter: 'format', expected: ['json'] }],
      })
    })
  })

  describe('as CSV', () => {
    it('have a column for each selected field, with texts unchanged', async () => {
      const select = 'select=scode,sname,sactive,smetadata.city,scoordinate&'
      expect(await tableOf(`/v2/flat/P?${select}`)).toEqual([
        {
          scode: 'a',
          sname: oddName,
          sactive: 'true',
          'smetadata.city': 'Bozen',
          scoordinate: '{"x":11.35,"y":46.49,"srid":4326}',
        },
        { scode: 'b', sname: '=1+1', sactive: 'true', 'smetadata.city': '', scoordinate: '' },
      ])
    })

    it('show values in full precision and times in the requested zone', async () => {
      const at = '2026-11-20 11:0'
      expect(await tableOf(`${values}?select=mvalue,tname&timezone=Europe/Rome&`)).toEqual([
        { _timestamp: `${at}0:00.000+0100`, mvalue: '0.1234567890123', tname: 'number' },
        { _timestamp: `${at}1:00.000+0100`, mvalue: 'so "open"', tname: 'text' },
        { _timestamp: `${at}2:00.500+0100`, mvalue: '{"level": [1, "x"]}', tname: 'json' },
      ])
    })

    it('have a header even without rows, and a byte order mark only on request', async () => {
      expect((await get('/v2/flat/Nothing?select=scode,sname&format=csv')).body).toBe(
        'scode,sname\r\n',
      )
      const marked = await get('/v2/flat/P?select=scode&format=csv&bom=true')
      expect(marked.body).toBe('\uFEFFscode\r\na\r\nb\r\n')
    })
  })

  it('as NDJSON have the rows of the JSON response, one per line', async () => {
    for (const path of ['/v2/flat/P', values, '/v2/flat,edge/Link', '/v2/flat,event/ROADS']) {
      const lines = (await get(`${path}?format=ndjson`)).body.trimEnd().split('\n')
      const { data } = (await get(path)).json<{ data: unknown }>()
      expect(lines.map((text): unknown => JSON.parse(text))).toEqual(data)
    }
  })

  describe('as GeoJSON', () => {
    it('have the position of a station as geometry and other fields as properties', async () => {
      const [first, second] = await featuresOf('/v2/flat/P?format=geojson')
      expect(first).toMatchObject({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [11.35, 46.49] },
        properties: { scode: 'a', smetadata: { city: 'Bozen' } },
      })
      expect(first?.properties).not.toHaveProperty('scoordinate')
      expect(second).toMatchObject({ geometry: null, properties: { scode: 'b' } })
    })

    it('include the geometry even if not selected, unless rows are aggregated', async () => {
      const path = '/v2/flat/P/number?format=geojson&select='
      expect(await featuresOf(`${path}mvalue`)).toEqual([
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [11.35, 46.49] },
          properties: { mvalue: 0.1234567890123 },
        },
      ])
      expect(await featuresOf(`${path}count(mvalue)`)).toEqual([
        { type: 'Feature', geometry: null, properties: { 'count(mvalue)': 1 } },
      ])
    })

    it.each(['/v2/flat,edge/Link', '/v2/flat,event/ROADS', '/v2/flat,event/ROADS/latest'])(
      'have the lines of %s in the reference system of GeoJSON',
      async (path) => {
        const [first] = await featuresOf(`${path}?format=geojson`)
        expect(first?.geometry).toMatchObject(line)
        expect(first?.geometry).not.toHaveProperty('crs')
        expect(Object.keys(first?.properties ?? {})).not.toContain('egeometry')
        expect(Object.keys(first?.properties ?? {})).not.toContain('evlgeometry')
      },
    )

    it('are an empty collection without rows', async () => {
      expect((await get('/v2/flat/Nothing?format=geojson')).json()).toEqual({
        type: 'FeatureCollection',
        offset: 0,
        limit: 200,
        features: [],
      })
    })
  })

  it('contain every row of a response that is read in several pages', async () => {
    const path = '/v2/flat/P/long/2026-01-01/2026-02-01?limit=-1&select=mvalue'
    const numbers = Array.from({ length: 9000 }, (_, index) => index)
    const rows = (await get(`${path}&format=csv`)).body.split('\r\n').slice(1, -1)
    expect(rows.map((row) => Number(row.split(',')[1]))).toEqual(numbers)
    const lines = (await get(`${path}&format=ndjson`)).body.split('\n').slice(0, -1)
    expect(lines).toHaveLength(9000)
    const features = await featuresOf(`${path}&format=geojson`)
    expect(features.map(({ properties }) => properties['mvalue'])).toEqual(numbers)
  })

  it('withhold closed values as JSON does', async () => {
    const items: MeasurementItem[] = [['z', 'number', '2026-11-20T10:00:00Z', 99]]
    const closed = { stationType: 'Z', closed: true, received }
    await database().transaction(async (tx) => {
      await storeStations(tx, { ...closed, items: [{ code: 'z' }] })
      await storeMeasurements(tx, { stationType: 'Z', period: 60, received, items })
    })
    const path = '/v2/flat/Z/number/latest?select=mvalue&format='
    for (const format of ['csv', 'ndjson', 'geojson']) {
      expect((await get(path + format)).body).not.toContain('99')
      expect((await get(path + format, { authorization: 'Bearer closed' })).body).toContain('99')
    }
  })
})
