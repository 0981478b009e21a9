import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import type { ContentWrite } from '../../src/content/index.ts'
import { filtersOf } from '../../src/content/filters/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'), 'compatible')
const received = new Date('2026-11-21T10:00:00.000Z')

type Row = { readonly Id: string; readonly Bitmask: number; readonly Type: string }

/** Bitmask filters, each with the list and type of the rows that explain its bits. */
const masks = [
  ['Accommodation', 'typefilter', 'AccommodationTypes', 'Type'],
  ['Accommodation', 'categoryfilter', 'AccommodationTypes', 'Category'],
  ['Accommodation', 'boardfilter', 'AccommodationTypes', 'Board'],
  ['Accommodation', 'featurefilter', 'AccommodationFeatures', 'SpecialFeature'],
  ['Accommodation', 'themefilter', 'AccommodationTypes', 'Theme'],
  ['Accommodation', 'badgefilter', 'AccommodationTypes', 'Badge'],
  ['HubActivityPoi', 'type', 'HubActivityPoiTypes', 'Type'],
  ['HubActivityPoi', 'activitytype', 'HubActivityPoiTypes', 'Activity'],
  ['HubActivityPoi', 'poitype', 'HubActivityPoiTypes', 'Poi'],
  ['Article', 'articletype', 'ArticleTypes', 'Type'],
] as const

