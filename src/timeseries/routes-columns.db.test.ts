import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { asJsonRow, readArrow, readParquetFile } from '../../test/fixtures/read-columns.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Database } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeEdges } from './write/store-edges.ts'
import { storeEvents } from './write/store-events.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const received = new Date('2026-11-20T12:00:00.123Z')
const line = {
  type: 'LineString',
  coordinates: [
    [11, 46],
    [12, 47],
  ],
}
const lineage = { name: 'collector', version: '1.2', lineage: 'tests' }

/**
 * Stores stations with and without place, parent and metadata, all kinds of values, edges, an
 * event.
 */
async function fill(database: Database): Promise<void> {
  const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString()
  const long = Array.from({ length: 20_000 }, (_, index): MeasurementItem => {
    return [index % 2 === 0 ? 'a' : 'b', 'long', minute(index), index / 8]
  })
  await database.transaction(async (tx) => {
    const stations = [
      {
        code: 'a',
        name: 'Größe "1"',
        coordinate: [11.35, 46.49],
        metadata: { city: 'Bozen', n: 1 },
      },
      { code: 'b', name: '日本', parent: { type: 'P', code: 'a' } },
      { code: 'c', active: false },
    ]
    await storeStations(tx, { stationType: 'P', origin: 'O', received, items: stations })
    const types = ['number', 'text', 'json', 'long'].map((name) => ({ name }))
    await storeDataTypes(tx, { received, items: types })
    const items: MeasurementItem[] = [
      ['a', 'number', '2026-11-20T10:00:00Z', 0.1234567890123],
      ['b', 'number', '2026-11-20T10:00:00Z', -1e300],
      ['a', 'text', '2026-11-20T10:01:00Z', 'so "öffen"'],
      ['b', 'json', '2026-11-20T10:02:00.5Z', { level: [1, 'x'] }],
      ['b', 'number', '1969-12-31T23:59:59.999Z', 7],
      ...long,
    ]
    const given = { stationType: 'P', period: 60, received, provenance: lineage }
    await storeMeasurements(tx, { ...given, items })
    const secret: MeasurementItem[] = [['z', 'secret', '2026-11-20T10:00:00Z', 'hidden']]
    const closed = { stationType: 'Z', closed: true, received }
    await storeStations(tx, { ...closed, items: [{ code: 'z' }] })
    await storeDataTypes(tx, { received, items: [{ name: 'secret' }] })
    await storeMeasurements(tx, { stationType: 'Z', period: 60, received, items: secret })
    const ends = { from: { type: 'P', code: 'a' }, to: { type: 'P', code: 'b' } }
    const edges = [{ code: 'ab', ...ends, geometry: line }, { code: 'ba' }]
    await storeEdges(tx, { edgeType: 'Link', origin: 'O', received, items: edges })
    const event = { uuid: 'e1', series: 's1', category: 'c', name: 'Fog', geometry: line }
    const start = '2026-11-20T10:00:00Z'
    await storeEvents(tx, { origin: 'ROADS', received, items: [{ ...event, start }] })
  })
}

const values = '/v2/flat/P/number,text,json'
const long = '/v2/flat/P/long/2026-01-01/2026-02-01'

/** Requests whose responses in columns must equal those in JSON. */
const reads = [
  '/v2/flat/P?',
  '/v2/flat/P?select=smetadata.city',
  '/v2/flat/P?select=smetadata.city,scode&shownull=true',
  '/v2/flat/P?select=stype&distinct=true',
  '/v2/flat/Nothing?',
  `${values}?`,
  `${values}?select=scode,mvalue&limit=1&offset=1`,
  `${values}/latest?`,
  `${values}/latest?select=mvalue`,
  `${values}/latest?select=mvalue.level,tname`,
  `${values}/latest?where=tname.eq."text"`,
  `${values}/latest?where=or(tname.eq."text",mvalue.gt.0)`,
  `${values}/latest?select=sactive,mperiod,mtransactiontime,prname`,
  '/v2/flat/P/number/1960-01-01/1970-01-01?',
  '/v2/flat/P/number/2026-11-20/2026-11-21?select=scode,scoordinate,pname,pcoordinate,mvalue',
  '/v2/flat/P/*/2026-11-20/2026-11-21?select=tname,count(mvalue),avg(mvalue),sum(mperiod)',
  '/v2/flat/P/*/2026-01-01/2026-12-31?select=scode,max(mvalue),min(mperiod)&where=mvalue.lt.100',
  '/v2/flat/P/json/2026-11-20/2026-11-21?select=mvalue,count(scode)',
  `${long}?limit=7&offset=19990`,
  `${long}?limit=-1&select=scode,mvalue`,
  `${long}?limit=-1&where=scode.eq."a",mvalue.gt.2000`,
  '/v2/flat,edge/Link?',
  '/v2/flat,event/ROADS?',
  '/v2/flat,event/ROADS/latest?select=evname,evlgeometry,evstart,evend',
  '/v2/flat/P/metadata/2026-01-01/2027-01-01?',
  '/v2/flat/P/*/2026-11-20/2026-11-21?bucket=1h&agg=avg,count,first',
  `${long}?bucket=1d&limit=-1`,
  `${long}?points=100&limit=-1&select=scode,mvalue`,
]

const formats = [
  {
    name: 'arrow',
    type: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    read: readArrow,
  },
  {
    name: 'parquet',
    type: 'application/vnd.apache.parquet',
    extension: 'parquet',
    read: readParquetFile,
  },
]

