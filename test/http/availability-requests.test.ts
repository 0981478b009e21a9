import { describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { ids, reader, useFreeRooms } from '../fixtures/free-rooms.ts'

describeWithDatabase('requests for free rooms', (database) => {
  const { push, get, check, post } = useFreeRooms(database)

  it('accept their parameters in a body as well', async () => {
    const parameters = { availabilitycheck: true, roominfo: '2-18,18', bokfilter: ['hgv'] }
    const response = await post('AccommodationSearch', JSON.stringify(parameters))
    expect([response.statusCode, ids(response.json())]).toEqual([200, ['A2']])
  })

  it('return the offers of a single record, or an empty list', async () => {
    const item = async (path: string) => (await get(`/v1/Accommodation/${path}`)).json()
    const one = await item('a1?availabilitycheck=true&fields=Id')
    expect(one).toEqual({ Id: 'A1', MssResponseShort: [expect.objectContaining({ A0RID: 'A1' })] })
    expect(await item('empty?availabilitycheck=true&fields=Id')).toEqual({
      Id: 'EMPTY',
      MssResponseShort: [],
    })
    const [offer] = (await item('a1?availabilitycheck=true&boardfilter=4')).MssResponseShort
    expect(offer).toMatchObject({ CheapestOffer: 140, CheapestOffer_bb: null })
    expect((await get('/v1/Accommodation/none?availabilitycheck=true')).statusCode).toBe(404)
  })

  it('require a token and a role', async () => {
    for (const path of ['?', '/A1?']) {
      const refusal = async (headers: Record<string, string>) => {
        const response = await get(
          `/v1/Accommodation${path}availabilitycheck=true&arrival=2001-01-01`,
          headers,
        )
        return [response.statusCode, response.json().errorCode]
      }
      expect(await refusal({})).toEqual([401, 'HUB-ACC-001'])
      expect(await refusal({ authorization: 'Bearer bad' })).toEqual([401, 'HUB-ACC-002'])
      expect(await refusal({ authorization: 'Bearer provider' })).toEqual([403, 'HUB-ACC-003'])
      expect(await refusal(reader)).toEqual([400, 'HUB-QRY-001'])
    }
  })

  it('return no closed accommodation to AccoReader', async () => {
    const acco = { authorization: 'Bearer acco' }
    expect(ids((await check('', acco)).json())).toEqual(['A1', 'A3'])
    expect((await get('/v1/Accommodation/closed?availabilitycheck=true', acco)).statusCode).toBe(
      404,
    )
  })

  it.each([
    ['arrival=2026-02-30', 'arrival'],
    ['arrival=2026-11-19', 'arrival'],
    ['arrival=2026-12-24&departure=2026-12-24', 'departure'],
    ['arrival=2026-12-24&departure=2027-02-23', 'departure'],
    ['departure=2026-11-21', 'departure'],
    ['roominfo=18,18', 'roominfo'],
    ['roominfo=1-18|', 'roominfo'],
    [`roominfo=1-${Array(21).fill('18').join(',')}`, 'roominfo'],
    ['bokfilter=hgv,zzz', 'bokfilter'],
    ['availabilitychecklanguage=fr', 'availabilitychecklanguage'],
    ['detail=2', 'detail'],
    ['ltsapiversion=3', 'ltsapiversion'],
    ['msssource=a%20b', 'msssource'],
    ['boardfilter=32', 'boardfilter'],
  ])('are refused for %s', async (query, parameter) => {
    for (const path of ['?', '/A1?']) {
      const response = await get(`/v1/Accommodation${path}availabilitycheck=true&${query}`)
      expect([path, response.statusCode]).toEqual([path, 400])
      expect(response.json().errors[0]).toMatchObject({
        parameter,
        detail: expect.stringMatching(/\w/),
        expected: expect.arrayContaining([expect.any(String)]),
      })
    }
  })

  describe('for accommodations listed in a body', () => {
    it('return the accommodations', async () => {
      const answer = (await post('AccommodationAvailable?pagesize=1', '"a1,A3,empty"')).json()
      expect(ids(answer)).toEqual(['A1', 'A3'])
      expect(answer).toMatchObject({ AccommodationsRequested: 3, OnlineResults: 2 })
      expect(answer.Items[0].MssResponseShort[0]).toMatchObject({ CheapestOffer: 100 })
      expect(ids((await post('AccommodationAvailable', undefined)).json())).toHaveLength(3)
      expect(ids((await post('AccommodationAvailable?source=lts', '')).json())).toEqual(['A1'])
    })

    it('return only the offers', async () => {
      const path = 'AvailabilityCheck?bokfilter=hgv,lts'
      const answer = (await post(path, '["a1","a3","empty"]')).json()
      expect(answer).toEqual({
        ...{ TotalResults: 3, TotalPages: 1, CurrentPage: 1, Seed: null },
        ...{ OnlineResults: 2, AvailableOnline: 2, AvailableOnRequest: 1 },
        ...{ AccommodationsRequested: 3, ResultId: expect.any(String) },
        Items: [
          expect.objectContaining({ A0RID: 'A1', ChannelID: 'hgv', CheapestOffer: 100 }),
          expect.objectContaining({ A0RID: 'A1', ChannelID: 'lts', CheapestOffer: 199.99 }),
          expect.objectContaining({ A0RID: 'A3', ChannelID: 'hgv' }),
        ],
      })
      const without = (await post(`${path}&removeduplicatesfrom=hgv`, '"a1,a3"')).json()
      expect(without.Items.map((one: { ChannelID: string }) => one.ChannelID)).toEqual([
        'lts',
        'hgv',
      ])
      const only = await post('AccommodationAvailable?availabilityonly=true', 'null')
      expect(only.json().Items[0]).toHaveProperty('A0RID', 'A1')
      expect((await post('AvailabilityCheck?roominfo=8-1', 'null')).json().Items).toEqual([])
    })

    const idle = [
      ...['fields=Id', 'format=csv', 'getasidarray=true', 'groupby=Source', 'explain=true'],
      ...['stream=true', 'language=de', 'pagesize=1', 'availabilitycheck=false', 'idfilter=a1'],
      'bookablefilter=true',
    ]
    it.each(idle)(
      'report that %s has no effect where only offers are returned',
      async (parameter) => {
        const strict = { ...reader, prefer: 'handling=strict' }
        for (const path of [
          'AvailabilityCheck?',
          'AccommodationAvailable?availabilityonly=true&',
        ]) {
          const { statusCode, headers } = await post(`${path}${parameter}`, '"a1,a3"')
          expect([statusCode, headers['x-ignored-parameters']]).toEqual([
            200,
            parameter.split('=')[0],
          ])
          const refusal = await post(`${path}${parameter}`, '"a1,a3"', strict)
          expect([refusal.statusCode, refusal.json().errorCode]).toEqual([400, 'HUB-QRY-003'])
        }
      },
    )

    it('return the offers in the order of the list, and zero pages without offers', async () => {
      const { headers, ...response } = await post('AvailabilityCheck?rawsort=-Id', '"a1,a3"')
      const houses = response.json().Items.map((one: { A0RID: string }) => one.A0RID)
      expect([houses, headers['x-ignored-parameters']]).toEqual([['A3', 'A1'], undefined])
      const none = await post('AvailabilityCheck', '"nowhere"')
      expect(none.json()).toMatchObject({ TotalResults: 0, TotalPages: 0, Items: [] })
    })

    it('report that bookablefilter has no effect together with idfilter', async () => {
      const url = '/v1/Accommodation?availabilitycheck=true&bookablefilter=true'
      const { headers } = await get(`${url}&idfilter=A1`)
      expect(headers['x-ignored-parameters']).toBe('bookablefilter')
      expect((await get(url)).headers['x-ignored-parameters']).toBeUndefined()
    })

    it.each(['AccommodationAvailable', 'AvailabilityCheck'])('are checked at %s', async (path) => {
      const many = JSON.stringify(Array.from({ length: 1001 }, (_, index) => String(index)))
      for (const payload of [
        '{}',
        '[]',
        '","',
        '1',
        '[1]',
        '[["a"]]',
        '"a',
        many,
        JSON.stringify('\0'),
      ]) {
        const response = await post(path, payload)
        expect([payload.slice(0, 9), response.statusCode]).toEqual([payload.slice(0, 9), 400])
        expect(response.json().errorCode).toBe('HUB-BDY-001')
      }
      expect((await post(`${path}?arrival=2026-01-01`, 'null')).statusCode).toBe(400)
      expect((await post(path, 'null', { authorization: '' })).statusCode).toBe(401)
      expect((await post(path, 'null', { authorization: 'Bearer provider' })).statusCode).toBe(403)
    })
  })

  describe('follow the stored data', () => {
    it('with a new response and tag after a change, and 304 until then', async () => {
      for (const path of ['/v1/Accommodation?', '/v1/Accommodation/A3?']) {
        const url = `${path}availabilitycheck=true&arrival=2026-12-20`
        const [once, twice] = [await get(url), await get(url)]
        expect(twice.headers.etag).toBe(once.headers.etag)
        const same = { ...reader, 'if-none-match': String(once.headers.etag) }
        expect((await get(url, same)).statusCode).toBe(304)
        await push([
          {
            accommodation: 'a3',
            room: 'FULL',
            nights: [{ from: '2026-12-20', to: '2026-12-20', free: path.length }],
          },
        ])
        const changed = await get(url, same)
        expect(changed.statusCode).toBe(200)
        expect(changed.body).toContain(`"Roomfree":${String(path.length)}`)
      }
    })
  })
})
