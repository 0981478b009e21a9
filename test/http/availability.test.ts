import { expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { ids, useFreeRooms } from '../fixtures/free-rooms.ts'

describeWithDatabase('the availability check', (database) => {
  const { check } = useFreeRooms(database)

  it('returns all accommodations with an offer on one page, and counts them', async () => {
    const response = await check('pagesize=1&pagenumber=2&roominfo=0-18,18')
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'cache-control': expect.stringContaining('private'),
      'x-ignored-parameters': 'pagenumber, pagesize',
    })
    const answer = response.json()
    expect(Object.keys(answer)).toEqual([
      ...['TotalResults', 'TotalPages', 'CurrentPage', 'PreviousPage', 'NextPage', 'Seed'],
      ...['OnlineResults', 'ResultId', 'AvailableOnline', 'AvailableOnRequest'],
      ...['AccommodationsRequested', 'Items'],
    ])
    expect(ids(answer)).toEqual(['A1', 'A2', 'A3', 'CLOSED'])
    expect(answer).toMatchObject({
      ...{ TotalResults: 4, TotalPages: 1, CurrentPage: 1, PreviousPage: null, NextPage: null },
      ...{ OnlineResults: 4, AvailableOnline: 4, AvailableOnRequest: 0 },
      ...{ AccommodationsRequested: 5, ResultId: expect.stringMatching(/^[\w-]{22}$/) },
    })
  })

  it('fills MssResponseShort with the offers of each channel', async () => {
    const stay = 'arrival=2026-12-01&departure=2026-12-04'
    const answer = (await check(`${stay}&roominfo=1-18,18&bokfilter=hgv,lts`)).json()
    expect(ids(answer)).toEqual(['A1', 'A3', 'CLOSED'])
    expect(answer).toMatchObject({ OnlineResults: 3, AvailableOnRequest: 1 })
    const [first] = answer.Items
    expect(first.AccoDetail.de.Name).toBe('Haus A1')
    const [online, onRequest] = first.MssResponseShort
    expect(online).toMatchObject({
      ...{ HotelId: null, A0RID: 'A1', Bookable: true, ChannelID: 'hgv', Channellink: null },
      ...{ CheapestOffer: 300, CheapestOfferString: '300,00', CheapestOffer_ws: null },
      ...{ CheapestOffer_bb: 300, CheapestOffer_hb: 420 },
      CheapestOfferDetail: [
        {
          Service: 'price_bb',
          Price: 300,
          CheapestRoomCombinationDetail: [{ RoomId: 'SMALL', RoomSeq: 1, Price: 300, RoomFree: 2 }],
        },
        { Service: 'price_hb', Price: 420 },
      ],
    })
    expect(online.RoomDetails).toEqual([
      expect.objectContaining({
        ...{ RoomId: 'LARGE', RoomSeq: 1, TotalPrice: 360, Price_bb: 360, Price_hb: null },
        ...{ Roomtitle: 'Room LARGE', Roomdesc: null, RoomPictures: [], Roommax: 4 },
        RoomChannelLink: 'https://book.example/large',
      }),
      expect.objectContaining({
        ...{ RoomId: 'SMALL', TotalPriceString: '300,00', Roomfree: 2, Roomtype: 1, OfferId: 'BB' },
      }),
    ])
    expect(onRequest).toMatchObject({
      ChannelID: 'lts',
      CheapestOffer: 599.97,
      CheapestOfferString: '599,97',
      CheapestOffer_ws: 599.97,
      RoomDetails: [{ RoomId: 'LARGE', Price_ws: 599.97 }],
    })
  })

  it('returns texts in the requested language, and descriptions with detail=1', async () => {
    const titles = async (query: string) => {
      const [first] = (await check(`idfilter=a1&${query}`)).json().Items
      const [{ Roomtitle, Roomdesc, RoomPictures }] = first.MssResponseShort[0].RoomDetails
      return [Roomtitle, Roomdesc, RoomPictures.length]
    }
    expect(await titles('availabilitychecklanguage=de')).toEqual(['Zimmer LARGE', null, 0])
    expect(await titles('availabilitychecklanguage=it')).toEqual(['Room LARGE', null, 0])
    expect(await titles('detail=1')).toEqual(['Room LARGE', 'The room LARGE', 1])
  })

  it.each([
    // Includes a night on which nothing is free.
    ['arrival=2026-12-04&departure=2026-12-06', ['A1', 'CLOSED']],
    // The last night is the one before the departure.
    ['arrival=2026-12-04&departure=2026-12-05', ['A1', 'A3', 'CLOSED']],
    ['arrival=2026-12-31', ['A1', 'A3', 'CLOSED']],
    ['arrival=2027-01-01', []],
    ['roominfo=2-18,18', ['A2']],
    ['roominfo=4-18', []],
    ['roominfo=1-18,18,18,18', ['A1']],
    ['roominfo=1-18|1-18', ['A1', 'CLOSED']],
    ['roominfo=1-18,18|1-18,18|1-18|1-18', ['A1']],
    ['roominfo=1-18|1-18|1-18|1-18|1-18', []],
    ['bokfilter=lts', ['A1']],
    ['bokfilter=exp', []],
    ['boardfilter=4', ['A1', 'A3', 'CLOSED']],
    ['boardfilter=4&roominfo=0-18,18', ['A1', 'A3', 'CLOSED']],
    ['boardfilter=2&roominfo=2-18,18', ['A2']],
    ['boardfilter=8', []],
    ['source=lts', ['A1']],
    ['idfilter=a1,a2,empty&bookablefilter=true', ['A1']],
    ['bookablefilter=true', []],
    ['rawsort=-Shortname', ['CLOSED', 'A3', 'A1']],
  ])('for %s returns %j', async (query, expected) => {
    const response = await check(query)
    expect([response.statusCode, ids(response.json())]).toEqual([200, expected])
    expect(response.json().TotalResults).toBe(expected.length)
  })

  it('starts today by default, in the time zone of the accommodations', async () => {
    const explained = (await check('explain=true')).json()
    expect(explained.Filters[0]).toMatchObject({
      Parameter: 'availabilitycheck',
      Canonical: '2026-11-21 to 2026-11-22, 1-18,18, hgv, ws,bb,hb,fb,ai',
      Matches: 3,
    })
    expect(explained.TotalResults).toBe(3)
    expect((await check('arrival=2026-11-20')).statusCode).toBe(400)
  })

  it('keeps the offers if fields omits them, and selects fields within them', async () => {
    const items = async (query: string) => (await check(`idfilter=a1&${query}`)).json().Items
    expect(await items('fields=Shortname')).toEqual([
      {
        Id: 'A1',
        Shortname: 'House A1',
        MssResponseShort: [expect.objectContaining({ A0RID: 'A1' })],
      },
    ])
    expect(await items('fields=AccoDetail.[*].x')).toEqual([
      expect.objectContaining({ MssResponseShort: [expect.anything()] }),
    ])
    expect(await items('fields=MssResponseShort.[0].CheapestOffer')).toEqual([
      { Id: 'A1', 'MssResponseShort.[0].CheapestOffer': 100 },
    ])
    const [only] = await items('language=de&removenullvalues=true')
    expect(only.AccoDetail).toEqual({ de: { Name: 'Haus A1' } })
    expect(only.MssResponseShort[0]).not.toHaveProperty('HotelId')
  })

  it('is available in every format and as a list of identifiers', async () => {
    expect((await check('getasidarray=true')).json()).toEqual(['A1', 'A3', 'CLOSED'])
    const lines = (await check('format=ndjson&stream=true')).body.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).MssResponseShort[0].A0RID)).toEqual([
      'A1',
      'A3',
      'CLOSED',
    ])
    const table = (await check('format=csv&fields=Shortname')).body
    expect(table).toContain('Id,Shortname,MssResponseShort\r\n')
    expect((await check('format=csv')).body.split('\r\n')[0]).toContain('MssResponseShort')
    expect((await check('format=geojson')).json().features).toHaveLength(3)
    expect((await check('format=json-ld')).json()['@graph']).toHaveLength(3)
    expect((await check('format=rawdata')).statusCode).toBe(200)
  })
})
