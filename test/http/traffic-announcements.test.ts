import { expect, it } from 'vitest'
import { contentRoutes, toNaming, viewsOf } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl } from '../fixtures/test-app.ts'
import { useTrafficHub } from '../fixtures/traffic-hub.ts'

const closure = {
  uuid: 'closure-1',
  series: 'Closure',
  name: '4711',
  category: 'roads',
  tags: ['traffic-event:closure'],
  severity: 'high',
  start: '2026-05-10T22:00:00Z',
  end: '2026-06-10T22:00:00Z',
  title: { de: 'Sperre', it: 'Chiusura' },
  text: { it: 'A nord di Varna.', en: ' ' },
  geometry: { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] },
  metadata: { messageId: 7 },
}
const works = {
  uuid: 'works-1',
  tags: ['announcement:traffic-event', 'traffic-event:road-work'],
  start: '2026-07-01T00:00:00+02:00',
  title: { en: 'Road works' },
  geometry: {
    type: 'LineString',
    coordinates: [
      [11, 46],
      [11.5, 46.5],
      [12, 46],
    ],
  },
  metadata: { Mapping: { ProviderA: { Id: '12' } } },
}
const secret = { uuid: 'secret-1', title: { en: 'Secret' } }

const events = (origin: string, items: readonly object[], more: object = {}) => ({
  kind: 'events',
  origin,
  items,
  ...more,
})

