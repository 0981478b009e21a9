import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { houses } from '../fixtures/houses.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const polygon = (text: string) => `polygon=${encodeURIComponent(text)}`

const at = (Id: string, Longitude: number) => ({
  Id,
  GpsInfo: [{ Gpstype: 'position', Longitude, Latitude: -17 }],
})

/** Venues on either side of the antimeridian, and one a thousand kilometres to the east. */
const venues = [at('west', 179.9), at('east', -179.9), at('far', -170)]

describeWithDatabase('geographic filters', (database) => {
  let app: FastifyInstance
  const get = (url: string) => app.inject({ url })
  const idsOf = async (list: string, query: string): Promise<readonly string[]> => {
    const { Items } = (await get(`/v1/${list}?${query}`)).json()
    return Items.map(({ Id }: { readonly Id: string }) => Id)
  }

  const houseIds = async (query: string) => (await idsOf('Accommodation', query)).join('')

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    for (const [name, records] of Object.entries({ Accommodation: houses, Venue: venues })) {
      const entity = entities.find((one) => one.name === name)
      if (entity === undefined) throw new Error(name)
      const received = new Date('2026-11-20T10:00:00Z')
      const write = { entity, records, deletions: [], received, provider: 'demo' }
      await database().transaction((tx) => storeRecords(tx, write))
    }
  })
  afterAll(() => app.close())

  it('match records within a circle to the metre, nearest first', async () => {
    const rows = await database().texts(sql`
      select floor(st_distance(st_point(11, 46.5)::geography, st_point(11.1, 46.5)::geography))`)
    const metres = Number(rows[0]?.[0])
    const within = (radius: number) => `latitude=46.5&longitude=11&radius=${String(radius)}`
    expect(await houseIds(within(1))).toBe('A')
    expect(await houseIds(within(metres))).toBe('A')
    expect(await houseIds(within(metres + 1))).toBe('AB')
    expect(await houseIds(within(20_037_508))).toBe('ABCD')
    expect(await houseIds('latitude=90&longitude=0&radius=20037508')).toHaveLength(4)
  })

  it('match records across the antimeridian, by circle and by box', async () => {
    expect(await idsOf('Venue', 'latitude=-17&longitude=179.95&radius=50000')).toEqual([
      'west',
      'east',
    ])
    expect(await idsOf('Venue', polygon('bbi(179 -18,-179 -16)'))).toEqual(['east', 'west'])
    expect(await idsOf('Venue', polygon('bbc(179,-18,-179,-16)'))).toEqual(['east', 'west'])
    expect(await idsOf('Venue', polygon('bbi(-179 -18,-169 -16)'))).toEqual(['far'])
  })

  it('refuse an unknown coordinate system, and list available ones', async () => {
    const response = await get(`/v1/Accommodation?${polygon('POINT(1 1);SRID=999999')}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toContain('no coordinate system 999999')
    expect(response.json().hint).toContain('4326')
    expect(response.json().errors[0].expected).not.toHaveLength(0)
  })
})
