import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { openContent, storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { area, houses, square } from '../fixtures/houses.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))

type Stored = Readonly<Record<string, unknown>> & { readonly Id: string }

const polygon = (text: string) => `polygon=${encodeURIComponent(text)}`
const search = (text: string, rest = '') => `searchfilter=${encodeURIComponent(text)}${rest}`

/** Queries, each with the houses that it finds, in order. */
const found: readonly (readonly [string, string])[] = [
  ['', 'DCBAE'],
  [search('Größe'), 'A'],
  [search('groesse'), 'A'],
  [search('grosse'), 'A'],
  [search('Grösse'), 'A'],
  [search('GROESSE'), 'A'],
  [search('ß'), 'AE'],
  [search('ö'), 'CBA'],
  [search('%'), 'B'],
  [search('_'), 'C'],
  [search('\\'), ''],
  [search('0%'), 'B'],
  [search('göthe'), 'C'],
  [search('goethe'), 'C'],
  [search('el'), 'D'],
  [search('rae'), 'D'],
  [search('жу'), 'E'],
  [search('zz ß'), 'E'],
  [search('e'), 'DCBAE'],
  [search('b'), 'B'],
  [search('B', '&language=en'), 'B'],
  [search('size'), 'A'],
  [search('size', '&language=de'), ''],
  [search('size', '&language=en'), 'A'],
  [search('size', '&langfilter=en,de'), 'A'],
  [search('en', '&language=de'), 'B'],
  [search('us', '&language=de'), 'A'],
  [search('de'), 'B'],
  ['tagfilter=winter', 'BA'],
  ['tagfilter=and(summer,winter)', 'A'],
  ['tagfilter=or(summer,Summer)', 'CA'],
  ['tagfilter=nothing', ''],
  ['hubtagfilter=sommer', 'C'],
  ['odhtagfilter=SOMMER', 'C'],
  ['active=true', 'C'],
  ['active=false', 'D'],
  ['hubactive=true', 'A'],
  ['odhactive=false', 'B'],
  ['source=lts', 'C'],
  ['source=Demo,LTS', 'DCBAE'],
  ['idfilter=a,b', 'BA'],
  ['idlist=c', 'C'],
  ['langfilter=de,EN', 'CA'],
  ['publishedon=TODAY', 'A'],
  ['updatefrom=2026-03-02', 'DCBE'],
  ['updatefrom=2026-03-01', 'DCBAE'],
  ['locfilter=regR1', 'A'],
  ['locfilter=tvst1,fraD1', 'B'],
  ['areafilter=dolomites', 'C'],
  ['areafilter=regR9', 'C'],
  ['areafilter=areAREA1', 'C'],
  ['areafilter=area1', 'C'],
  ['areafilter=Dolo', ''],
  ['typefilter=4', 'CA'],
  ['typefilter=64', 'CB'],
  ['typefilter=68', 'CBA'],
  ['categoryfilter=14', 'A'],
  ['categoryfilter=30720', 'B'],
  ['boardfilter=2', 'A'],
  ['boardfilter=0', 'DCBAE'],
  ['featureidfilter=Wlan1', 'A'],
  ['altitudefilter=999,1500', 'BA'],
  ['altitudefilter=999,1499.9', 'A'],
  ['bookablefilter=true', 'B'],
  ['latitude=46.5&longitude=11.31&radius=10000', 'DC'],
  ['latitude=46.5&longitude=11.0', 'ABCD'],
  ['latitude=46.5&longitude=11.0&rawsort=Id&seed=3', 'ABCD'],
  [polygon('POLYGON((11.05 46.4,11.25 46.4,11.25 46.6,11.05 46.6,11.05 46.4))'), 'CB'],
  [polygon('bbc(11.05 46.4,11.25 46.6)'), 'CB'],
  [polygon('bbi(11.05,46.4,11.25,46.6)'), 'CB'],
  [polygon('bbi(11.1 46.5,11.25 46.6)'), 'CB'],
  [polygon('LINESTRING(11.1 46.4,11.1 46.6)'), 'B'],
  [polygon('POINT(11.2 46.5)'), 'C'],
  [polygon('MULTIPOLYGON(((11.1 46.4,11.25 46.4,11.25 46.7,11.1 46.4)))'), 'C'],
  [polygon('POLYGON((46.4 11.05,46.6 11.05,46.6 11.25,46.4 11.05))'), ''],
  [polygon('shape1'), 'CB'],
  [polygon('it.region.mitte'), 'CB'],
  [polygon('IT.region.shape1'), 'CB'],
  [polygon('bbc(661000 5140000,673000 5165000);SRID=32632'), 'CB'],
  [polygon('POINT(9e19 1);SRID=32632'), '400'],
  [polygon('nothing'), '400'],
  ["rawfilter=eq(Id,'A')", 'A'],
  ['rawsort=-Shortname', 'EABCD'],
  ['rawsort=Shortname', 'DCBAE'],
  ['rawsort=-Id&seed=5', 'EDCBA'],
]

describeWithDatabase('a filtered list', (database) => {
  let app: FastifyInstance
  const store = (name: string, records: readonly Stored[]) => {
    const entity = entities.find((one) => one.name === name)
    if (entity === undefined) throw new Error(name)
    const received = new Date('2026-11-20T10:00:00Z')
    const write = { entity, records, deletions: [], received, provider: 'demo' }
    return database().transaction((tx) => storeRecords(tx, write))
  }
  const get = (url: string) => app.inject({ url })
  const ids = async (query: string) => {
    const response = await get(`/v1/Accommodation?${query}`)
    if (response.statusCode !== 200) return String(response.statusCode)
    const { Items, TotalResults } = response.json()
    expect(TotalResults).toBe(Items.length)
    return Items.map(({ Id }: { Id: string }) => Id).join('')
  }

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    await store('Accommodation', houses)
    await store('Area', [area])
    await store('GeoShape', [square])
  })
  afterAll(() => app.close())

  it.each(found)('returns for %s the accommodations %j', async (query, wanted) => {
    expect(await ids(query)).toBe(wanted)
  })

  it('finds identifiers by a prefix of at least three characters', async () => {
    await store('Event', [{ Id: 'AbCdef-1' }, { Id: 'abc' }, { Id: 'xabc' }])
    const found = async (text: string) => {
      const { Items } = (await get(`/v1/Event?searchfilter=${text}`)).json()
      return Items.map(({ Id }: { Id: string }) => Id)
    }
    expect(await found('abc')).toEqual(['abc'])
    expect(await found('AbC')).toEqual(['AbCdef-1', 'abc'])
    expect(await found('ab')).toEqual([])
    expect(await found('bcd')).toEqual([])
  })

  it('filters like the public system in the compatible profile', async () => {
    const content = { database: database(), entities, publicUrl, visibilityOf }
    const compatible = await createTestApp(contentRoutes({ ...content, profile: 'compatible' }))
    const idsThere = async (query: string) => {
      const { Items } = (await compatible.inject(`/v1/Accommodation?${query}`)).json()
      return Items.map(({ Id }: { Id: string }) => Id).join('')
    }
    expect(await idsThere('altitudefilter=999,1500')).toBe('A')
    expect(await idsThere('typefilter=68')).toBe('C')
    await compatible.close()
  })

  it('keeps the envelope on linked pages in the compatible profile, even for groups', async () => {
    await storeContent(database(), 'Region', [{ Id: 'R1' }, { Id: 'R2' }, { Id: 'R3' }])
    const compatible = await openContent(database(), 'compatible')
    for (const query of ['', '&groupby=Id']) {
      expect((await compatible.inject(`/v1/Region?fields=Id${query}`)).json()).toHaveLength(3)
      const first = await compatible.inject(`/v1/Region?pagenumber=1&pagesize=1${query}`)
      const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(first.headers['link'])) ?? []
      const second = (await compatible.inject(next.slice(publicUrl.length))).json()
      expect(second).toMatchObject({ CurrentPage: 2, TotalPages: 3, Items: [{ Id: 'R2' }] })
    }
    await compatible.close()
  })

  it('accepts the languages of accommodations, and refuses others', async () => {
    const statuses = ['de', 'ru', 'ld', 'es'].map(
      async (language) => (await get(`/v1/Accommodation?language=${language}`)).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 400, 400])
    expect((await get('/v1/Event?language=es')).statusCode).toBe(200)
  })

  it('keeps totals correct when a shape that they depend on changes', async () => {
    expect(await ids(polygon('moving'))).toBe('400')
    await store('GeoShape', [{ ...square, Id: 'moving' }])
    expect(await ids(polygon('moving'))).toBe('CB')
    const [ring = []] = square.Geometry.coordinates
    const coordinates = [ring.map(([x = 0, y = 0]) => [x + 0.1, y])]
    await store('GeoShape', [
      { ...square, Id: 'moving', Geometry: { type: 'Polygon', coordinates } },
    ])
    expect(await ids(polygon('moving'))).toBe('DC')
  })

  it('shuffles the same way for the same seed, but not with a geographic filter', async () => {
    const first = await get('/v1/Accommodation?seed=0')
    const { Seed, Items } = first.json()
    expect(Seed).toMatch(/^([1-9]|10)$/)
    const again = await get(`/v1/Accommodation?seed=${Seed}`)
    expect(again.json().Items).toEqual(Items)
    const there = await get(`/v1/Accommodation?seed=3&${polygon('bbc(11 46,12 47)')}`)
    expect(there.json()).toMatchObject({ Seed: null })
    expect((await get('/v1/Accommodation?seed=11')).statusCode).toBe(400)
  })

  it.each([
    '',
    'seed=4',
    'rawsort=-AccoTypeId',
    'rawsort=-Shortname,Altitude',
    'latitude=46.5&longitude=11.2',
    'seed=0',
  ])('links through all pages by cursor: %s', async (query) => {
    const whole = await get(`/v1/Accommodation?${query}&pagesize=100`)
    const wanted = query === 'seed=0' ? undefined : whole.json().Items
    const seen: unknown[] = []
    let next: string | undefined = `/v1/Accommodation?${query}&pagesize=2`
    for (let page = 1; next !== undefined; page++) {
      const response = await get(next)
      expect(response.json().CurrentPage).toBe(page)
      seen.push(...response.json().Items)
      const link: unknown = response.headers['link']
      next = /<([^>]*)>; rel="next"/.exec(String(link))?.[1]?.slice(publicUrl.length)
    }
    if (wanted === undefined) expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(5)
    else expect(seen).toEqual(wanted)
  })

  it('refuses invalid and modified cursors, and those of another sort order', async () => {
    const link = String((await get('/v1/Accommodation?pagesize=2')).headers['link'])
    const cursor = /cursor=([^&>]+)/.exec(link)?.[1] ?? ''
    const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    const wrong = [`cursor=x`, `cursor=${changed}`, `cursor=${cursor}&seed=1`, `cursor=${cursor}A`]
    for (const query of wrong) {
      const response = await get(`/v1/Accommodation?${query}`)
      expect([query, response.statusCode]).toEqual([query, 400])
      expect(response.json()).toMatchObject({
        errorCode: 'HUB-QRY-012',
        errors: [{ parameter: 'cursor' }],
      })
    }
  })

  it('omits a Link header that is too long, but returns NextPage in the body', async () => {
    const ids = (times: number) => `pagesize=1&idlist=a,b${',unknown'.repeat(times)}`
    const [short, long] = [
      await get(`/v1/Accommodation?${ids(10)}`),
      await get(`/v1/Accommodation?${ids(500)}`),
    ]
    expect([short.headers['link'], long.headers['link']]).toEqual([expect.any(String), undefined])
    expect(long.json().NextPage).toContain('pagenumber=2')
  })

  it('refuses the cursor of a list with other filters, and states the reason', async () => {
    const link = String(
      (await get('/v1/Accommodation?pagesize=1&tagfilter=winter')).headers['link'],
    )
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(link) ?? []
    const path = next.slice(publicUrl.length)
    expect((await get(`${path}&fields=Id&language=de`)).statusCode).toBe(200)
    for (const other of [path.replace('winter', 'summer'), `${path}&active=true`]) {
      const response = await get(other)
      expect([other, response.statusCode]).toEqual([other, 400])
      expect(response.json()).toMatchObject({ errorCode: 'HUB-QRY-012' })
      expect(response.json().detail).toContain('other filters')
    }
    const unfiltered = String((await get('/v1/Accommodation?pagesize=1')).headers['link'])
    const [, cursor = ''] = /cursor=([\w-]+)/.exec(unfiltered) ?? []
    expect((await get(`/v1/Accommodation?pagesize=3&cursor=${cursor}`)).statusCode).toBe(200)
    const elsewhere = await get(`/v1/WebcamInfo?cursor=${cursor}`)
    expect(elsewhere.json().detail).toContain('another list')
  })

  it.each([
    ['radius=1000', 'HUB-QRY-001', 'latitude'],
    ['latitude=46', 'HUB-QRY-001', 'longitude'],
    [polygon('POLYGON((46 11,47 11'), 'HUB-QRY-010', 'polygon'],
    [polygon('POINT(46 111)'), 'HUB-QRY-010', 'polygon'],
    ['tagfilter=and(a)or(b)', 'HUB-QRY-011', 'tagfilter'],
    ['hubactive=true&odhactive=true', 'HUB-QRY-002', 'hubactive'],
  ])('refuses %s with %s', async (query, errorCode, parameter) => {
    const response = await get(`/v1/Accommodation?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ errorCode, errors: [{ parameter }] })
  })

  it.each([
    ['Accommodation', 'tagfilter', ['summer', 'winter']],
    ['Accommodation', 'rawsort', ['-Shortname', 'Id']],
    ['HubActivityPoi', 'activitytype', ['wandern', 'radfahren']],
  ])('joins the parts of a repeated list: %s?%s', async (list, name, parts) => {
    const url = (texts: readonly string[]) =>
      `/v1/${list}?getasidarray=true&${texts.map((text) => `${name}=${text}`).join('&')}`
    const [repeated, joined] = [await get(url(parts)), await get(url([parts.join(',')]))]
    expect([repeated.statusCode, repeated.json()]).toEqual([200, joined.json()])
  })

  it('reports that strict handling was applied, even if it refuses', async () => {
    const headers = { prefer: 'handling=strict' }
    const response = await app.inject({ url: '/v1/Accommodation?nothing=1', headers })
    expect(response.statusCode).toBe(400)
    expect(response.headers['preference-applied']).toBe('handling=strict')
  })

  it('explains the bounds of a range in words', async () => {
    const [issue] = (await get('/v1/HubActivityPoi?durationfilter=1')).json().errors
    expect(issue.detail).toBe('is not two numbers with a comma between them, not "1"')
    const [bounds] = (await get('/v1/HubActivityPoi?durationfilter=4,1')).json().errors
    expect(bounds.expected).toEqual(['two numbers in hours, lower and upper bound, such as 1.5,4'])
  })

  it('hints that the axes may be swapped', async () => {
    const response = await get(`/v1/Accommodation?${polygon('POINT(46 111)')}`)
    expect(response.json().hint).toContain('swapped')
  })
})