describeWithDatabase('type lists', (database) => {
  let app: FastifyInstance
  let compatible: FastifyInstance
  const open = (profile: 'strict' | 'compatible', prefix = 'Hub') =>
    createTestApp(
      contentRoutes({
        database: database(),
        entities: entitiesOf(toNaming(prefix), profile),
        publicUrl,
        visibilityOf,
        profile,
      }),
    )
  const store = async (name: string, records: ContentWrite['records']) => {
    const entity = entities.find((one) => one.name === name)
    if (entity === undefined) throw new Error(`no entity ${name}`)
    const write = { entity, records, deletions: [], received, provider: 'demo' }
    await database().transaction((tx) => storeRecords(tx, write))
  }
  const rowsOf = async (url: string): Promise<readonly Row[]> => {
    const response = await compatible.inject(url)
    expect([url, response.statusCode, response.body]).toEqual([url, 200, response.body])
    return response.json()
  }

  beforeAll(async () => {
    app = await open('strict')
    compatible = await open('compatible')
    await store('Tag', [
      {
        Id: 'T1',
        TagName: { de: 'Familie', en: 'Family' },
        Types: ['eventtopic', 'eventcategory'],
      },
      {
        Id: 'T2',
        TagName: { de: 'Geheim' },
        Types: ['eventtopic'],
        LicenseInfo: { ClosedData: true },
      },
      { Id: 'VEN1', TagName: { en: 'Old walls' }, Types: ['venuecategory'] },
      { Id: 'digital', TagName: { en: 'Digital' }, Types: ['TechnologyFields'] },
      { Id: 'openday', TagName: { en: 'Open day' }, Types: ['customtagging'] },
      { Id: 'VEGAN', TagName: { en: 'Vegan' }, Types: ['accommodationoption'] },
    ])
  })
  afterAll(() => Promise.all([app.close(), compatible.close()]))

  it.each(masks)(
    '%s: %s accepts the bits that %s lists for %s',
    async (name, parameter, list, type) => {
      const rows = await rowsOf(`/v1/${list}?type=${type}`)
      expect(rows.map(({ Bitmask }) => Bitmask)).toEqual(rows.map((_, bit) => 2 ** bit))
      expect(new Set(rows.map(({ Id }) => Id)).size).toBe(rows.length)
      const entity = entities.find((one) => one.name === name)
      const filter = entity && filtersOf(entity).find((one) => one.name === parameter)
      const description: unknown = Reflect.get(filter?.parameters[0]?.schema ?? {}, 'description')
      for (const { Id, Bitmask } of rows) expect(description).toContain(`${String(Bitmask)} ${Id}`)
      const sum = rows.reduce((total, { Bitmask }) => total + Bitmask, 0)
      const ask = (mask: number) => app.inject(`/v1/${name}?${parameter}=${String(mask)}`)
      expect((await ask(sum)).statusCode).toBe(200)
      expect((await ask(sum + 1)).statusCode).toBe(400)
    },
  )

  it('have names in three languages, of which one may be requested', async () => {
    const [row] = await rowsOf('/v1/AccommodationTypes?type=board&idlist=BREAKFAST')
    expect(row).toEqual({
      Id: 'breakfast',
      Bitmask: 2,
      Type: 'Board',
      Parent: null,
      Key: 'breakfast',
      TypeDesc: { de: 'Frühstück', it: 'Prima colazione', en: 'Breakfast' },
      Self: `${publicUrl}/v1/AccommodationTypes/breakfast`,
    })
    const [italian] = await rowsOf('/v1/AccommodationTypes?type=Board&idlist=breakfast&language=it')
    expect(italian).toMatchObject({ TypeDesc: { it: 'Prima colazione' } })
    const [flat] = await rowsOf('/v1/HubActivityPoiTypes?fields=TypeDesc.de&idlist=winter')
    expect(flat).toEqual({ Id: 'winter', 'TypeDesc.de': 'Winter' })
    const [short] = await rowsOf('/v1/ArticleTypes?removenullvalues=true')
    expect(short).not.toHaveProperty('Parent')
  })

  it('are searched regardless of accents', async () => {
    const rows = await rowsOf('/v1/AccommodationTypes?type=Board&searchfilter=fruhst')
    expect(rows.map(({ Id }) => Id)).toEqual(['breakfast'])
    expect(
      await rowsOf('/v1/AccommodationTypes?searchfilter=breakfast&language=de&type=Theme'),
    ).toEqual([])
  })

  it.each([
    ['EventTopics', [['T1', 'EventTopic']]],
    ['VenueTypes', [['VEN1', 'Category']]],
    [
      'EventShortTypes?type=technologyfields,CustomTagging',
      [
        ['digital', 'TechnologyFields'],
        ['openday', 'CustomTagging'],
      ],
    ],
    ['AccommodationFeatures?type=Feature', [['VEGAN', 'Feature']]],
  ])('contain the open tags: %s', async (path, expected) => {
    const rows = await rowsOf(`/v1/${path}`)
    expect(rows.map(({ Id, Type }) => [Id, Type])).toEqual(expected)
    expect(rows.every(({ Bitmask }) => Bitmask === 0)).toBe(true)
  })

  it('contain closed tags for callers who may see them', async () => {
    const headers = { authorization: 'Bearer closed' }
    const rows: Row[] = (await compatible.inject({ url: '/v1/EventTopics', headers })).json()
    expect(rows.map(({ Id }) => Id)).toEqual(['T1', 'T2'])
    const { headers: told } = await compatible.inject('/v1/EventTopics')
    expect(told['x-withheld']).toBe('records;reason=no-token')
    expect((await compatible.inject('/v1/EventTopics/T2')).statusCode).toBe(404)
    expect((await compatible.inject({ url: '/v1/EventTopics/t2', headers })).statusCode).toBe(200)
  })

  it('are in an envelope, in the compatible profile only if a page is requested', async () => {
    const page = (await app.inject('/v1/ArticleTypes?pagesize=3&pagenumber=2')).json()
    expect(page).toMatchObject({ TotalResults: 11, TotalPages: 4, CurrentPage: 2, Seed: null })
    expect(page.NextPage).toContain('pagenumber=3')
    expect(page.Items.map(({ Bitmask }: Row) => Bitmask)).toEqual([8, 16, 32])
    expect((await app.inject('/v1/ArticleTypes')).json().Items).toHaveLength(10)
    const same = (await compatible.inject('/v1/ArticleTypes?pagesize=3&pagenumber=2')).json()
    expect(same.Items).toEqual(page.Items)
    const all = (await compatible.inject('/v1/ArticleTypes?pagesize=-1&pagenumber=1')).json()
    expect([all.Items.length, all.TotalPages]).toEqual([11, 1])
    expect((await app.inject('/v1/ArticleTypes?pagenumber=9')).json().Items).toEqual([])
  })

  it('have pages of at most 1000, and refuse larger ones under strict handling', async () => {
    const url = '/v1/ArticleTypes?pagesize=1001&pagenumber=1'
    const headers = { prefer: 'handling=strict' }
    const { statusCode, body } = await app.inject({ url, headers })
    expect([statusCode, body]).toEqual([400, expect.stringContaining('would be clamped to 1000')])
    expect((await app.inject(url)).json().Items).toHaveLength(11)
    expect((await compatible.inject({ url, headers })).json().Items).toHaveLength(11)
  })

  it('return one row, 304 if it is unchanged, and 404 if it does not exist', async () => {
    const url = `/v1/HubActivityPoiTypes/${encodeURIComponent('Ärzte, Apotheken')}`
    const found = await app.inject(url)
    expect(found.json()).toMatchObject({ Id: 'ärzte, apotheken', Bitmask: 1, Type: 'Poi' })
    const again = await app.inject({
      url,
      headers: { 'if-none-match': String(found.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await app.inject('/v1/HubActivityPoiTypes/nothing')).statusCode).toBe(404)
  })

  it('are the targets of links in records', async () => {
    await store('Accommodation', [{ Id: 'H', BoardIds: ['half board'], AccoCategoryId: '4sstars' }])
    const { AccoBoards, AccoCategory } = (await app.inject('/v1/Accommodation/H')).json()
    for (const { Self } of [AccoBoards[0], AccoCategory]) {
      expect((await app.inject(String(Self).replace(publicUrl, ''))).statusCode).toBe(200)
    }
  })

  it('have the prefix of the deployment in their name', async () => {
    const other = await open('strict', 'ODH')
    expect((await other.inject('/v1/ODHActivityPoiTypes')).json().TotalResults).toBe(29)
    await other.close()
  })

  it.each([
    ['/v1/AccommodationTypes?type=Boards', 'type'],
    ['/v1/EventTopics?type=Board', 'type'],
    ['/v1/ArticleTypes?language=english', 'language'],
    ['/v1/ArticleTypes?pagenumber=0', 'pagenumber'],
    ['/v1/ArticleTypes?pagesize=0', 'pagesize'],
    ['/v1/ArticleTypes?fields=A..b', 'fields'],
    ['/v1/ArticleTypes?removenullvalues=x', 'removenullvalues'],
    [`/v1/ArticleTypes?searchfilter=${'x'.repeat(501)}`, 'searchfilter'],
    ['/v1/ArticleTypes?searchfilter=%20', 'searchfilter'],
    ['/v1/ArticleTypes?searchfilter=%CC%81', 'searchfilter'],
    ['/v1/ArticleTypes/newsfeednoi?fields=A..b', 'fields'],
  ])('refuse %s', async (url, parameter) => {
    const response = await app.inject(url)
    expect([url, response.statusCode]).toEqual([url, 400])
    expect(response.json()).toMatchObject({ errors: [{ parameter }] })
  })
})
