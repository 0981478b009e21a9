import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeContent } from '../../test/fixtures/content-app.ts'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { fillWithPlaces, place } from '../../test/fixtures/near-places.ts'
import { addStations } from '../../test/fixtures/near-stations.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { entitiesOf, toNaming, viewsOf } from '../content/index.ts'
import { ogcRoutes } from './index.ts'

type Feature = {
  readonly id: string
  readonly geometry: { readonly coordinates: readonly number[] } | null
  readonly properties: Readonly<Record<string, unknown>>
}
type Features = {
  readonly features: readonly Feature[]
  readonly numberMatched: number
  readonly numberReturned: number
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

const naming = toNaming('Hub')
const entities = [...entitiesOf(naming), ...viewsOf(naming)]
const utm32 = 'http://www.opengis.net/def/crs/EPSG/0/25832'
const latitudeFirst = 'http://www.opengis.net/def/crs/EPSG/0/4326'

describeWithDatabase('OGC API Features', (database) => {
  let app: FastifyInstance
  const get = (path: string, headers = {}) => app.inject({ url: `/ogc${path}`, headers })
  const read = async (path: string, headers = {}): Promise<Features> => {
    const answer = await get(`/collections/${path}`, headers)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<Features>()
  }
  const ids = async (path: string, headers = {}) => {
    const { features, numberMatched } = await read(path, headers)
    const found = features.map(({ id }) => id.toUpperCase())
    expect(numberMatched).toBe(found.length)
    return found.sort().join('')
  }
  const pois = (query: string) => `HubActivityPoi/items?limit=100&${query}`
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`

  beforeAll(async () => {
    const deps = { database: database(), entities, publicUrl, visibilityOf }
    app = await createTestApp(ogcRoutes({ ...deps, title: 'Hub', version: '1' }))
    await fillWithPlaces(database())
    const dated = {
      EventDate: [
        { From: '2020-01-01T00:00:00', To: '2020-01-01T00:00:00' },
        { From: '2020-01-03T00:00:00', To: '2020-01-04T00:00:00' },
      ],
    }
    const days = { DateBegin: '2026-11-20T00:00:00', DateEnd: '2026-11-22T00:00:00' }
    await storeContent(database(), 'Event', [
      place('PAST', 3, days),
      place('TIMELESS', 4),
      place('DATED', 5, dated),
      place('OPENENDED', 6, { DateBegin: '2031-01-01T00:00:00' }),
    ])
    await addStations(database(), { type: 'Meteo' }, [
      { code: 'M1', metadata: { obj: { z: 1, list: ['a'] }, 'x.y': 'dot', mixed: 12 } },
      { code: 'M2', metadata: { x: { y: 'deep' }, mixed: '12' } },
    ])
  })
  afterAll(() => app.close())

  it('lists entities with places and station types, each with its extent', async () => {
    const { collections } = (await get('/collections')).json<{
      readonly collections: readonly { readonly id: string; readonly extent: object }[]
    }>()
    const found = new Map(collections.map((one) => [one.id, one]))
    expect(found.get('HubActivityPoi')?.extent).toMatchObject({
      // The extent includes a margin.
      spatial: { bbox: [[10.9, 46.4, 11.121, 46.6]] },
    })
    expect(found.get('Parking')).toMatchObject({
      itemType: 'feature',
      // Times of the newest open values.
      extent: {
        temporal: { interval: [['2026-11-20T10:05:00.000Z', '2026-11-20T10:06:00.000Z']] },
      },
    })
    // An event that has no end continues.
    expect(found.get('Event')?.extent).toMatchObject({
      temporal: { interval: [['2020-01-01T00:00:00.000Z', null]] },
    })
    expect(found.has('Tag')).toBe(false)
  })

  it.each([
    ['', 'ABCDEG'],
    ['bbox=11,46,11.007,47', 'ABC'],
    ['bbox=11,46,0,11.007,47,100', 'ABC'],
    [`bbox=46,11,47,11.007&bbox-crs=${latitudeFirst}`, 'ABC'],
    ['bbox=11.02,46,10,47', 'E'],
    ['Active=true', 'B'],
    ['Shortname=Place%20C', 'C'],
    ['datetime=2000-01-01/..', 'ABCDEG'],
    ['datetime=../2000-01-01', ''],
    [filter('Active'), 'B'],
    [filter("Active = TRUE OR Id = 'd'"), 'BD'],
    [filter('Active IS NULL'), 'ACDEG'],
    [filter("Shortname LIKE 'Place %' AND NOT Shortname IN ('Place A', 'Place B')"), 'CDE'],
    [filter("CASEI(Shortname) = CASEI('PLACE a')"), 'A'],
    [filter('"Detail.de.Title" = \'Ort C\''), 'C'],
    [filter('S_INTERSECTS(geometry, POLYGON((10 46,11.0015 46,11.0015 47,10 47,10 46)))'), 'AB'],
    [filter('S_DISJOINT(geometry, BBOX(10,46,11.0015,47))'), 'CDE'],
    [`${filter('S_INTERSECTS(geometry, BBOX(46,11.02,47,10))')}&filter-crs=${latitudeFirst}`, 'E'],
    ['datetime=2000-01-01T00:00:00+01:00/..', 'ABCDEG'],
    [filter('S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(11 46.5)))'), 'A'],
    [filter(String.raw`{"op":"like","args":[{"property":"Id"},"a\\"]}`), ''],
    [filter("LastChange > '2000-01-01' AND Id = 'a'"), 'A'],
    ['datetime=2000-01-01/P2D', ''],
    ['datetime=../..', 'ABCDEG'],
    [filter('S_EQUALS(geometry, POINT(11 46.5))'), 'A'],
    [`${filter('S_EQUALS(geometry, POINT(46.5 11))')}&filter-crs=${latitudeFirst}`, 'A'],
    [filter("LastChange > DATE('2000-01-01')"), 'ABCDEG'],
    [filter("T_BEFORE(LastChange, TIMESTAMP('2000-01-01T00:00:00Z'))"), ''],
    [filter('{"op":"=","args":[{"property":"Id"},"a"]}'), 'A'],
    [filter('"no\u2028such" IS NULL OR Id = \'a\'').replace('no', 'LicenseInfo.no'), 'ABCDEG'],
  ])('with %s returns the places %j', async (query, wanted) => {
    expect(await ids(pois(query))).toBe(wanted)
  })

  it.each([
    [filter('mvalue.free > 15'), 'P1P3'],
    [filter('mvalue.occupied = 80'), 'P1'],
    [filter("mvalidtime.free = TIMESTAMP('2026-11-20T10:05:00Z')"), 'P1P2P3'],
    [filter("smetadata.city = 'Bozen'"), 'P1'],
    ['smetadata.city=Bozen', 'P1'],
    ['scode=P2', 'P2'],
    ['bbox=11,46,11.006,47', 'P1P5'],
    ['datetime=2026-11-20T10:06:00Z', 'P1P5PX'],
    // A month after the 31st of January is the 28th of February.
    ['datetime=2026-01-31T10:06:00Z/P1M264D', 'P5PX'],
    ['datetime=2026-01-31T10:06:00Z/P1M265D', 'P1P2P3P5PX'],
  ])('with %s returns the stations %j', async (query, wanted) => {
    expect(await ids(`Parking/items?limit=100&${query}`)).toBe(wanted)
  })

  it('shows the latest values of stations, closed ones only to callers with access', async () => {
    const { features } = await read('Parking/items?scode=P1')
    expect(features[0]).toMatchObject({
      id: 'P1',
      geometry: { type: 'Point', coordinates: [11, 46.5] },
      properties: {
        sname: 'One',
        'smetadata.city': 'Bozen',
        'mvalue.free': 20,
        'mvalidtime.free': '2026-11-20T10:05:00.000Z',
        'mvalue.occupied': 80,
      },
    })
    const closed = filter('mvalue.free = 50')
    expect(await ids(`Parking/items?${closed}`)).toBe('P3')
    expect(await ids(`Parking/items?${closed}`, { authorization: 'Bearer closed' })).toBe('P3PX')
    const all = await get('/collections/Parking/items')
    expect(all.headers['x-withheld']).toBe('records;reason=no-token')
    expect((await get('/collections/HubActivityPoi/items/F')).statusCode).toBe(404)
    const seen = await get('/collections/HubActivityPoi/items/f', {
      authorization: 'Bearer closed',
    })
    expect(seen.statusCode).toBe(200)
  })

  it('shows any path into metadata, and accepts an existing key that contains a dot', async () => {
    const paths = 'smetadata.obj.z,smetadata.obj.list.0,smetadata.obj.toString,smetadata.x.y'
    const { features } = await read(`Meteo/items?properties=scode,${paths}`)
    expect(features.map(({ properties }) => Object.values(properties))).toEqual([
      ['M1', 1, 'a', null, 'dot'],
      ['M2', null, null, null, null],
    ])
  })

  it.each([
    [filter('smetadata.obj.z = 1'), 'M1'],
    ['smetadata.x.y=dot', 'M1'],
    [filter('"smetadata.x.y" = \'dot\''), 'M1'],
    [filter('smetadata.mixed = 12'), 'M1M2'],
    [filter("smetadata.mixed = '12'"), 'M1M2'],
  ])('with %s finds stations by metadata of any shape: %s', async (query, wanted) => {
    expect(await ids(`Meteo/items?${query}`)).toBe(wanted)
  })

  it('includes events without a time in every interval', async () => {
    expect(await ids('Event/items?datetime=2026-11-21')).toBe('PASTTIMELESS')
    expect(await ids('Event/items?datetime=2026-11-23/..')).toBe('OPENENDEDTIMELESS')
    expect(await ids('Event/items?datetime=2020-01-04')).toBe('DATEDTIMELESS')
    expect(await ids('Event/items?datetime=2020-01-05')).toBe('TIMELESS')
    // The last day is included.
    expect(await ids('Event/items?datetime=2026-11-22T18:00:00Z')).toBe('PASTTIMELESS')
  })

  it('returns every feature exactly once across pages, in the requested order', async () => {
    const found: string[] = []
    let path: string | undefined = '/collections/HubActivityPoi/items?limit=2&sortby=-Shortname'
    while (path !== undefined) {
      const answer = await get(path)
      const { features, links, numberMatched } = answer.json<Features>()
      expect(numberMatched).toBe(6)
      found.push(...features.map(({ id }) => id.toUpperCase()))
      const next = links.find(({ rel }) => rel === 'next')?.href
      path = next?.slice(`${publicUrl}/ogc`.length)
    }
    expect(found.join('')).toBe('EDCBAG')
  })

  it('sorts and compares values as numbers', async () => {
    const { features } = await read('Parking/items?sortby=-mvalue.free&properties=scode')
    expect(features.map(({ id }) => id).join('')).toBe('P3P1P2P5PX')
    expect(await ids(`Parking/items?${filter('mvalue.occupied > mvalue.free')}`)).toBe('P1')
    expect(await ids('Parking/items?sortby=sactive&limit=100')).toBe('P1P2P3P5PX')
  })

  it('binds a cursor to its collection', async () => {
    const { links } = await read('Parking/items?limit=1')
    const cursor = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '').searchParams.get(
      'cursor',
    )
    const answer = await get(`/collections/HubActivityPoi/items?limit=1&cursor=${String(cursor)}`)
    expect(answer.json()).toMatchObject({ errorCode: 'HUB-QRY-012' })
  })

  it('returns the same headers each time, and the usual media type of a definition', async () => {
    const path = '/collections/Parking/items?limit=2'
    const answers = [await get(path), await get(path), await get(path)]
    const shown = answers.map(({ headers }) => [headers['link'], headers['content-type']])
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(shown[0]?.[1]).toBe('application/geo+json')
    const { headers } = await get('/api')
    expect(headers['content-type']).toBe('application/vnd.oai.openapi+json;version=3.0')
  })

  it('converts positions to other coordinate systems', async () => {
    const answer = await get(`/collections/HubActivityPoi/items/a?crs=${utm32}`)
    expect(answer.headers['content-crs']).toBe(`<${utm32}>`)
    const [east = 0, north = 0] = answer.json<Feature>().geometry?.coordinates ?? []
    expect([Math.round(east), Math.round(north)]).toEqual([653_462, 5_151_547])
    const turned = await read(`HubActivityPoi/items?Id=a&crs=${latitudeFirst}`)
    expect(turned.features[0]?.geometry?.coordinates).toEqual([46.5, 11])
    expect((await read(`HubActivityPoi/items?Id=g&crs=${utm32}`)).features[0]?.geometry).toBeNull()
  })

  it('returns the requested properties in the requested language', async () => {
    const { features } = await read(
      'HubActivityPoi/items?Id=a&properties=Shortname,Detail.de.Title',
    )
    expect(features[0]?.properties).toEqual({
      Id: 'a',
      Shortname: 'Place A',
      'Detail.de.Title': 'Ort A',
    })
    const german = await read('HubActivityPoi/items?Id=a', { 'accept-language': 'fr, de;q=0.5' })
    expect(german.features[0]?.properties['Detail']).toEqual({ de: { Title: 'Ort A' } })
  })

  it.each([
    ['limt=1', 'Did you mean limit?'],
    ['limit=0', '"limit"'],
    ['limit=x', '"limit"'],
    ['bbox=1,2,3', 'bbox'],
    ['bbox=1,2,3,x', 'bbox is not a list of numbers'],
    ['bbox=1,,2,3,4', 'bbox is not a list of numbers'],
    ['bbox=12,46,11,47&bbox-crs=EPSG:25832', 'bbox is not a box'],
    ['datetime=P1D/P1D', 'not a valid time'],
    ['datetime=../P1D', 'without a moment'],
    ['datetime=0000-01-01', 'not a valid time'],
    ['datetime=9999-12-31T23:59:59-14:00', 'not a valid time'],
    ['LastChange=0000-01-01', 'LastChange has'],
    [filter("'a' = DATE('2026-01-01')"), 'cannot be compared'],
    [filter("LastChange > '2026-02-30'"), 'cannot be compared'],
    [filter('1 = CASEI(Shortname)'), 'cannot be compared'],
    [filter('toString IS NULL'), 'There is no property'],
    [filter('Shortname LIKE Id'), 'has to be a text'],
    [filter('S_WITHIN(geometry, GEOMETRYCOLLECTION(POINT(1 1)))'), 'GEOMETRYCOLLECTION'],
    [filter(`Shortname = '${'\\'.repeat(200)}`), 'closing quote'],
    [filter('{"op":"isNull","args":[{"property":"a\\u0000"}]}'), 'at /args/0 of the filter'],
    [`${filter('S_INTERSECTS(geometry, BBOX(12,46,11,47))')}&filter-crs=EPSG:25832`, 'A box has'],
    ['bbox=1,5,2,3', 'bbox is not a box'],
    ['bbox=1,2,3,4&bbox-crs=x', 'bbox-crs names'],
    ['crs=http://www.opengis.net/def/crs/EPSG/0/31468', 'crs names'],
    ['datetime=yesterday', 'datetime has'],
    ['datetime=2026-11-25/2026-11-24', 'ends before it begins'],
    ['properties=Shrtname', 'Did you mean Shortname?'],
    ['sortby=Nothing', 'sortby names'],
    ['f=xml', '"f"'],
    ['cursor=x', 'HUB-QRY-012'],
    [filter('Activ = TRUE'), 'Did you mean Active?'],
    [filter('Active = 1'), 'cannot be compared'],
    [filter('geometry = 1'), 'is a geometry'],
    [filter('Active = '), '"position":9'],
    [filter('Active ='), 'HUB-QRY-017'],
  ])('refuses %s', async (query, words) => {
    const answer = await get(`/collections/HubActivityPoi/items?${query}`)
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.body).toContain(words)
  })

  it('clamps the limit unless handling is strict', async () => {
    const answer = await get('/collections/HubActivityPoi/items?limit=100000')
    expect(answer.json<Features>()).toMatchObject({ numberMatched: 6, numberReturned: 6 })
    const headers = { prefer: 'handling=strict' }
    const strict = await get('/collections/HubActivityPoi/items?limit=100000', headers)
    expect(strict.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-003' })
    const taken = await get('/collections/HubActivityPoi/items?limit=10000', headers)
    expect([taken.statusCode, taken.headers['preference-applied']]).toEqual([
      200,
      'handling=strict',
    ])
  })

  it('streams long pages with the same features and counts as short ones', async () => {
    const all = `limit=1001&sortby=-Shortname&crs=${utm32}`
    const long = await read(`HubActivityPoi/items?${all}`)
    const short = await read(`HubActivityPoi/items?${all.replace('1001', '1000')}`)
    expect(long.features).toEqual(short.features)
    expect(long).toMatchObject({ numberMatched: 6, numberReturned: 6 })
    const none = await read(`HubActivityPoi/items?limit=1001&Id=none`)
    expect(none).toMatchObject({ features: [], numberMatched: 0, numberReturned: 0 })
  })

  it('continues after a page of features that match a filter', async () => {
    const first = await read(
      pois('').replace('limit=100&', 'limit=4&bbox=11,46,11.03,47&sortby=Active'),
    )
    const next = first.links.find(({ rel }) => rel === 'next')?.href ?? ''
    const second = (await get(next.slice(`${publicUrl}/ogc`.length))).json<Features>()
    expect([first, second].map(({ numberMatched }) => numberMatched)).toEqual([5, 5])
    const found = [...first.features, ...second.features].map(({ id }) => id.toUpperCase())
    expect(found.join('')).toBe('BACDE')
  })

  it('keeps responses in different languages apart', async () => {
    const path = 'HubActivityPoi/items?Id=a&properties=Detail'
    for (let round = 0; round < 3; round++) {
      for (const language of ['de', 'it']) {
        const { features } = await read(path, { 'accept-language': language })
        const shown = JSON.stringify(features[0]?.properties['Detail'])
        expect(shown.includes('"de"')).toBe(language === 'de')
      }
    }
  })

  it('suggests an existing collection if the requested one does not exist', async () => {
    const answer = await get('/collections/Parkin/items')
    expect(answer.json()).toMatchObject({ status: 404, hint: 'Did you mean Parking?' })
  })

  it('returns 304 until something changes, but not for another token or language', async () => {
    const path = '/collections/Accommodation/items'
    const first = await get(path)
    const held = { 'if-none-match': String(first.headers['etag']) }
    expect((await get(path, held)).statusCode).toBe(304)
    expect((await get(path, { ...held, authorization: 'Bearer closed' })).statusCode).toBe(200)
    expect((await get(path, { ...held, 'accept-language': 'de' })).statusCode).toBe(200)
    await storeContent(database(), 'Accommodation', [place('NEW', 1)])
    expect((await get(path, held)).statusCode).toBe(200)
  })

  it('serves browsers pages that link to each other', async () => {
    for (const path of [
      '',
      '/collections',
      '/collections/HubActivityPoi/items',
      '/api',
      '/conformance',
    ]) {
      const answer = await get(path, { accept: 'text/html' })
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toContain('<!doctype html>')
      const hrefs = [...answer.body.matchAll(/href="(https?:\/\/[^/"]+\/ogc[^"]*)"/g)].map(
        ([, href]) => href,
      )
      for (const href of new Set(hrefs)) {
        const url = href?.replaceAll('&amp;', '&') ?? ''
        const { statusCode, headers } = await app.inject({ url, headers: { accept: 'text/html' } })
        expect(statusCode, url).toBe(200)
        if (url.includes('f=json')) expect(headers['content-type']).toContain('json')
      }
    }
  })
})
