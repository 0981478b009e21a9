import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const square = (x: number, y: number, size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ],
  ],
})
const shapes = [
  {
    Id: '3066',
    Name: 'Bolzano/Bozen',
    Type: 'municipality',
    Country: 'IT',
    Source: 'istat',
    Srid: 'EPSG:4326',
    Geometry: square(11, 46, 1),
  },
  // The same place in metres, which may be pushed too.
  {
    Id: '41_istat',
    Name: 'Bolzano',
    Type: 'province',
    Country: 'IT',
    Srid: 'EPSG:32632',
    Geometry: { type: 'Point', coordinates: [500000, 5000000] },
  },
  {
    Id: 'far',
    Name: 'Far',
    Type: 'region',
    Country: 'AQ',
    Geometry: { type: 'Point', coordinates: [99, 0] },
  },
  {
    Id: 'odd',
    Name: 'Odd',
    Type: 'region',
    Country: 'IT',
    Geometry: { type: 'Point', coordinates: [] },
  },
]

describeWithDatabase('/v1/GeoShapes', (database) => {
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const idsOf = async (query: string) => {
    const { Items } = (await get(`/v1/GeoShapes?${query}`)).json()
    return Items.map(({ Id }: { readonly Id: string }) => Id).join(' ')
  }
  const store = async (records: readonly ({ Id: string } & Record<string, unknown>)[]) => {
    const entity = entities.find(({ name }) => name === 'GeoShape')
    if (entity === undefined) throw new Error('no GeoShape')
    const received = new Date('2026-11-20T10:00:00Z')
    const write = { entity, records, deletions: [], received, provider: 'demo' }
    await database().transaction((tx) => storeRecords(tx, write))
  }

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    await store(shapes)
  })
  afterAll(() => app.close())

  it('returns shapes in WGS 84, regardless of the stored coordinate system', async () => {
    const shape = (await get('/v1/GeoShapes/41_istat')).json()
    expect(shape.Srid).toBe('EPSG:4326')
    expect(shape.Geometry.coordinates[0]).toBeCloseTo(9, 8)
    expect(shape.Geometry.coordinates[1]).toBeCloseTo(45.1535, 3)
    const { Items } = (await get('/v1/GeoShapes?idlist=41_istat,3066')).json()
    expect(Items).toHaveLength(2)
    for (const item of Items) expect(item.Srid).toBe('EPSG:4326')
    expect(Items[0].Geometry).toEqual(square(11, 46, 1))
  })

  it.each(['EPSG:32632', '32632', 'epsg::32632', 'urn:ogc:def:crs:EPSG::32632'])(
    'returns shapes in UTM 32N for srid=%s',
    async (srid) => {
      const shape = (await get(`/v1/GeoShapes/41_istat?srid=${srid}`)).json()
      const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::32632' } }
      const geometry = { ...shapes[1]?.Geometry, crs }
      expect([shape.Srid, shape.Geometry]).toEqual(['EPSG:32632', geometry])
      const [item] = (await get(`/v1/GeoShapes?idlist=3066&srid=${srid}`)).json().Items
      expect(item.Srid).toBe('EPSG:32632')
      const [x, y] = item.Geometry.coordinates[0][0]
      expect([Math.round(x / 1000), Math.round(y / 1000)]).toEqual([655, 5096])
      expect(String(x)).toMatch(/^\d+(\.\d{1,3})?$/)
    },
  )

  it.each(['EPSG:3857', 'WebMercator'])('returns shapes in Mercator for srid=%s', async (srid) => {
    const shape = (await get(`/v1/GeoShapes/3066?srid=${srid}`)).json()
    expect([shape.Srid, shape.Geometry.coordinates[0][0][0]]).toEqual(['EPSG:3857', 1224514.399])
  })

  it('returns shapes in other EPSG systems, and refuses unknown ones', async () => {
    expect((await get('/v1/GeoShapes/3066?srid=EPSG:25832')).json().Srid).toBe('EPSG:25832')
    expect((await get('/v1/GeoShapes/3066?srid=wgs84')).json().Geometry).toEqual(square(11, 46, 1))
    for (const srid of ['EPSG:999999', 'utm', 'EPSG:', '3857&format=geojson']) {
      const response = await get(`/v1/GeoShapes/3066?srid=${srid}`)
      expect([response.statusCode, response.json().errors[0].parameter]).toEqual([400, 'srid'])
      expect(response.json().detail).toContain('EPSG:4326')
    }
  })

  it('refuses a system that cannot represent a shape, and keeps invalid geometries', async () => {
    const response = await get('/v1/GeoShapes/far?srid=32632')
    expect([response.statusCode, response.json().errorCode]).toEqual([400, 'HUB-QRY-001'])
    const odd = (await get('/v1/GeoShapes/odd?srid=3857')).json()
    expect(odd.Geometry).toMatchObject({ ...shapes[3]?.Geometry })
  })

  it.each([
    '/v1/GeoShapes/3066?',
    '/v1/GeoShapes?idlist=3066&',
    '/v1/GeoShapes?type=municipality&',
  ])('returns GeoJSON at %s in WGS 84 only', async (address) => {
    const headers = { accept: 'application/geo+json, application/json;q=0.5' }
    const typeOf = async (srid: string) => {
      const { body, headers: answered } = await get(`${address}srid=${srid}`, headers)
      return [answered['content-type'], body.includes('"Feature"'), body.includes('"crs"')]
    }
    const geojson = ['application/geo+json; charset=utf-8', true, false]
    expect(await typeOf('')).toEqual(geojson)
    expect(await typeOf('wgs84')).toEqual(geojson)
    const json = ['application/json; charset=utf-8', false, true]
    expect(await typeOf('EPSG:25832')).toEqual(json)
    expect((await get(`${address}srid=utm`, headers)).json().errors[0].parameter).toBe('srid')
  })

  it('has a separate entity tag for each coordinate system', async () => {
    const { etag = '' } = (await get('/v1/GeoShapes/3066')).headers
    const headers = { 'if-none-match': etag }
    expect((await get('/v1/GeoShapes/3066', headers)).statusCode).toBe(304)
    expect((await get('/v1/GeoShapes/3066?srid=3857', headers)).statusCode).toBe(200)
  })

  it('selects fields of the converted shapes', async () => {
    const [item] = (
      await get('/v1/GeoShapes?idlist=41_istat&fields=Srid,Geometry.type&srid=3857')
    ).json().Items
    expect(item).toEqual({ Id: '41_istat', Srid: 'EPSG:3857', 'Geometry.type': 'Point' })
    const named = (await get('/v1/GeoShapes/41_istat?fields=Name')).json()
    expect(named).toEqual({ Id: '41_istat', Name: 'Bolzano' })
  })

  it('finds a shape by its own name, and shapes in a drawn area', async () => {
    const polygon = (text: string) => idsOf(`polygon=${encodeURIComponent(text)}`)
    expect(await polygon('it.municipality.Bolzano/Bozen')).toBe('3066')
    expect(await polygon('IT.municipality.3066')).toBe('3066')
    expect(await polygon('41_istat')).toBe('41_istat')
    expect(await polygon('bbi(11.5 46.5,11.6 46.6)')).toBe('3066')
    expect(await polygon('bbc(8 45,13 48)')).toBe('3066 41_istat')
    expect(await polygon('POINT(11.5 46.5)')).toBe('3066')
    expect((await get('/v1/GeoShapes?polygon=it.municipality.None')).statusCode).toBe(400)
  })

  it('finds shapes that intersect a circle, nearest first, and ignores near', async () => {
    expect(await idsOf('latitude=46.5&longitude=11.5&radius=1000')).toBe('3066')
    expect(await idsOf('latitude=45.2&longitude=9.1&radius=300000')).toBe('41_istat 3066')
    expect(await idsOf('latitude=50&longitude=11.5&radius=1000')).toBe('')
    const { headers } = await get('/v1/GeoShapes?near=*')
    expect(headers['x-ignored-parameters']).toBe('near')
  })

  it('finds shapes by source, type, id or part of the name, sorted by type and name', async () => {
    expect(await idsOf('source=ISTAT')).toBe('3066')
    expect(await idsOf('type=province,Municipality')).toBe('3066 41_istat')
    expect(await idsOf('idlist=far')).toBe('far')
    expect(await idsOf('searchfilter=bozen')).toBe('3066')
    expect(await idsOf('')).toBe('3066 41_istat far odd')
  })

  it('is also served at /v1/GeoShape, which is not deprecated', async () => {
    const [alias, own] = [
      await get('/v1/GeoShape?type=region'),
      await get('/v1/GeoShapes?type=region'),
    ]
    expect(alias.json()).toEqual(own.json())
    const item = await get('/v1/GeoShape/3066')
    expect(item.json()).toEqual((await get('/v1/GeoShapes/3066')).json())
    expect(item.headers).not.toHaveProperty('deprecation')
    const { paths } = (await get('/openapi.json')).json()
    expect(paths['/v1/GeoShape'].get.operationId).toBe('listGeoShapeAtGeoShape')
    expect(paths['/v1/GeoShape/{id}'].get.deprecated).toBeUndefined()
  })
})

describeWithSharedData('the municipalities of a province', () => {
  describeWithDatabase('pushed in one message', (database) => {
    const hub = usePushingHub(database)

    it('are stored, and returned in every coordinate system', async () => {
      const collection: { features?: readonly Record<string, unknown>[] } = Object(
        readShared('data/geoshapes/southtyrol-municipalities-116.geojson'),
      )
      const { features = [] } = collection
      const items = features.map(({ geometry, properties }, index) => ({
        Id: `m${String(index)}`,
        Name: String(Object(properties).name),
        Type: 'municipality',
        Country: 'IT',
        Source: 'openpolis',
        Geometry: geometry,
      }))
      const body = JSON.stringify({ kind: 'content', entity: 'GeoShape', items })
      const receipt = await hub.push(body)
      expect(receipt).toMatchObject({ state: 'visible', stored: 116, rejected: [] })
      for (const srid of ['4326', '3857', '32632']) {
        const page = await hub.ask({ url: `/v1/GeoShapes?pagesize=200&srid=${srid}` })
        const { TotalResults, Items } = page.json()
        expect([TotalResults, Items.length]).toEqual([116, 116])
        for (const item of Items) expect(item.Srid).toBe(`EPSG:${srid}`)
      }
    })
  })
})
