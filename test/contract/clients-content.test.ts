import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, syncEntityTables, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

/**
 * The public system's names (decision D10): its clients run unchanged in the compatible profile.
 * Not covered here yet: /v1/Location, /v1/Distinct, /v1/Find and the lists of types such as
 * /v1/ArticleTypes.
 */
const entities = entitiesOf(toNaming('ODH'))

type ContentRecord = Readonly<Record<string, unknown>> & { readonly Id: string }

const place = { Latitude: 46.5, Longitude: 11.35, Gpstype: 'position', Default: true }
const records: Readonly<Record<string, readonly ContentRecord[]>> = {
  Accommodation: Array.from({ length: 30 }, (_, index) => ({
    Id: `ACC${String(index)}`,
    Active: true,
    AccoDetail: { en: { Name: `House ${String(index)}` } },
    GpsInfo: [place],
  })),
  ODHActivityPoi: [
    {
      Id: 'charging1',
      Active: true,
      TagIds: ['electric charging stations'],
      SmgTags: ['electric charging stations'],
      Detail: { en: { Title: 'Charger' } },
      GpsInfo: [place],
    },
  ],
  SkiArea: [{ Id: 'SKI1', Active: true, Detail: { en: { Title: 'Slopes' } } }],
  Municipality: [{ Id: 'MUN1', Shortname: 'Town' }],
  Source: [{ Id: 'lts', Types: ['event'] }],
  Publisher: [{ Id: 'publisher' }],
  WebcamInfo: [{ Id: 'cam1', Active: true }, { Id: 'cam2', Active: true }],
  Event: [{ Id: 'EVENT1', Active: true, Detail: { en: { Title: 'Concert' } } }],
  Venue: [{ Id: 'VENUE1', RoomDetails: [{ Id: 'room', Shortname: 'Room' }], Source: 'eurac' }],
}

