import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { beforeAll, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { Principal, Visibility } from '../../src/access/index.ts'
import { contentRoutes, entitiesOf, toNaming, viewsOf } from '../../src/content/index.ts'
import { measureDay, qualityRoutes } from '../../src/quality/index.ts'
import {
  storeDataTypes,
  storeMeasurements,
  storeStations,
  timeseriesRoutes,
} from '../../src/timeseries/index.ts'
import type { MeasurementItem } from '../../src/timeseries/index.ts'
import { sql } from '../../src/sql/index.ts'
import { storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf as usual } from '../fixtures/test-app.ts'

const figure = Type.Object({
  measure: Type.String(),
  language: Type.Unsafe<string | null>({}),
  count: Type.Integer(),
  list: Type.Unsafe<string | null>({}),
  export: Type.Unsafe<string | null>({}),
})
const counted = { records: Type.Integer(), figures: Type.Array(figure) }
const all = Type.Object({
  datasets: Type.Array(Type.Object({ dataset: Type.String(), ...counted })),
})
const one = Type.Object({
  ...counted,
  sources: Type.Array(Type.Object({ source: Type.Unsafe<string | null>({}), ...counted })),
})

const linked = Type.Object({ count: Type.Integer(), list: Type.String(), export: Type.String() })
const ofSeries = Type.Object({
  datasets: Type.Array(
    Type.Object({
      ...{ series: Type.Integer(), figures: Type.Array(linked) },
      origins: Type.Array(Type.Object({ figures: Type.Array(linked) })),
    }),
  ),
})
const found = Type.Object({ data: Type.Array(Type.Unknown()) })
const trends = Type.Object({
  scope: Type.String(),
  datasets: Type.Array(
    Type.Object({
      days: Type.Array(
        Type.Object({
          ...{ day: Type.String(), total: Type.Integer() },
          counts: Type.Record(Type.String(), Type.Integer()),
        }),
      ),
    }),
  ),
})

const at = (Latitude: number, Longitude: number) => ({
  GpsInfo: [{ Gpstype: 'position', Latitude, Longitude }],
})
const titled = (...languages: readonly string[]) => ({
  Detail: Object.fromEntries(languages.map((name) => [name, { Title: `Lake Antersee ${name}` }])),
})

/** Records around one place, none next to another. */
const scattered = Array.from({ length: 12 }, (_, place) => ({
  ...{ Id: `S${String(place)}`, _Meta: { Source: "d'or" } },
  ...{ ...titled('de', 'it', 'en'), ...at(46.5 + place / 100, 11.3) },
  ...{
    LicenseInfo: { License: 'CC0' },
    ImageGallery: [{ ImageUrl: 'https://x.test', License: 'CC0' }],
  },
}))

const records = [
  ...scattered,
  { ...scattered[0], Id: 'FAR', ...at(0.01, 0.01) },
  { ...scattered[0], Id: 'TWIN', ...at(46.5001, 11.3001) },
  { Id: 'BARE', _Meta: { Source: 'other' }, Detail: { de: { Title: '' } } },
  {
    Id: 'PICTURE',
    _Meta: { Source: 'other' },
    ...titled('de'),
    ImageGallery: [{ ImageUrl: 'https://x.test' }],
  },
  { Id: 'CLOSED', _Meta: { Source: 'secret' }, LicenseInfo: { ClosedData: true } },
]

/** A rule for every area, so that its holder sees everything. */
const rule = { role: 'PARTNER', area: null, origin: null, type: null, dataType: null, period: null }
const partner: Visibility = { kind: 'rules', rules: [rule] }

describeWithDatabase('data quality', (database) => {
  let app: FastifyInstance
  let measuring: Parameters<typeof measureDay>[0]
  let time = Date.parse('2026-11-20T12:00:00Z')
  const now = () => new Date(time)
  beforeAll(async () => {
    const naming = toNaming('Hub')
    const entities = [...entitiesOf(naming), ...viewsOf(naming)]
    const visibilityOf = (principal: Principal): Visibility =>
      principal.kind === 'verified' && principal.client === 'advanced' ? partner : usual(principal)
    const deps = {
      ...{ database: database(), entities, publicUrl, visibilityOf },
      profile: 'strict' as const,
    }
    app = await createTestApp(
      contentRoutes(deps),
      timeseriesRoutes({ ...deps, now }),
      qualityRoutes({ ...deps, now }),
    )
    measuring = { ...deps, database: database(), now }
    await storeContent(database(), 'HubActivityPoi', records)
    await storeContent(database(), 'Accommodation', [
      { Id: 'A', AccoDetail: { de: { Name: 'Rose', Longdesc: 'Near the lake' } } },
    ])
  })

  const get = (url: string, caller?: string) =>
    app.inject({ url, headers: caller === undefined ? {} : { authorization: `Bearer ${caller}` } })
  const read = async (caller?: string) =>
    Parse(one, (await get('/quality/HubActivityPoi', caller)).json())
  const countsOf = (
    figures: readonly { measure: string; language: string | null; count: number }[],
  ) =>
    Object.fromEntries(
      figures.map(({ measure, language, count }) => [
        language === null ? measure : `${measure} ${language}`,
        count,
      ]),
    )

  it('returns 304 if unchanged, unless the caller may see other records', async () => {
    const url = '/quality/HubActivityPoi'
    const { etag } = (await get(url)).headers
    const again = (authorization?: string) =>
      app.inject({
        url,
        headers: { 'if-none-match': etag, ...(authorization && { authorization }) },
      })
    const known = await again()
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
    expect((await again('Bearer advanced')).statusCode).toBe(200)
    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
  })

  it('counts missing fields in the records that the caller may see', async () => {
    const open = await read()
    expect(open.records).toBe(16)
    expect(countsOf(open.figures)).toEqual({
      ...{ 'title de': 1, 'title it': 2, 'title en': 2 },
      ...{ 'text de': 16, 'text it': 16, 'text en': 16 },
      ...{ picture: 1, pictureLicence: 1, licence: 2, position: 2, outlier: 1, duplicate: 2 },
    })
    const closed = await read('closed')
    expect(closed.records).toBe(17)
    expect(countsOf(closed.figures)).toMatchObject({ 'title de': 2, licence: 3, position: 3 })
  })

  it('counts by source, without sources whose records are all hidden from the caller', async () => {
    const { sources } = await read()
    expect(sources.map(({ source, records: count }) => [source, count])).toEqual([
      ["d'or", 14],
      ['other', 2],
    ])
    expect(countsOf(sources[1]?.figures ?? [])).toMatchObject({ 'title de': 1, duplicate: 0 })
    expect((await read('closed')).sources.map(({ source }) => source)).toContain('secret')
  })

  it('links each figure to a list and an export of its records', async () => {
    for (const caller of [undefined, 'closed']) {
      const { figures, sources } = await read(caller)
      for (const { list, count, export: file } of [
        figures,
        ...sources.map((by) => by.figures),
      ].flat()) {
        if (list === null) {
          expect(count).toBe(0)
          continue
        }
        const { TotalResults } = (await get(list.slice(publicUrl.length), caller)).json()
        expect([list, TotalResults]).toEqual([list, count])
        const lines = (await get(String(file).slice(publicUrl.length), caller)).body
          .trim()
          .split('\r\n')
        if (count > 0) expect([list, lines.length - 1]).toEqual([list, count])
      }
    }
  })

  it('lists the datasets that have records', async () => {
    const { datasets } = Parse(all, (await get('/quality')).json())
    expect(datasets.map(({ dataset }) => dataset)).toEqual(
      expect.arrayContaining(['Accommodation', 'HubActivityPoi']),
    )
    const found = datasets.find(({ dataset }) => dataset === 'Accommodation')
    expect(countsOf(found?.figures ?? [])).toMatchObject({
      'text de': 0,
      'text it': 1,
      position: 1,
    })
  })

  it('counts again when a record has changed', async () => {
    await storeContent(database(), 'HubActivityPoi', [{ Id: 'BARE', ...titled('de') }])
    expect(countsOf((await read()).figures)).toMatchObject({ 'title de': 0 })
  })

  it('applies access rules that use columns which only events have', async () => {
    expect((await get('/quality', 'advanced')).statusCode).toBe(200)
    expect((await read('advanced')).records).toBe(17)
  })

  const hoursAgo = (hours: number) => new Date(time - hours * 3_600_000).toISOString()
  const series = (code: string, from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index): MeasurementItem => [
      code,
      't',
      hoursAgo(from - index),
      index,
    ])

  /**
   * Stores two sound series, a stale one whose last value is 52 hours old, and a closed one that
   * ended 90 hours ago.
   */
  const storeSeries = () =>
    database().transaction(async (tx) => {
      const of = { stationType: 'Gauge', received: now() }
      await storeStations(tx, {
        ...of,
        origin: 'o"r',
        items: [{ code: 'whole' }, { code: 'ended' }],
      })
      await storeStations(tx, { ...of, origin: 'P', items: [{ code: 'other' }] })
      await storeStations(tx, { ...of, origin: 'C', closed: true, items: [{ code: 'closed' }] })
      await storeDataTypes(tx, { received: now(), items: [{ name: 't' }] })
      const items = [
        ...[...series('whole', 100, 0), ...series('ended', 100, 52)],
        ...[...series('other', 100, 0), ...series('closed', 100, 90)],
      ]
      await storeMeasurements(tx, { ...of, period: 3600, items })
    })

  it('counts stale series and series with gaps, each linked to a list and an export', async () => {
    await storeSeries()
    await measureDay(measuring)
    for (const [caller, counts] of [
      [undefined, [3, 1, 1, 1]],
      ['closed', [4, 2, 2, 2]],
    ] as const) {
      const answer = await get('/quality/timeseries', caller)
      const [gauge] = Parse(ofSeries, answer.json()).datasets
      expect([gauge?.series, ...(gauge?.figures ?? []).map(({ count }) => count)]).toEqual(counts)
      expect(answer.headers['x-withheld']).toBe(
        caller === undefined ? 'records;reason=no-token' : undefined,
      )
      const figures = [gauge?.figures ?? [], ...(gauge?.origins ?? []).map((one) => one.figures)]
      for (const { list, count, export: file } of figures.flat()) {
        const { data } = Parse(found, (await get(list.slice(publicUrl.length), caller)).json())
        expect([list, data.length]).toEqual([list, count])
        const lines = (await get(file.slice(publicUrl.length), caller)).body.trim().split('\r\n')
        expect([file, lines.length - 1]).toEqual([file, count])
      }
    }
  })

  it('stores the figures of each day once', async () => {
    const read = async (query: string, caller?: string) =>
      Parse(trends, (await get(`/quality/trends${query}`, caller)).json())
    await storeContent(database(), 'HubActivityPoi', [{ Id: 'NEW', _Meta: { Source: 'other' } }])
    await measureDay(measuring)
    time += 24 * 3_600_000
    await measureDay(measuring)
    const pois = (await read('?dataset=HubActivityPoi')).datasets
    expect(pois.map(({ days }) => days)).toMatchObject([
      [
        { day: '2026-11-20', total: 16, counts: { 'text.it': 16, duplicate: 2 } },
        { day: '2026-11-21', total: 17, counts: { 'text.it': 17, duplicate: 2 } },
      ],
    ])
    const other = (await read('?dataset=HubActivityPoi&source=other&days=1')).datasets
    expect(other).toMatchObject([{ days: [{ day: '2026-11-21', total: 2 }] }])
    const gauges = await read('?dataset=Gauge', 'closed')
    expect(gauges.scope).toBe('all')
    expect(gauges.datasets[0]?.days).toMatchObject([
      { total: 4, counts: { stale: 2 } },
      { total: 4, counts: { stale: 4 } },
    ])
    expect((await read('?dataset=Gauge')).datasets[0]?.days).toMatchObject([
      { total: 3 },
      { total: 3 },
    ])
    const { headers } = await get('/quality/trends?dataset=Gauge', 'advanced')
    expect(headers['x-withheld']).toBe('records;reason=no-role')
  })

  it('deletes figures after 400 days', async () => {
    time += 400 * 24 * 3_600_000
    await measureDay(measuring)
    const { datasets } = Parse(trends, (await get('/quality/trends?days=400&dataset=Gauge')).json())
    expect(datasets[0]?.days).toHaveLength(1)
    const kept = await database().texts(sql`select distinct day::text from quality_day order by 1`)
    expect(kept.flat()).toEqual(['2026-11-21', '2027-12-26'])
  })

  it('returns an error for a dataset that does not exist', async () => {
    expect((await get('/quality/Nothing')).json()).toMatchObject({ errorCode: 'HUB-RTE-003' })
  })
})
