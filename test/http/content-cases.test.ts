import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

// Requests of the public system's own tests of its lists (reference content.md, sections 11.2 to
// 11.8).

const entities = entitiesOf(toNaming('Hub'))
const categories = ['1star', '1flower', '1sun', '3stars', '3flowers', '3suns', '4stars']
const town = '5228229651CA11D18F1400A02427D15E'

const houses = Array.from({ length: 42 }, (_, index) => ({
  Id: `H${String(index).padStart(2, '0')}`,
  Shortname: `House ${String(index % 5)}`,
  AccoCategoryId: categories[index % categories.length],
  AccoTypeId: index % 2 === 0 ? 'HotelPension' : 'Farm',
  AccoProperties: { HasApartment: index % 3 === 0 },
  AccoDetail: { de: { Name: `Haus ${String(index)}` }, en: { Name: `House ${String(index)}` } },
  Detail: { de: { Title: 'Titel' } },
  ImageGallery: [{ ImageUrl: 'one' }, { ImageUrl: 'two' }],
  Features: [{ Name: 'garden' }, { Name: 'sauna' }],
  Mapping: { 'tirol.mapservices.eu': { id: '7' } },
  GpsInfo: [{ Gpstype: 'position', Longitude: 11 + index / 100, Latitude: 46.5 }],
}))

const pois = Array.from({ length: 12 }, (_, index) => ({
  Id: `smgpoi${String(index)}`,
  Type: 'Berg',
  SmgTags: ['berg', 'sommer'],
  Active: true,
  SmgActive: true,
  Detail: { de: { Title: `Berg ${String(index)}` } },
  GpsInfo: [{ Gpstype: 'position', Longitude: 11, Latitude: 46.5 }],
  LocationInfo: { TvInfo: { Id: town } },
}))

const tags = [
  { Id: 't1', Shortname: 'one', ValidForEntity: ['poi'], TagName: { de: 'eins', en: 'one' } },
  { Id: 't2', Shortname: 'two', ValidForEntity: ['poi'], TagName: { en: 'two' } },
]

const nulls =
  'subtype=null&idlist=null&locfilter=null&areafilter=null&distancefilter=null&altitudefilter=null&' +
  'durationfilter=null&highlight=null&difficultyfilter=null&active=null&odhactive=null&' +
  'odhtagfilter=null&seed=null'

