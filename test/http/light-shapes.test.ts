import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  contentRoutes,
  entitiesOf,
  storeRecords,
  toNaming,
  viewsOf,
} from '../../src/content/index.ts'
import { storeEvents } from '../../src/timeseries/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const naming = toNaming('Hub')
const entities = [...entitiesOf(naming), ...viewsOf(naming)]
const received = new Date('2026-11-20T10:00:00Z')

/** A circle of some ten kilometres, with one vertex per degree. */
const circle = Array.from({ length: 361 }, (_, degree) => {
  const angle = ((degree % 360) * Math.PI) / 180
  return [11 + 0.1 * Math.cos(angle), 46.5 + 0.1 * Math.sin(angle)]
})

describeWithDatabase('Shapes for maps', (database) => {
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    const entity = entities.find(({ name }) => name === 'GeoShape')
    if (entity === undefined) throw new Error('no GeoShape')
    const records = [
      {
        Id: 'circle',
        Name: 'Circle',
        Type: 'region',
        Geometry: { type: 'Polygon', coordinates: [circle] },
      },
      { Id: 'odd', Name: 'Odd', Type: 'region', Geometry: { type: 'Point', coordinates: [] } },
    ]
    const line = {
      type: 'LineString',
      coordinates: [
        [11, 46],
        [11.5, 46.25],
        [12, 46.5],
      ],
    }
    await database().transaction(async (tx) => {
      await storeRecords(tx, { entity, records, deletions: [], received, provider: 'demo' })
      await storeEvents(tx, {
        ...{ origin: 'ROADS', received },
        items: [
          { uuid: 'line', name: 'line', start: '2026-11-20T09:00:00Z', geometry: line },
          { uuid: 'nowhere', name: 'nowhere', start: '2026-11-20T09:00:00Z' },
        ],
      })
    })
  })
  afterAll(() => app.close())

  const ringOf = async (query: string) => {
    const answer = await get(`/v1/GeoShapes/circle?fields=Geometry${query}`)
    return answer.json<{ Geometry: { coordinates: readonly (readonly number[][])[] } }>().Geometry
      .coordinates[0]
  }

  it('have fewer points with a larger tolerance, and stay closed', async () => {
    const whole = await ringOf('')
    const light = await ringOf('&simplify=50')
    const lighter = await ringOf('&simplify=1000')
    expect(whole).toHaveLength(361)
    expect(light?.length).toBeLessThan(100)
    expect(lighter?.length).toBeLessThan(light?.length ?? 0)
    expect(lighter?.length).toBeGreaterThan(4)
    expect(light?.[0]).toEqual(light?.at(-1))
    for (const [x = 0, y = 0] of light ?? []) {
      expect(Math.hypot(x - 11, y - 46.5)).toBeCloseTo(0.1, 3)
      expect(String(x).length).toBeLessThan(9)
    }
  })

  it('are simplified in every format and in lists, with a separate entity tag', async () => {
    const list = await get('/v1/GeoShapes?simplify=1000&format=geojson')
    const whole = await get('/v1/GeoShapes?format=geojson')
    expect(list.body.length).toBeLessThan(whole.body.length / 5)
    expect(list.headers['etag']).not.toBe(whole.headers['etag'])
    const [one, other] = [
      await get('/v1/GeoShapes/circle?simplify=1000'),
      await get('/v1/GeoShapes/circle'),
    ]
    expect(one.headers['etag']).not.toBe(other.headers['etag'])
    expect(list.json<{ features: unknown[] }>().features).toHaveLength(2)
  })

  it('are simplified in WGS 84 only', async () => {
    const answer = await get('/v1/GeoShapes?simplify=100&srid=EPSG:32632')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errors: [{ parameter: 'simplify' }] })
    expect((await get('/v1/GeoShapes?simplify=100&srid=4326')).statusCode).toBe(200)
  })

  it('are complete in the GeoJSON of announcements', async () => {
    const { features } = (await get('/v1/Announcement?format=geojson')).json<{
      features: readonly { readonly id: string; readonly geometry: unknown }[]
    }>()
    expect(new Map(features.map(({ id, geometry }) => [id, geometry]))).toEqual(
      new Map<string, unknown>([
        [
          'line',
          {
            type: 'LineString',
            coordinates: [
              [11, 46],
              [11.5, 46.25],
              [12, 46.5],
            ],
          },
        ],
        ['nowhere', null],
      ]),
    )
  })
})
