import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { square } from '../fixtures/houses.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))

const day = (EventDateId: string, From: string, rest = {}) => ({
  ...{ EventDateId, From: `${From}T00:00:00`, To: `${From}T00:00:00` },
  ...{ Begin: '10:00:00', End: '12:00:00', Active: true, ...rest },
})

const [ring = []] = square.Geometry.coordinates
const far = [ring.map(([x = 0, y = 0]) => [x + 30, y])]

const records = {
  Event: [
    {
      Id: 'E1',
      EventDate: [
        day('e1b', '2026-05-02'),
        day('e1a', '2026-05-01'),
        day('off', '2026-05-03', { Active: false }),
      ],
    },
    {
      Id: 'E2',
      EventDate: [day('e2', '2026-05-01', { Begin: '11:00:00' }), day('e2late', '2026-09-01')],
    },
    { Id: 'E3', DateBegin: '2026-12-05T00:00:00', DateEnd: '2026-12-06T00:00:00' },
  ],
  EventShort: [
    {
      Id: 'short',
      StartDate: '2026-05-01T08:00:00',
      EndDate: '2026-05-01T18:00:00',
      RoomBooked: [
        { Comment: 'X', StartDate: '2026-05-01T08:00:00', EndDate: '2026-05-01T18:00:00' },
        {
          Comment: '',
          StartDate: '2026-05-01T10:00:00',
          EndDate: '2026-05-01T11:00:00',
          StartDateUTC: 5,
        },
      ],
    },
    { Id: 'midnight', StartDate: '2026-12-05T00:00:00', EndDate: '2026-12-05T10:00:00' },
  ],
  Venue: [{ Id: 'V', RoomDetails: [{ Id: 'r1' }, { Id: 'r2' }] }],
  Tag: [{ Id: 'summer' }],
  HubActivityPoi: [
    { Id: 'alm', HubActive: true, Detail: { de: { Title: 'Alm' }, it: { Title: 'Malga' } } },
  ],
  Article: [
    { Id: 'A', Type: 'basisartikel' },
    { Id: 'NEXT', ArticleDate: '2026-12-05T00:00:00', ArticleDateTo: '9999-12-31T00:00:00' },
  ],
  Accommodation: [{ Id: 'H', TagIds: ['summer'] }],
  TourismAssociation: [{ Id: 'TV1', RegionId: 'R1' }],
  Municipality: [{ Id: 'M1', RegionId: 'R1', TourismvereinId: 'TV1' }],
  District: [{ Id: 'D1', TourismvereinId: 'TV1' }],
  WeatherDistrict: [
    { Id: '1', TourismVereinIds: ['TV1'] },
    { Id: '2', TourismVereinIds: ['TV2'] },
  ],
  WeatherForecast: [
    { Id: 'forecast_1', LocationInfo: { MunicipalityInfo: { Id: 'M1' } } },
    { Id: 'forecast_2', LocationInfo: { MunicipalityInfo: { Id: 'M2' } } },
  ],
  Weather: [
    {
      Id: '9',
      Date: '2026-05-01T10:00:00',
      Conditions: [],
      Stationdata: [
        { Id: 3, MaxTemp: 20 },
        { Id: 4, MaxTemp: 9 },
      ],
    },
  ],
  GeoShape: [
    square,
    { ...square, Id: 'far', Name: 'Ferne', Geometry: { type: 'Polygon', coordinates: far } },
  ],
}

async function storeAll(database: Database): Promise<void> {
  for (const [name, some] of Object.entries(records)) {
    const entity = entities.find((one) => one.name === name)
    if (entity === undefined) throw new Error(name)
    const write = { entity, records: some, deletions: [], received: new Date(), provider: 'demo' }
    await database.transaction((tx) => storeRecords(tx, write))
  }
}