describeWithDatabase('the content service, like the public system,', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    for (const [name, records] of Object.entries({
      Accommodation: houses,
      HubActivityPoi: pois,
      Tag: tags,
    })) {
      const entity = entities.find((one) => one.name === name)
      if (entity === undefined) throw new Error(name)
      const received = new Date('2026-11-20T10:00:00Z')
      const write = { entity, records, deletions: [], received, provider: 'demo' }
      await database().transaction((tx) => storeRecords(tx, write))
    }
  })
  afterAll(() => app.close())

  async function list(url: string) {
    const response = await app.inject({ url })
    expect([url, response.statusCode, response.headers['content-type']]).toEqual([
      url,
      200,
      'application/json; charset=utf-8',
    ])
    return response.json()
  }
  const idsOf = async (url: string): Promise<readonly string[]> => {
    const { Items } = await list(url)
    return Items.map(({ Id }: { readonly Id: string }) => Id)
  }

  describe('fields', () => {
    const mapping = "Mapping['tirol.mapservices.eu']"
    const images = [{ ImageUrl: 'one' }, { ImageUrl: 'two' }]

    it.each<readonly [string, object]>([
      ['ImageGallery.[]', { 'ImageGallery.[]': images }],
      ['ImageGallery.[*]', { 'ImageGallery.[*]': images }],
      ['ImageGallery.[0]', { 'ImageGallery.[0]': images[0] }],
      [mapping, { [mapping]: { id: '7' } }],
      [
        `ImageGallery.[0],ImageGallery.[*],${mapping},Detail.de.Title`,
        {
          'ImageGallery.[0]': images[0],
          'ImageGallery.[*]': images,
          [mapping]: { id: '7' },
          'Detail.de.Title': 'Titel',
        },
      ],
      ['NonExistentField', { NonExistentField: null }],
      [
        'AccoDetail.de.Name,Features[*].Name,HgvId,Test',
        {
          'AccoDetail.de.Name': 'Haus 0',
          'Features[*].Name': ['garden', 'sauna'],
          HgvId: null,
          Test: null,
        },
      ],
    ])('returns for %s fields of that name', async (fields, wanted) => {
      const asked = `pagesize=20&pagenumber=1&fields=${encodeURIComponent(fields)}`
      const { Items, ...envelope } = await list(`/v1/Accommodation?${asked}`)
      expect(envelope).toMatchObject({ TotalResults: 42, TotalPages: 3, CurrentPage: 1 })
      expect(Items).toHaveLength(20)
      expect(Items[0]).toEqual({ Id: 'H00', ...wanted })
    })
  })

  it.each([
    '',
    'pagesize=1',
    'activitytype=12',
    'activitytype=1023',
    'language=de',
    'language=en',
    `pagenumber=1&pagesize=10&activitytype=11&locfilter=tvs${town}&odhactive=true&active=true&seed=null`,
    'pagenumber=1&pagesize=10&activitytype=511&seed=null',
    `pagenumber=1&pagesize=20&activitytype=Berg&${nulls}`,
  ])('lists activities for the query "%s"', async (query) => {
    // Bits 4 and 8 are not mountains.
    const total = query === 'activitytype=12' ? 0 : 12
    const { Items, ...envelope } = await list(`/v1/HubActivityPoi?${query}`)
    expect(envelope).toMatchObject({ TotalResults: total, CurrentPage: 1, Seed: null })
    expect(Items.length > 0).toBe(total > 0)
  })

  it('finds an activity in any letter case, and returns 404 if it does not exist', async () => {
    expect(await list('/v1/HubActivityPoi/SMGPOI3')).toMatchObject({
      Id: 'smgpoi3',
      Active: true,
      Detail: { de: { Title: 'Berg 3' } },
      HasLanguage: ['de'],
    })
    const absent = '/v1/HubActivityPoi/smgpoi878883A95FF002AA246B5B99DA5BB9D7'
    expect((await app.inject({ url: absent })).statusCode).toBe(404)
  })

  it.each([1, 5, 10, 0])('pages a list shuffled by seed %i without overlap', async (seed) => {
    const first = await list(`/v1/Accommodation?seed=${String(seed)}&pagesize=10`)
    const shown = String(first.Seed)
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) =>
        idsOf(`/v1/Accommodation?seed=${shown}&pagesize=10&pagenumber=${String(page)}`),
      ),
    )
    const seen = pages.flat()
    expect(pages[0]).toEqual(first.Items.map(({ Id }: { readonly Id: string }) => Id))
    expect([...seen].sort()).toEqual(houses.map(({ Id }) => Id))
    expect(seen).toEqual(await idsOf(`/v1/Accommodation?seed=${shown}&pagesize=100`))
    expect(seen).not.toEqual(houses.map(({ Id }) => Id))
  })

  it('shuffles differently for every seed, but not if sorted by distance', async () => {
    const seeds = Array.from({ length: 10 }, (_, index) => String(index + 1))
    const orders = await Promise.all(seeds.map((seed) => idsOf(`/v1/Accommodation?seed=${seed}`)))
    expect(new Set(orders.map(String)).size).toBe(10)
    const near = await list('/v1/Accommodation?seed=3&latitude=46.5&longitude=10')
    expect(near.Seed).toBeNull()
    expect(near.Items[0]).toMatchObject({ Id: 'H00' })
  })

  it.each<readonly [string, (house: (typeof houses)[number]) => boolean]>([
    [
      'categoryfilter=14',
      ({ AccoCategoryId }) => ['1star', '1flower', '1sun'].includes(AccoCategoryId ?? ''),
    ],
    ['categoryfilter=1920', ({ AccoCategoryId }) => (AccoCategoryId ?? '').startsWith('3')],
    ['typefilter=64', ({ AccoProperties }) => AccoProperties.HasApartment],
    [
      'typefilter=65',
      ({ AccoProperties, AccoTypeId }) =>
        AccoProperties.HasApartment || AccoTypeId === 'HotelPension',
    ],
  ])('reads %s as a combination of bits', async (query, isWanted) => {
    const found = await idsOf(`/v1/Accommodation?${query}&pagesize=100`)
    const wanted = houses.filter(isWanted).map(({ Id }) => Id)
    expect(wanted).not.toHaveLength(0)
    expect([...found].sort()).toEqual(wanted)
  })

  it.each(['categoryfilter', 'typefilter', 'boardfilter', 'themefilter', 'badgefilter'])(
    'refuses undefined bits of %s, and lists the defined ones',
    async (name) => {
      const response = await app.inject({ url: `/v1/Accommodation?${name}=${String(2 ** 30)}` })
      expect(response.statusCode).toBe(400)
      const [{ parameter, expected }] = response.json().errors
      expect(parameter).toBe(name)
      expect(expected.length).toBeGreaterThan(2)
    },
  )

  it('returns tags in one language, with an empty TagName if they have none in it', async () => {
    const { Items } = await list('/v1/Tag?language=de')
    expect(Items).toMatchObject([
      { Id: 't1', Shortname: 'one', ValidForEntity: ['poi'], TagName: { de: 'eins' } },
      { Id: 't2', TagName: {} },
    ])
    expect(Items[0].TagName).toEqual({ de: 'eins' })
    expect(Items[1].TagName).toEqual({})
  })

  it('returns large integers without losing digits', async () => {
    const digits = '90071992547409931234567890'
    await database().execute(sql`
      update content.accommodation
      set data = data || jsonb_build_object('Large', ${digits}::numeric) where id = 'H07'`)
    for (const asked of ['', '?language=de', '?fields=Large', '?format=ndjson']) {
      const { body } = await app.inject({ url: `/v1/Accommodation/H07${asked}` })
      expect([asked, body]).toEqual([asked, expect.stringContaining(digits)])
    }
    const { body } = await app.inject({ url: '/v1/Accommodation?idfilter=H07&language=en' })
    expect(body).toContain(digits)
  })
})