describeWithDatabase('Columns of the time series service', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await fill(database())
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now: () => received }),
    )
  })
  afterAll(() => app.close())

  const get = async (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url: encodeURI(url), headers })
  const dataOf = async (url: string) => (await get(url)).json<{ data: readonly object[] }>().data

  describe.each(formats)('as $name', ({ name, type, extension, read }) => {
    it.each(reads)('contain the rows of the JSON response: %s', async (url) => {
      const answer = await get(`${url}&format=${name}`)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type])
      const { rows } = read(answer.rawPayload)
      expect(rows.map(asJsonRow)).toEqual(dropNulls(await dataOf(url)))
    })

    it('are requested by format or Accept, and have a file name', async () => {
      const url = `${values}/latest?select=scode,mvalue`
      const named = await get(`${url}&format=${name}`, { accept: 'application/json' })
      const accepted = await get(url, { accept: `${type}, application/json;q=0.5` })
      expect(accepted.rawPayload).toEqual(named.rawPayload)
      for (const { headers } of [named, accepted]) {
        expect(headers['content-type']).toBe(type)
        expect(headers['content-disposition']).toBe(
          `attachment; filename="P-number-text-json-latest.${extension}"`,
        )
        expect(headers['cache-control']).toBe('public, no-cache')
        expect(headers.vary).toContain('Accept,')
      }
      expect((await get(url, { accept: '*/*' })).headers['content-type']).toContain('json')
    })

    it('have a separate ETag, for which a repeated request returns 304', async () => {
      const url = `${values}/latest?format=${name}`
      const tag = String((await get(url)).headers.etag)
      expect((await get(url.replace(name, 'json'))).headers.etag).not.toBe(tag)
      const again = await get(url, { 'if-none-match': tag })
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
      expect((await get(url)).headers.etag).toBe(tag)
    })

    it('are replaced by JSON for a tree, and refused under strict handling', async () => {
      const answer = await get(`/v2/tree/P?format=${name}`)
      expect(answer.headers['x-ignored-parameters']).toBe('format')
      expect(answer.headers['content-type']).toContain('application/json')
      expect(answer.headers['content-disposition']).toBeUndefined()
      const strict = await get(`/v2/tree/P?format=${name}`, { prefer: 'handling=strict' })
      expect(strict.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-003' })
    })

    it('are not sent for an invalid request', async () => {
      const answer = await get(`${values}/latest?format=${name}&select=nothing`)
      expect(answer.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-009' })
    })

    it('have columns for texts and JSON if the selected series have such values', async () => {
      const namesOf = async (dataTypes: string, query = '') => {
        const url = `/v2/flat/P/${dataTypes}?select=mvalue&format=${name}${query}`
        return read((await get(url)).rawPayload).names
      }
      expect(await namesOf('number')).toEqual(['mvalue'])
      expect(await namesOf('number/latest')).toEqual(['_timestamp', 'mvalue'])
      expect(await namesOf('text/latest')).toEqual(['_timestamp', 'mvalue', 'mvalue_text'])
      expect(await namesOf('number,json')).toEqual(['mvalue', 'mvalue_json'])
      expect(await namesOf('nothing/latest')).toEqual(['_timestamp', 'mvalue'])
    })

    it('withhold closed values as JSON does, and do not reveal their kind', async () => {
      const url = `/v2/flat/Z/secret/latest?select=scode,mvalue&format=${name}`
      const closed = read((await get(url)).rawPayload)
      expect([closed.names, closed.rows]).toEqual([['_timestamp', 'scode', 'mvalue'], []])
      const withValues = `/v2/flat/Z/secret?select=scode,mvalue&format=${name}`
      expect(read((await get(withValues)).rawPayload).rows).toEqual([{ scode: 'z', mvalue: null }])
      const open = await get(url, { authorization: 'Bearer closed' })
      expect(read(open.rawPayload).rows).toMatchObject([{ scode: 'z', mvalue_text: 'hidden' }])
      expect((await get(url)).headers['x-withheld']).toContain('records')
    })
  })

  it('of Arrow use the requested time zone for the same instants', async () => {
    const read = async (timezone: string) => {
      const url = `${values}/latest?format=arrow&select=tname,scode&timezone=${timezone}`
      const { table, rows } = readArrow((await get(url)).rawPayload)
      return { type: table.schema.fields[0]?.type, rows }
    }
    const [utc, rome, offset] = [await read('UTC'), await read('europe/rome'), await read('+02:00')]
    expect(utc.type).toMatchObject({ timezone: 'UTC', unit: 1 })
    expect(rome.type).toMatchObject({ timezone: 'Europe/Rome', unit: 1 })
    expect(offset.type).toMatchObject({ timezone: '+02:00', unit: 1 })
    expect(rome.rows).toEqual(utc.rows)
  })

  it('of Arrow mark JSON texts and points in their metadata', async () => {
    const url = '/v2/flat/P?format=arrow&select=scoordinate,smetadata,scode'
    const { table } = readArrow((await get(url)).rawPayload)
    const [place, metadata, code] = table.schema.fields.map((field) => field.metadata)
    expect(place?.get('ARROW:extension:name')).toBe('geoarrow.point')
    expect(metadata?.get('contentMediaType')).toBe('application/json')
    expect(code ?? new Map()).toEqual(new Map())
  })
})

/** Removes the fields that are shown because of `shownull`. */
function dropNulls(data: readonly object[]): readonly object[] {
  return data.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  )
}