describeWithDatabase('a list of records', (database) => {
  let app: FastifyInstance
  const strict = { prefer: 'handling=strict' }
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url, headers })
    return { status: answer.statusCode, json: answer.json(), text: answer.body }
  }
  const ids = async (url: string) =>
    (await get(url)).json.Items.map(({ Id }: { Id: string }) => Id).join()

  beforeAll(async () => {
    await storeAll(database())
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
  })
  afterAll(() => app.close())

  it('returns an event once for every date in the window, sorted by start', async () => {
    const url = '/v1/Event?begindate=2026-05-01&enddate=2026-05-02&denormalize=true'
    const { json } = await get(`${url}&fields=Id,DateBegin,EventDate.[*].EventDateId`)
    expect(json.TotalResults).toBe(2)
    expect(json.Items).toEqual([
      { Id: 'E1', DateBegin: '2026-05-01T10:00:00', 'EventDate.[*].EventDateId': ['e1a'] },
      { Id: 'E2', DateBegin: '2026-05-01T11:00:00', 'EventDate.[*].EventDateId': ['e2'] },
      { Id: 'E1', DateBegin: '2026-05-02T10:00:00', 'EventDate.[*].EventDateId': ['e1b'] },
    ])
    expect((await get('/v1/Event?denormalize=true&stream=true')).json.Items).toHaveLength(6)
  })

  it('returns an event without EventDate once, with its own start and end', async () => {
    const own = '/v1/Event?idlist=E3&denormalize=true&fields=Id,DateBegin,DateEnd'
    for (const window of ['', '&begindate=2026-12-05&enddate=2026-12-05']) {
      expect((await get(`${own}${window}`)).json.Items).toEqual([
        { Id: 'E3', DateBegin: '2026-12-05T00:00:00', DateEnd: '2026-12-06T00:00:00' },
      ])
    }
  })

  it.each([
    ['Event?enddate=9999-12-31', 'E1,E2,E3'],
    ['Event?enddate=9999-12-31&denormalize=true', 'E1,E2,E1,E1,E2,E3'],
    ['EventShort?enddate=9999-12-31', 'short,midnight'],
    ['Article?enddate=9999-12-31', 'NEXT'],
    ['Article?startdate=9999-12-31', 'NEXT'],
    ['Weather?dateto=9999-12-31', '9'],
  ])('accepts the last possible day: %s', async (query, wanted) => {
    expect(await ids(`/v1/${query}`)).toBe(wanted)
  })

  it.each([
    ['Article?enddate=2026-12-04', ''],
    ['Article?startdate=2026-12-04', ''],
    ['Article?startdate=2026-12-03&enddate=2026-12-04', ''],
    ['Article?startdate=2026-12-03&enddate=2026-12-05', 'NEXT'],
    ['Article?startdate=2026-12-03&enddate=2026-12-05 00:00', 'NEXT'],
    ['EventShort?startdate=2026-12-03&enddate=2026-12-04', ''],
    ['EventShort?startdate=2026-12-03&enddate=2026-12-05', 'midnight'],
    ['EventShort?startdate=2026-12-03&enddate=2026-12-05 00:00', 'midnight'],
    ['Event?begindate=2026-12-03&enddate=2026-12-04', ''],
    ['Event?begindate=2026-12-03&enddate=2026-12-05', 'E3'],
    ['Event?begindate=2026-12-03&enddate=2026-12-05 00:00', 'E3'],
    ['Event?begindate=2026-12-05 00:00&enddate=2026-12-05 00:00', 'E3'],
    ['Event?begindate=2026-12-03&enddate=2026-12-05 00:00&denormalize=true', 'E3'],
    ['Event?begindate=2026-05-01 10:30&enddate=2026-05-01 11:00&denormalize=true', 'E1,E2'],
    ['Event?begindate=2026-05-01 10:30&enddate=2026-05-01 10:59&denormalize=true', 'E1'],
  ])('excludes records that start at the end of the last day: %s', async (query, wanted) => {
    expect(await ids(`/v1/${query}`)).toBe(wanted)
  })

  it.each([
    ['dateto=2026-04-30', ''],
    ['dateto=2026-05-01', '9'],
    ['dateto=2026-05-01 09:59', ''],
    ['dateto=2026-05-01 10:00', '9'],
    ['datefrom=2026-05-01 10:00&dateto=2026-05-01 10:00', '9'],
  ])('finds bulletins issued by a time or on a day: %s', async (query, wanted) => {
    expect(await ids(`/v1/Weather?${query}`)).toBe(wanted)
  })

  it.each([
    ['Event?begindate=2026-12-02&enddate=2026-12-01', 400],
    ['Event?begindate=2026-12-02&enddate=2026-12-02', 200],
    ['Event?begindate=2026-12-02 10:00&enddate=2026-12-02 09:59', 400],
    ['Event?begindate=2026-12-02 10:00&enddate=2026-12-02 10:00', 200],
    ['Article?startdate=9999-12-31&enddate=9999-12-31', 200],
  ])('refuses a window that ends before it starts: %s', async (query, status) => {
    expect((await get(`/v1/${query}`)).status).toBe(status)
  })

  it('returns only active dates of an event, within the window if it is set', async () => {
    const dates = async (query: string) => {
      const { json } = await get(`/v1/Event?idlist=E1&optimizedates=true&${query}`)
      return json.Items[0].EventDate.map((date: { EventDateId: string }) => date.EventDateId)
    }
    expect(await dates('')).toEqual(['e1b', 'e1a'])
    expect(await dates('begindate=2026-05-02')).toEqual(['e1b'])
  })

  it('excludes hidden bookings, and returns the times of the others', async () => {
    const { json } = await get('/v1/EventShort?optimizedates=true')
    expect(json.Items[0]).toMatchObject({
      ...{ StartDate: '2026-05-01T10:00:00', EndDate: '2026-05-01T11:00:00', StartDateUTC: 5 },
      RoomBooked: [{ Comment: '' }],
    })
  })

  it('returns a venue once for every room', async () => {
    const { json } = await get('/v1/Venue?denormalize=true')
    expect(json.Items).toMatchObject([
      { RoomDetails: [{ Id: 'r1' }] },
      { RoomDetails: [{ Id: 'r2' }] },
    ])
  })

  it.each([
    ['District?locfilter=1', '1'],
    ['District?locfilter=2,1', '1,2'],
    ['District?locfilter=tvsTV2', '2'],
    ['District?locfilter=regr1', '1'],
    ['District?locfilter=munM1', '1'],
    ['District?locfilter=fraD1', '1'],
    ['District?locfilter=munNONE', ''],
    ['Forecast?locfilter=munM2', 'forecast_2'],
    ['Forecast?locfilter=regR1', 'forecast_1'],
    ['Forecast?locfilter=tvsTV1', 'forecast_1'],
    ['Forecast?locfilter=tvsNONE', ''],
  ])('finds weather by place: %s', async (query, wanted) => {
    expect(await ids(`/v1/Weather/${query}`)).toBe(wanted)
  })

  it('returns only the data of one station from a bulletin', async () => {
    const { json } = await get('/v1/Weather?locfilter=3')
    expect(json.Items).toMatchObject([{ Id: '9', Stationdata: [{ Id: 3, MaxTemp: 20 }] }])
    expect(json.Items[0]).not.toHaveProperty('Conditions')
    expect(await ids('/v1/Weather?locfilter=1')).toBe('')
  })

  it.each([
    ['it.region.Mitte', 'shape1'],
    ['far', 'far'],
    ['bbi(11.1 46.5,11.2 46.55)', 'shape1'],
    ['bbc(11.1 46.5,11.2 46.55)', ''],
    ['bbc(11 46,12 47)', 'shape1'],
    ['POLYGON((41 46,42 46,42 47,41 47,41 46))', 'far'],
  ])('finds shapes by %s', async (polygon, wanted) => {
    expect(await ids(`/v1/GeoShapes?polygon=${encodeURIComponent(polygon)}`)).toBe(wanted)
  })

  it.each([
    ['/v1/Accommodation?tagfilter=winter', 'tagfilter'],
    ['/v1/Accommodation?tagfilter=and(summer,Summer)', 'tagfilter'],
    ['/v1/Accommodation?hubtagfilter=winter', 'hubtagfilter'],
    ['/v1/HubActivityPoi?hubtagfilter_and=SUMMER,winter', 'hubtagfilter_and'],
  ])(
    'refuses unknown tags under strict handling, and accepts them otherwise: %s',
    async (url, parameter) => {
      expect((await get(url)).status).toBe(200)
      const { status, json } = await get(url, strict)
      expect([status, json.errorCode, json.errors[0].parameter]).toEqual([
        400,
        'HUB-QRY-003',
        parameter,
      ])
    },
  )

  it.each([
    ['/v1/Venue?seed=3&rawsort=Id', 'seed'],
    ['/v1/Venue?seed=3&latitude=46&longitude=11', 'seed'],
    ['/v1/Venue?rawsort=Id&latitude=46&longitude=11', 'rawsort'],
    ['/v1/Event?sort=desc&rawsort=Id', 'sort'],
    ['/v1/Venue?bom=true', 'bom'],
    ['/v1/Venue/V?bom=true', 'bom'],
    ['/v1/Venue?groupby=Id&bom=true', 'bom'],
    ['/v1/Venue?groupby=Id&format=geojson', 'format'],
    ['/v1/Venue?explain=true&format=csv', 'format'],
    ['/v1/Venue?explain=true&fields=Id', 'fields'],
    ['/v1/Venue?explain=true&denormalize=true', 'denormalize'],
    ['/v1/Venue?explain=true&getasidarray=true', 'getasidarray'],
    ['/v1/Venue?getasidarray=true&format=csv', 'format'],
    ['/v1/Venue?getasidarray=true&fields=Id', 'fields'],
    ['/v1/Venue?getasidarray=true&language=de', 'language'],
    ['/v1/Venue?getasidarray=true&pagesize=2', 'pagesize'],
    ['/v1/Venue?getasidarray=true&denormalize=true', 'denormalize'],
    ['/v1/Venue?stream=true&pagenumber=2', 'pagenumber'],
    ['/v1/Venue?format=json-ld&fields=Id', 'fields'],
    ['/v1/Accommodation?arrival=2199-01-30', 'arrival'],
    ['/v1/Accommodation/H?bokfilter=hgv', 'bokfilter'],
    ['/v1/Accommodation?groupby=Id&roominfo=1-18', 'roominfo'],
    ['/v1/Location?pagesize=2', 'pagesize'],
  ])(
    'reports a parameter without effect, and refuses it under strict handling: %s',
    async (url, parameter) => {
      const lenient = await app.inject({ url })
      expect([lenient.statusCode, lenient.headers['x-ignored-parameters']]).toEqual([
        200,
        parameter,
      ])
      const { status, json } = await get(url, strict)
      expect([status, json.errorCode, json.errors[0].parameter]).toEqual([
        400,
        'HUB-QRY-003',
        parameter,
      ])
    },
  )

  it.each([
    ['/v1/HubActivityPoi?fields=OdhActive', [{ Id: 'alm', OdhActive: true }]],
    ['/v1/HubActivityPoi?groupby=OdhActive', [{ OdhActive: true, count: 1 }]],
    ['/v1/HubActivityPoi?agg=count(OdhActive)', [{ 'count(OdhActive)': 1 }]],
    ['/v1/Find?q=alm&fields=OdhActive', [{ Id: 'alm', OdhActive: true }]],
    [
      '/v1/Distinct?type=hubactivitypoi&fields=OdhActive&rawsort=HubActive&pagenumber=1',
      [{ OdhActive: 'true' }],
    ],
    [
      '/v1/HubActivityPoi?fields=Detail.*.Title',
      [{ Id: 'alm', 'Detail.*.Title': ['Alm', 'Malga'] }],
    ],
    [
      '/v1/HubActivityPoi?fields=Detail.*.Title&language=it',
      [{ Id: 'alm', 'Detail.*.Title': ['Malga'] }],
    ],
    [
      '/v1/HubActivityPoi?groupby=Detail.*.Title',
      [
        { 'Detail.*.Title': 'Alm', count: 1 },
        { 'Detail.*.Title': 'Malga', count: 1 },
      ],
    ],
  ])('accepts paths in either spelling, and to all fields of an object: %s', async (url, items) => {
    expect((await get(url)).json.Items).toMatchObject(items)
  })

  it.each([
    ['begindate=2026-05-01T12:30:00%2B02:00&enddate=2026-05-01T12:50:00%2B02:00', 'E1'],
    ['begindate=2026-05-01T12:30:00%200200&enddate=2026-05-01%2010:50Z', 'E1'],
    ['begindate=2026-05-01T10:30:00&enddate=2026-05-01T10:50:00', 'E1'],
  ])('accepts time zone offsets in the dates of events: %s', async (query, wanted) => {
    expect(await ids(`/v1/Event?${query}`)).toBe(wanted)
  })

  it.each([
    '/v1/Venue?getasidarray=true&language=de&searchfilter=abc',
    '/v1/Venue?getasidarray=true&format=json&seed=3',
    '/v1/Venue?explain=true&seed=3&groupby=Id',
    '/v1/Venue?format=csv&bom=true&rawsort=Id&pagenumber=1&pagesize=10',
    '/v1/Venue?groupby=Id&format=csv&bom=true',
    '/v1/Accommodation?availabilitycheck=false',
  ])('reports no parameter if each has an effect: %s', async (url) => {
    const { statusCode, headers } = await app.inject({ url, headers: strict })
    expect([statusCode, headers['x-ignored-parameters']]).toEqual([200, undefined])
  })

  it('accepts known tags under strict handling', async () => {
    expect((await get('/v1/Accommodation?tagfilter=summer', strict)).status).toBe(200)
    expect((await get('/v1/Accommodation?hubtagfilter=SUMMER', strict)).status).toBe(200)
  })
})
