import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { beforeAll, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { Principal, Visibility } from '../../src/access/index.ts'
import { contentRoutes, entitiesOf, toNaming, viewsOf } from '../../src/content/index.ts'
import { qualityRoutes } from '../../src/quality/index.ts'
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

const at = (Latitude: number, Longitude: number) => ({
  GpsInfo: [{ Gpstype: 'position', Latitude, Longitude }],
})
const titled = (...languages: readonly string[]) => ({
  Detail: Object.fromEntries(languages.map((name) => [name, { Title: `Lake Antersee ${name}` }])),
})

/** Records around one place, none beside another. */
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

/** Sees everything by a rule for every area. */
const rule = { role: 'PARTNER', area: null, origin: null, type: null, dataType: null, period: null }
const partner: Visibility = { kind: 'rules', rules: [rule] }

describeWithDatabase('the quality of data', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    const naming = toNaming('Hub')
    const entities = [...entitiesOf(naming), ...viewsOf(naming)]
    const visibilityOf = (principal: Principal): Visibility =>
      principal.kind === 'verified' && principal.client === 'advanced' ? partner : usual(principal)
    const deps = {
      ...{ database: database(), entities, publicUrl, visibilityOf },
      profile: 'strict' as const,
    }
    const now = () => new Date()
    app = await createTestApp(contentRoutes(deps), qualityRoutes({ ...deps, now }))
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

  it('counts what records are missing, for those that the caller may see', async () => {
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

  it('counts by source, and names none of closed records only', async () => {
    const { sources } = await read()
    expect(sources.map(({ source, records: count }) => [source, count])).toEqual([
      ["d'or", 14],
      ['other', 2],
    ])
    expect(countsOf(sources[1]?.figures ?? [])).toMatchObject({ 'title de': 1, duplicate: 0 })
    expect((await read('closed')).sources.map(({ source }) => source)).toContain('secret')
  })

  it('leads from each figure to the list of these records, and to a file of them', async () => {
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

  it('applies rules, which use columns that only events have', async () => {
    expect((await get('/quality', 'advanced')).statusCode).toBe(200)
    expect((await read('advanced')).records).toBe(17)
  })

  it('says which datasets exist to whoever asks for another', async () => {
    expect((await get('/quality/Nothing')).json()).toMatchObject({ errorCode: 'HUB-RTE-003' })
  })
})