describeWithDatabase('Announcements', (database) => {
  const hub = useTrafficHub(database)

  const list = async (query = '', caller?: string) => {
    const headers = caller === undefined ? {} : { authorization: `Bearer ${caller}` }
    const answer = await hub.ask({ url: `/v1/Announcement${query}`, headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer
  }
  const ids = async (query: string, caller?: string) => {
    const asked = query === '' ? '?getasidarray=true' : `${query}&getasidarray=true`
    return (await list(asked, caller)).json<string[]>().sort()
  }
  const one = async (id: string) =>
    (await hub.ask({ url: `/v1/Announcement/${id}` })).json<object>()

  it('are the pushed events, in the format of the public system', async () => {
    const receipt = await hub.push([
      events('PROVINCE_BZ', [closure]),
      events('A22', [works]),
      events('A22', [secret], { closed: true }),
    ])
    expect(receipt).toMatchObject({ stored: 3, rejected: [] })
    expect(await one('closure')).toMatchObject({
      Id: 'closure',
      Active: true,
      Source: 'PROVINCE_BZ',
      Shortname: 'Chiusura',
      StartTime: '2026-05-10T22:00:00.000Z',
      EndTime: '2026-06-10T22:00:00.000Z',
      HasLanguage: ['de', 'it'],
      TagIds: ['announcement:traffic-event', 'traffic-event:closure'],
      Detail: {
        de: { Language: 'de', Title: 'Sperre', BaseText: null },
        it: { Language: 'it', Title: 'Chiusura', BaseText: 'A nord di Varna.' },
      },
      Geo: {
        position: {
          Latitude: 46.7459449772936,
          Longitude: 11.6380410572096,
          Geometry: 'POINT(11.6380410572096 46.7459449772936)',
          Default: true,
        },
      },
      Mapping: { province_bz: { Id: '4711' } },
      LicenseInfo: { ClosedData: false },
      AdditionalProperties: {
        MobilityEvent: { Uuid: 'closure-1', Series: 'Closure', Version: 1, Severity: 'high' },
      },
      _Meta: { Id: 'closure', Type: 'announcement', Source: 'province_bz' },
      Self: 'http://hub.test/v1/Announcement/closure',
    })
    expect(await one('WORKS-1')).toMatchObject({
      EndTime: null,
      TagIds: works.tags,
      Geo: {
        position: { Latitude: 46, Longitude: 11, Geometry: 'LINESTRING(11 46,11.5 46.5,12 46)' },
      },
      Mapping: { ProviderA: { Id: '12' } },
    })
  })

  it('have their origins among the sources', async () => {
    const sources = sql`select id, data ->> 'Types' from content.source order by id`
    expect(await database().texts(sources)).toEqual([
      ['a22', '["announcement"]'],
      ['province_bz', '["announcement"]'],
    ])
  })

  it('are returned in pages, in the envelope of every list', async () => {
    const first = (await list('?pagesize=1')).json<Record<string, unknown>>()
    expect(first).toMatchObject({ TotalResults: 2, TotalPages: 2, CurrentPage: 1 })
    expect(first['NextPage']).toContain('pagenumber=2')
    expect((await list('?pagesize=200000')).json<{ Items: unknown[] }>().Items).toHaveLength(2)
  })

  it.each([
    ['?tagfilter=announcement:traffic-event', ['closure', 'works-1']],
    ['?tagfilter=and(announcement:traffic-event,traffic-event:closure)', ['closure']],
    ['?source=a22', ['works-1']],
    ['?source=PROVINCE_BZ', ['closure']],
    ['?idlist=CLOSURE', ['closure']],
    ['?langfilter=de', ['closure']],
    ['?searchfilter=chiusura', ['closure']],
    ['?active=true', ['closure', 'works-1']],
    ['?begin=2026-06-11', ['works-1']],
    ['?end=2026-06-29', ['closure']],
    ['?end=2026-06-30', ['closure', 'works-1']],
    ['?end=2026-06-30T22:00:00Z', ['closure', 'works-1']],
    ['?end=9999-12-31', ['closure', 'works-1']],
    ['?begin=2026-06-11T00:00:00+02:00', ['closure', 'works-1']],
    ['?begin=2026-06-11T00:00:01%2B02:00', ['works-1']],
    ['?begin=2026-06-01&end=2026-06-02', ['closure']],
    ['?updatefrom=2020-01-01T00:00:00Z', ['closure', 'works-1']],
    ['?updatefrom=2999-01-01', []],
    ['?polygon=bbi(11.4,46.4,11.6,46.6)', ['works-1']],
    ['?polygon=bbc(11.4,46.4,11.6,46.6)', []],
    ['?latitude=46.74&longitude=11.63&radius=2000', ['closure']],
    ["?rawfilter=eq(AdditionalProperties.MobilityEvent.Severity,'high')", ['closure']],
  ])('are filtered: %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it.each([
    '?begin=soon',
    '?end=2026-02-30',
    '?updatefrom=31.1.2026',
    '?begin=2026-02-02&end=2026-01-01',
  ])('refuse %s', async (query) => {
    const answer = await hub.ask({ url: `/v1/Announcement${query}` })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errors: [{ expected: expect.anything() }] })
  })

  it('can be reduced to fields and a language, and are available in other formats', async () => {
    const { Items } = (
      await list('?fields=Detail.it.Title,Geo.position.Latitude&idlist=closure')
    ).json<{ Items: unknown[] }>()
    expect(Items).toEqual([
      { Id: 'closure', 'Detail.it.Title': 'Chiusura', 'Geo.position.Latitude': 46.7459449772936 },
    ])
    const german = (await list('?language=de&idlist=closure')).json<{
      Items: { Detail: object }[]
    }>()
    expect(Object.keys(german.Items[0]?.Detail ?? {})).toEqual(['de'])
    expect((await list('?format=geojson&idlist=closure')).json()).toMatchObject({
      features: [
        { id: 'closure', geometry: { coordinates: [11.6380410572096, 46.7459449772936] } },
      ],
    })
    expect((await list('?format=csv&fields=Source')).body).toContain('closure,PROVINCE_BZ')
    expect((await list('?format=ndjson')).body.trim().split('\n')).toHaveLength(2)
  })

  it('include closed events only for callers who may see them', async () => {
    expect(await ids('', 'closed')).toEqual(['closure', 'secret-1', 'works-1'])
    expect((await hub.ask({ url: '/v1/Announcement/secret-1' })).statusCode).toBe(404)
    expect((await list()).headers['x-withheld']).toBe('records;reason=no-token')
  })

  it.each([
    ['the origin', { origin: 'A22' }, true],
    ['another origin', { origin: 'PROVINCE_BZ' }, false],
    ['content, which they are not', { area: 'content' as const }, false],
  ])('are opened only by a matching rule for events: for %s', async (_of, rule, isOpened) => {
    const any = {
      role: 'X',
      area: 'event',
      origin: null,
      type: null,
      dataType: null,
      period: null,
    } as const
    const visibility = { kind: 'rules', rules: [{ ...any, ...rule }] } as const
    const basis = { database: database(), entities: viewsOf(toNaming('Hub')), publicUrl }
    const app = await createTestApp(contentRoutes({ ...basis, visibilityOf: () => visibility }))
    const { statusCode } = await app.inject('/v1/Announcement/secret-1')
    expect(statusCode).toBe(isOpened ? 200 : 404)
  })

  it('change with their events: a new state, a cancellation, another series', async () => {
    const etag = (await list()).headers['etag']
    await hub.push([events('PROVINCE_BZ', [closure])])
    expect((await list()).headers['etag'], 'the same event again').toBe(etag)
    await hub.push([
      events('PROVINCE_BZ', [
        { ...closure, uuid: 'closure-2', cancelled: true, title: { de: 'Aufgehoben' } },
      ]),
    ])
    expect((await list()).headers['etag']).not.toBe(etag)
    expect(await one('closure')).toMatchObject({
      Active: false,
      Detail: { de: { Title: 'Aufgehoben' } },
      AdditionalProperties: { MobilityEvent: { Uuid: 'closure-2', Version: 2 } },
      _Meta: { UpdateInfo: { Revision: 2 } },
    })
    await hub.push([events('A22', [{ ...works, series: 'elsewhere' }])])
    expect(await ids('')).toEqual(['closure', 'elsewhere'])
  })

  it('have distinct ids for equal series of two providers, regardless of letter case', async () => {
    await hub.push([
      events('OTHER', [{ uuid: 'other', series: 'closure', title: { it: 'Altra' } }]),
    ])
    const all = await ids('')
    expect(all).toHaveLength(3)
    expect(all.filter((id) => id.startsWith('closure'))).toEqual([
      'closure',
      expect.stringMatching(/^closure@[0-9a-f]{32}$/),
    ])
    await hub.push([
      events('OTHER', [{ uuid: 'other-2', series: 'closure', title: { it: 'Altra 2' } }]),
    ])
    expect(await ids('')).toEqual(all)
  })

  it('do not match an end date if they start when that day ends', async () => {
    await hub.push([events('NIGHT', [{ uuid: 'night-1', start: '2027-01-01T00:00:00Z' }])])
    const isFoundBy = async (end: string) => (await ids(`?source=night&end=${end}`)).length === 1
    expect(await isFoundBy('2026-12-31')).toBe(false)
    expect(await isFoundBy('2027-01-01')).toBe(true)
    expect(await isFoundBy('2027-01-01T00:00:00Z')).toBe(true)
  })
})
