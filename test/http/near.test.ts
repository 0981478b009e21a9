import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import {
  codesOf,
  fillWithPlaces,
  free,
  idsOf,
  near,
  openNear,
  place,
} from '../fixtures/near-places.ts'
import { addValues } from '../fixtures/near-stations.ts'
import { publicUrl } from '../fixtures/test-app.ts'

describeWithDatabase('near', (database) => {
  let app: FastifyInstance
  const get = (query: string, headers = {}) =>
    app.inject({ url: `/v1/HubActivityPoi?${query}`, headers })
  const ids = async (query: string, headers = {}) => {
    const response = await get(query, headers)
    expect(response.statusCode, response.body).toBe(200)
    return idsOf(response.json().Items).join('')
  }

  beforeAll(async () => {
    app = await openNear(database())
    await fillWithPlaces(database())
  })
  afterAll(() => app.close())

  it('finds records near a station whose latest value matches, nearest first', async () => {
    const response = await get(near(`Parking;${free};within=600`))
    const { TotalResults, Items, Seed } = response.json()
    expect([TotalResults, Seed]).toEqual([4, null])
    expect(idsOf(Items)).toEqual(['A', 'B', 'D', 'C'])
    expect(Items[1]['_Near']).toEqual({
      Distance: expect.closeTo(76.8, 0),
      Station: {
        stype: 'Parking',
        scode: 'P1',
        sname: 'One',
        sorigin: 'OPEN',
        scoordinate: { x: 11, y: 46.5, srid: 4326 },
      },
      DataType: { tname: 'free', tunit: 'n', ttype: null, tdescription: null },
      Measurement: { mvalue: 20, mvalidtime: '2026-11-20 10:05:00.000+0000', mperiod: 300 },
    })
    expect(Items[0]['_Near'].Distance).toBe(0)
    expect(codesOf(Items)).toEqual(['P1', 'P1', 'P2', 'P2'])
    expect(response.headers['x-ignored-parameters']).toBeUndefined()
  })

  it.each([
    ['Parking', 'ABDCE'],
    ['Parking;within=100', 'AB'],
    ['Parking;within=100;where=mvalue.gt.10', 'AB'],
    ['Parking;where=mvalue.lt.10', ''],
    ['Parking;where=mvalue.lt.15;within=600', 'DC'],
    ['Parking;where=tname.eq."occupied";within=100', 'AB'],
    ['Parking;where=scode.in.("P1","P3");within=600', 'ABC'],
    ['Parking;where=smetadata.city.eq."Bozen";within=500', 'ABC'],
    ['Parking;where=or(scode.eq."P2",mvalue.gt.79);within=100', 'AB'],
    ['Parking;where=scoordinate.bbi.(11.009,46,11.011,47);within=200', 'D'],
    ['Parking;where=mvalidtime.gt.2026-11-20T10:05:30;within=200', 'AB'],
    ['Bicycle;within=200', 'D'],
    ['Bicycle;where=scode.eq."b;1",mvalue.eq."OK; yes";within=200', 'D'],
    ['Bicycle,Parking;within=70', 'AD'],
    ['*;within=200', 'ADB'],
    ['Nothing', ''],
  ])('with %s finds the places %j', async (text, wanted) => {
    expect(await ids(near(text))).toBe(wanted)
  })

  it('shows the latest of several matching values', async () => {
    const { Items } = (await get(near('Parking;within=10'))).json()
    expect(Items[0]['_Near']).toMatchObject({
      DataType: { tname: 'occupied' },
      Measurement: { mvalue: 80 },
    })
  })

  it('combines with other filters, and sorts by distance unless stated otherwise', async () => {
    const text = `Parking;${free};within=600`
    expect(await ids(near(text, '&active=true'))).toBe('B')
    expect(await ids(near(text, '&searchfilter=ort&language=de'))).toBe('ABDC')
    expect(await ids(near(text, '&searchfilter=Ort D&language=de'))).toBe('D')
    expect(await ids(near(text, `&rawfilter=${encodeURIComponent("in(Id,'c','d')")}`))).toBe('DC')
    expect(await ids(near(text, '&rawsort=-Id'))).toBe('DCBA')
    expect(await ids(near(text, '&rawsort=Shortname&pagesize=2&pagenumber=2'))).toBe('CD')
    expect(await ids(near(text, '&seed=3'))).toBe('ABDC')
    expect(await ids(near(text, '&latitude=46.5&longitude=11.012&radius=500'))).toBe('DC')
    expect(await ids(near(text, '&latitude=46.5&longitude=11.006&radius=600'))).toBe('ABDC')
    expect(await ids(near(text, '&polygon=bbc(11.001 46,11.01 47)'))).toBe('BC')
    expect(await ids(near(text, '&idlist=d,A,e'))).toBe('AD')
  })

  it('hides closed stations and closed records from callers who may not see them', async () => {
    const text = `Parking;${free};within=100`
    const anonymous = await get(near(text))
    expect(anonymous.json().TotalResults).toBe(2)
    expect(anonymous.headers['x-withheld']).toBe('records;reason=no-token')
    expect(anonymous.body).not.toContain('PX')
    const trusted = { authorization: 'Bearer closed' }
    const all = await get(near(text), trusted)
    expect(idsOf(all.json().Items)).toEqual(['A', 'B', 'E'])
    expect(all.headers['x-withheld']).toBeUndefined()
    expect(all.headers['cache-control']).toContain('private')
    expect(all.headers.etag).not.toBe(anonymous.headers.etag)
    expect(await ids(near(`Parking;${free};within=200`), trusted)).toBe('ABEDF')
    const hidden = await get(near('Parking;where=scode.eq."PX";within=600', '&explain=true'))
    expect(hidden.json()).toMatchObject({ TotalResults: 0, Filters: [{ Matches: 0 }] })
    const array = await get(near('Parking;within=200', '&getasidarray=true'))
    expect(array.json()).toEqual(['a', 'b', 'd'])
  })

  it('shows the data of closed stations that rules open', async () => {
    const headers = { authorization: 'Bearer advanced' }
    const response = await get(near('Parking;within=100'), headers)
    expect(idsOf(response.json().Items)).toEqual(['A', 'B', 'E'])
    expect(codesOf(response.json().Items)).toEqual(['P1', 'P1', 'PX'])
    expect(response.json().Items[2]['_Near'].Measurement.mvalue).toBe(30)
    expect(response.headers['x-withheld']).toBe('records;reason=no-role')
    expect(await ids(near(`Parking;${free};within=100`), headers)).toBe('AB')
    expect(await ids(near('Parking;where=mvalue.eq.50;within=100'), headers)).toBe('')
  })

  it('is available for every list', async () => {
    const response = await app.inject({ url: `/v1/Accommodation?${near('Parking;within=100')}` })
    expect(response.json()).toMatchObject({
      TotalResults: 1,
      Items: [{ Id: 'HOUSE', _Near: { Station: { scode: 'P1' } } }],
    })
    for (const path of ['Event', 'Weather', 'MetaData', 'Announcement', 'Tag', 'GeoShapes']) {
      const headers = { authorization: 'Bearer closed' }
      const other = await app.inject({ url: `/v1/${path}?${near('Parking')}`, headers })
      expect([path, other.statusCode]).toEqual([path, 200])
    }
  })

  it('returns 304 until a value or a record changes', async () => {
    const query = near('Bicycle;within=400')
    const first = await get(query)
    const again = { 'if-none-match': String(first.headers.etag) }
    expect((await get(query, again)).statusCode).toBe(304)
    await addValues(database(), 'Bicycle', [['b;1', 'state', '2026-11-20T10:10:00Z', 'FULL']])
    const second = await get(query, again)
    expect(second.statusCode).toBe(200)
    expect(second.json().Items[0]['_Near'].Measurement.mvalue).toBe('FULL')
    expect(await ids(near('Bicycle;where=mvalue.eq."FULL"'))).toBe('DCEBA')
    await addValues(database(), 'Bicycle', [['b;1', 'state', '2026-11-20T10:15:00Z', 'OK; yes']])
    expect(await ids(near('Bicycle;where=mvalue.eq."FULL"'))).toBe('')
    const third = await get(query)
    await storeContent(database(), 'HubActivityPoi', [place('H', 13)])
    const fourth = await get(query, { 'if-none-match': String(third.headers.etag) })
    expect(fourth.json().TotalResults).toBe(Number(second.json().TotalResults) + 1)
    await storeContent(database(), 'HubActivityPoi', [place('H', 500)])
  })

  it('pages by number and by cursor without overlap, in every order', async () => {
    for (const rest of ['', '&rawsort=-Shortname', '&rawsort=Shortname']) {
      const query = near(`Parking;${free};within=600`, rest)
      const whole = await ids(query)
      const numbered = []
      for (const page of [1, 2, 3]) {
        numbered.push(await ids(`${query}&pagesize=2&pagenumber=${String(page)}`))
      }
      expect(numbered.join('')).toBe(whole)
      let followed = ''
      let url: string | undefined = `/v1/HubActivityPoi?${query}&pagesize=1`
      while (url !== undefined) {
        const response: LightMyRequestResponse = await app.inject({ url })
        followed += idsOf(response.json().Items).join('')
        url = /<([^>]+)>; rel="next"/
          .exec(String(response.headers.link))?.[1]
          ?.replace(publicUrl, '')
      }
      expect(followed).toBe(whole)
    }
  })
})
