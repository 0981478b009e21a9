import { Check } from 'typebox/schema'
import { beforeAll, expect, it } from 'vitest'
import { entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { oddName, useFormats } from '../fixtures/formats.ts'
import { geoParquet } from '../fixtures/geo-parquet.ts'
import { readArrow, readParquetFile } from '../fixtures/read-columns.ts'
import { queryParquet } from '../fixtures/read-duckdb.ts'

const parquet = 'application/vnd.apache.parquet'
const arrow = 'application/vnd.apache.arrow.stream'

const shapes = {
  point: { type: 'Point', coordinates: [11.25, 46.5, 260] },
  line: { type: 'LineString', coordinates: [[11, 46], [11.5, 46.25]] }, // oxfmt-ignore
  area: {
    type: 'MultiPolygon',
    coordinates: [[[[10, 45], [12, 45], [12, 47], [10, 45]], [[11, 45.5], [11.5, 45.5], [11.5, 46], [11, 45.5]]]], // oxfmt-ignore
  },
  all: {
    type: 'GeometryCollection',
    geometries: [
      { type: 'MultiPoint', coordinates: [[1, 2], [3, 4]] }, // oxfmt-ignore
      { type: 'MultiLineString', coordinates: [[[1, 2], [3, 4]]] }, // oxfmt-ignore
      { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }, // oxfmt-ignore
    ],
  },
}

describeWithDatabase('tables of the content service', (database) => {
  const get = useFormats(database)
  beforeAll(async () => {
    const entity = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'GeoShape')
    if (entity === undefined) throw new Error('There are no shapes')
    const records = Object.entries(shapes).map(([Id, Geometry]) => {
      return { Id, Name: Id, Type: 'test', Srid: 'EPSG:4326', Geometry }
    })
    const write = { entity, records: [...records, { Id: 'none' }], deletions: [], provider: 'demo' }
    const received = new Date('2026-11-20T10:00:00.000Z')
    await database().transaction((tx) => storeRecords(tx, { ...write, received }))
  })

  it.each([
    ['?format=parquet', undefined, parquet],
    ['?format=geoparquet', undefined, parquet],
    ['?format=arrow', undefined, arrow],
    ['', parquet, parquet],
    ['', arrow, arrow],
    ['?stream=true', parquet, parquet],
  ])('are returned for "%s" and Accept: %s as %s files', async (query, accept, expected) => {
    const headers = { prefer: 'handling=strict', ...(accept === undefined ? {} : { accept }) }
    const answer = await get(`/v1/Accommodation${query}`, headers)
    expect([answer.status, answer.type]).toEqual([200, expected])
    const ending = expected === parquet ? 'parquet' : 'arrows'
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="Accommodation.${ending}"`,
    )
    const { rows } = (expected === parquet ? readParquetFile : readArrow)(answer.bytes)
    expect(rows.map(({ Id }) => Id)).toEqual(['A2', 'A1', 'A4'])
    const { etag } = answer.headers
    const again = { ...headers, 'if-none-match': String(etag) }
    expect((await get(`/v1/Accommodation${query}`, again)).status).toBe(304)
  })

  it('have the same columns for a page, a stream, a record and an empty list', async () => {
    const page = readParquetFile((await get('/v1/Tag?format=parquet&pagesize=7')).bytes)
    const stream = readParquetFile((await get('/v1/Tag?format=parquet&stream=true')).bytes)
    const one = readParquetFile((await get('/v1/Tag/tag 449?format=parquet')).bytes)
    const none = readArrow((await get('/v1/Tag?format=arrow&pagenumber=900')).bytes)
    for (const { names } of [page, one, none]) expect(names).toEqual(stream.names)
    expect([page, stream, one, none].map(({ rows }) => rows.length)).toEqual([7, 450, 1, 0])
    const order = (await get('/v1/Tag?getasidarray=true')).json()
    expect(stream.rows.map(({ Id }) => Id)).toEqual(order)
    expect(one.rows[0]).toMatchObject({
      ...{ 'TagName.de': 'Schlagwort 449', _Other: '{"OnlyTheLastHasThis":449}' },
    })
  })

  it('support filters, sorting, language, fields and removenullvalues', async () => {
    const query = 'rawfilter=eq(Id,"A1")&rawsort=-Id&language=de&fields=AccoDetail.de.Name,Active'
    const { names, rows } = readParquetFile(
      (await get(`/v1/Accommodation?format=parquet&${query}`)).bytes,
    )
    expect(names).toEqual(['Id', 'AccoDetail.de.Name', 'Active', 'geometry', 'bbox', '_Other'])
    expect(rows).toMatchObject([{ Id: 'A1', 'AccoDetail.de.Name': 'Größe', Active: true }])
    const whole = async (more: string) => {
      const { bytes } = await get(`/v1/Accommodation?format=parquet&idlist=A2${more}`)
      return readParquetFile(bytes).rows[0]?.['MainLanguage']
    }
    expect([await whole(''), await whole('&removenullvalues=true')]).toEqual(['', null])
  })

  it('contain closed records and fields only for callers who may see them', async () => {
    for (const [format, read] of [
      ['parquet', readParquetFile],
      ['arrow', readArrow],
    ] as const) {
      // oxfmt-ignore
      const url = `/v1/Accommodation?format=${format}`
      const open = read((await get(url)).bytes)
      expect(open.names.filter((name) => name.startsWith('AccoRoomInfo'))).toEqual([])
      expect(JSON.stringify(open.rows)).not.toMatch(/A3|"room/)
      const asked = read((await get(`${url}&fields=AccoRoomInfo`)).bytes)
      expect(asked.rows.map(({ AccoRoomInfo }) => AccoRoomInfo)).toEqual([null, null, null])
      const all = read((await get(url, { authorization: 'Bearer closed' })).bytes)
      expect(all.rows.map(({ Id }) => Id)).toContain('A3')
      expect(all.rows.find(({ Id }) => Id === 'A4')).toMatchObject({
        AccoRoomInfo: '[{"Id":"room"}]',
      })
    }
  })

  it('are read by DuckDB with the types of the schema', async () => {
    const { bytes } = await get('/v1/Accommodation?format=geoparquet')
    expect(
      await queryParquet(bytes, 'select column_name, column_type from (describe file)'),
    ).toEqual(
      expect.arrayContaining([
        { column_name: 'Active', column_type: 'BOOLEAN' },
        { column_name: 'Shortname', column_type: 'VARCHAR' },
        { column_name: 'AccoOverview.TotalRooms', column_type: 'DOUBLE' },
        { column_name: 'LastChange', column_type: 'TIMESTAMP WITH TIME ZONE' },
        { column_name: 'TagIds', column_type: 'JSON' },
        { column_name: 'geometry', column_type: "GEOMETRY('OGC:CRS84')" },
        {
          column_name: 'bbox',
          column_type: 'STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)',
        },
      ]),
    )
    const close = 'bbox.xmin between 11 and 12 and bbox.ymax < 47'
    expect(
      await queryParquet(
        bytes,
        `select Id, Shortname, TagIds->>1 as tag, epoch(LastChange) as changed from file where ${close}`,
      ),
    ).toEqual([
      { Id: 'A1', Shortname: oddName, tag: 'y', changed: Date.UTC(2026, 10, 20, 10) / 1000 },
    ])
  })

  it('have geometries that match those in GeoJSON when read by PostGIS', async () => {
    const { features } = (await get('/v1/GeoShapes?format=geojson')).json()
    for (const [format, read] of [
      ['parquet', readParquetFile],
      ['arrow', readArrow],
    ] as const) {
      // oxfmt-ignore
      const { rows } = read((await get(`/v1/GeoShapes?format=${format}`)).bytes)
      const found = await Promise.all(
        rows.map(async ({ Id, geometry }) => [Id, await geometryOf(geometry)]),
      )
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          features.map((feature: { id: string; geometry: object }) => [
            feature.id,
            feature.geometry,
          ]),
        ),
      )
      expect(rows.map(({ _Other }) => _Other)).toEqual(rows.map(() => null))
    }
  })

  async function geometryOf(wkb: unknown): Promise<unknown> {
    if (!(wkb instanceof Uint8Array)) return wkb
    const [row] = await database().texts(sql`
      select st_asgeojson(st_geomfromwkb(decode(${Buffer.from(wkb).toString('hex')}, 'hex')), 15)`)
    return JSON.parse(row?.[0] ?? 'null')
  }

  it('are described by GeoParquet 1.1 metadata', async () => {
    const { bytes } = await get('/v1/GeoShapes?format=parquet')
    const [row] = await queryParquet(
      bytes,
      `select decode(value) as geo from parquet_kv_metadata('$path') where decode(key) = 'geo'`,
    )
    const geo: unknown = JSON.parse(String(row?.['geo']))
    expect(Check(geoParquet, geo)).toBe(true)
    expect(geo).toEqual({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          encoding: 'WKB',
          geometry_types: ['GeometryCollection', 'LineString', 'MultiPolygon', 'Point Z'],
          bbox: [0, 0, 12, 47],
          covering: {
            bbox: Object.fromEntries(
              ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => [side, ['bbox', side]]),
            ),
          },
        },
      },
    })
    // A row has a box if and only if it has a geometry. Both are optional, at the root.
    const boxes = '(geometry is null) <> (bbox is null)'
    expect(await queryParquet(bytes, `select Id from file where ${boxes}`)).toEqual([])
    const elements = `select name, type, repetition_type, num_children from parquet_schema('$path')
      where name in ('geometry', 'bbox', 'xmin')`
    expect(await queryParquet(bytes, elements)).toMatchObject([
      { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      { name: 'bbox', repetition_type: 'OPTIONAL', num_children: 4n },
      { name: 'xmin', type: 'DOUBLE', repetition_type: 'REQUIRED' },
    ])
  })

  it('are always in WGS 84', async () => {
    for (const format of ['parquet', 'geoparquet', 'arrow']) {
      const { status, json } = await get(`/v1/GeoShapes?format=${format}&srid=EPSG:32632`)
      expect([status, json().errors?.[0]?.parameter]).toEqual([400, 'srid'])
    }
    const { type } = await get('/v1/GeoShapes?srid=EPSG:32632', { accept: parquet })
    expect(type).toMatch('application/json')
  })
})