describeWithDatabase('the compatible profile, for clients of the public system', (database) => {
  let app: FastifyInstance
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url, headers })
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer
  }

  beforeAll(async () => {
    await syncEntityTables(database(), entities)
    app = await createTestApp(
      contentRoutes({
        ...{ database: database(), entities, publicUrl, visibilityOf },
        profile: 'compatible',
      }),
    )
    for (const entity of entities) {
      const write = { entity, records: records[entity.name] ?? [], deletions: [], provider: 'lts' }
      await database().transaction((tx) => storeRecords(tx, { ...write, received: new Date() }))
    }
  })
  afterAll(() => app.close())

  it.each([
    ['/v1/Accommodation?pagesize=25&pagenumber=1&language=en', 25],
    ['/v1/Accommodation?pagesize=1000000&fields=Id,GpsInfo,Shortname', 30],
    ['/v1/Accommodation?pagesize=3&latitude=46.5&longitude=11.35&radius=300&active=true&fields=Id,AccoDetail', 3],
    ['/v1/ODHActivityPoi?tagfilter=electric%20charging%20stations&pageSize=-1', 1],
    ['/v1/WebcamInfo?idlist=cam1,cam2&active=true&pagesize=1000', 2],
    ['/v1/Source?pagesize=-1', 2],
    ['/v1/Publisher?pagesize=100', 1],
    ['/v1/SkiArea?origin=webcomp&pagenumber=1&pagesize=20&idlist=&odhtagfilter=&active=true&language=en&langfilter=en&seed=5&searchfilter=&removenullvalues=false', 1],
    ['/v1/Tag?pagenumber=1&pagesize=0&language=en&fields=Id&fields=TagName&rawfilter=eq(Mapping.odh.parent_id,"Aufstiegsanlagen")', 0],
    ['/v1/Event?pagesize=20&active=true&sort=&language=en&langfilter=en&origin=events', 1],
    ['/v1/Venue?source=eurac', 1],
    ['/v1/MetaData?pagesize=1000', 0],
    ['/v1/MetaData?pagesize=1000&origin=webcomp-datasets-list', 0],
    ['/v1/Tag?validforentity=article&fields=Id,TagName&pagesize=0', 0],
    ['/v1/Source?pagesize=-1&typelist=event', 1],
    ['/v1/Accommodation?rawsort=-Shortname&pagesize=25', 25],
    ['/v1/Accommodation?rawsort=AccoDetail.en.Name&pagesize=25&pagenumber=2', 5],
    ["/v1/Accommodation?pagesize=50&rawfilter=and(eq(Active,'true'),like(AccoDetail.en.Name,'House 1'))", 11],
    ["/v1/Accommodation?pagesize=50&rawfilter=and(eq(Active,true),like(AccoDetail.en.Name,'House 1'))", 11],
    ["/v1/Accommodation?pagesize=50&rawfilter=and(eq(AccoDetail.en.Name,'House 1'))", 1],
    ["/v1/Accommodation?pagesize=50&rawfilter=and(ne(AccoDetail.en.Name,'House 1'),ge(Id,'ACC'),le(Id,'ACC1'))", 1],
    ["/v1/Accommodation?pagesize=50&rawfilter=and(gt(GpsInfo.0.Latitude,46),lt(GpsInfo.0.Latitude,47))", 30],
    ['/v1/Accommodation?pagesize=50&rawfilter=and(isnotnull(AccoDetail.en.Name),isnull(Nothing))', 30],
    ["/v1/Accommodation?pagesize=50&rawfilter=in(GpsInfo.[*].Gpstype,'position')", 30],
    ["/v1/Accommodation?pagesize=50&rawfilter=nin(GpsInfo.[*].Gpstype,'position')", 0],
    ["/v1/Accommodation?pagesize=50&rawfilter=likein(GpsInfo.[*].Gpstype,'posi')", 30],
    ['/v1/Accommodation?searchfilter=house&language=en&pagesize=100', 30],
    ['/v1/ODHActivityPoi?type=32&pagesize=3&latitude=46.5&longitude=11.35&radius=300&active=true&fields=Id,Detail,ContactInfos', 0],
    ['/v1/ODHActivityPoi?language=en&pagenumber=1&pagesize=1000&langfilter=en&areafilter=skaSKI1&source=dss&odhtagfilter=aufstiegsanlagen&active=true&removenullvalues=false', 0],
    ['/v1/ODHActivityPoi?pagenumber=1&pagesize=20&activitytype=Berg&subtype=null&idlist=null&locfilter=null&areafilter=null&distancefilter=null&altitudefilter=null&durationfilter=null&highlight=null&difficultyfilter=null&active=null&odhactive=null&odhtagfilter=null&seed=null', 0],
    ['/v1/ODHActivityPoi?pagenumber=1&pagesize=10&activitytype=11&locfilter=tvs5228229651CA11D18F1400A02427D15E&odhactive=true&active=true&seed=null', 0],
    ['/v1/Event?begindate=2026-01-01&locfilter=&source=&language=en&langfilter=en&pagesize=20&active=true&sort=&origin=events', 0],
    ['/v1/Event?tagfilter=ec&begindate=1767225600000&enddate=1798761600000&datetimeformat=uxtimestamp&sort=upcoming&active=true&publishedon=today.noi.bz.it&optimizedates=true&origin=x&denormalize=true', 0],
    ['/v1/Weather/Measuringpoint?skiareafilter=SKI1&active=true&pagenumber=1', 0],
  ])('returns %s in an envelope', async (url, count) => {
    const { Items, ...envelope } = (await get(url)).json()
    expect(Items).toHaveLength(count)
    expect(Object.keys(envelope)).toEqual([
      'TotalResults',
      'TotalPages',
      'CurrentPage',
      'PreviousPage',
      'NextPage',
      'Seed',
    ])
  })

  it.each(['/v1/SkiArea', '/v1/Municipality/?removenullvalues=false', '/v1/Municipality'])(
    'returns %s as a bare array, and in an envelope if a page is requested',
    async (url) => {
      expect((await get(url)).json()).toHaveLength(1)
      const paged = `${url}${url.includes('?') ? '&' : '?'}pagenumber=1`
      expect((await get(paged)).json()).toMatchObject({ TotalResults: 1, CurrentPage: 1 })
    },
  )

  it('names fields as they were requested, and exports them as CSV', async () => {
    const url = '/v1/Accommodation?pagesize=1&pagenumber=1&fields=Id,AccoDetail.en.Name'
    expect((await get(url)).json().Items).toEqual([{ Id: 'ACC0', 'AccoDetail.en.Name': 'House 0' }])
    const table = await get(url, { accept: 'text/csv' })
    expect(table.body).toBe('Id,AccoDetail.en.Name\r\nACC0,House 0\r\n')
  })

  it.each(['/json/swagger.json', '/swagger/v1/swagger.json'])(
    'describes the service at %s, with its URL',
    async (url) => {
      const { openapi, servers, paths } = (await get(url)).json()
      expect(openapi).toMatch(/^3\./)
      expect(servers).toMatchObject([{ url: publicUrl }])
      expect(paths['/v1/Accommodation'].get.responses).toHaveProperty('200')
    },
  )

  it('returns an empty envelope for the responses of publishers', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/PushResponseSearch?latest=true&pagesize=25',
      payload: { objectidlist: 'ACC0,ACC1' },
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ TotalResults: 0, NextPage: null, Items: [] }),
    ])
  })

  it('returns one record, with and without a language', async () => {
    expect((await get('/v1/Accommodation/ACC0?language=en')).json()).toMatchObject({ Id: 'ACC0' })
    expect((await get('/v1/Accommodation/acc0')).json()).toMatchObject({ Id: 'ACC0' })
  })
})
