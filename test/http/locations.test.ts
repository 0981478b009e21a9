import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const closed = { LicenseInfo: { ClosedData: true } }
const named = (en: string, de = en) => ({ Detail: { en: { Title: en }, de: { Title: de } } })

/**
 * A meta region that contains one of two regions, an association in each region, and the places
 * within them.
 */
const places = {
  MetaRegion: [{ Id: 'M', RegionIds: ['R2'], TourismvereinIds: ['T2'], ...named('Dolomites') }],
  Region: [
    { Id: 'R1', VisibleInSearch: true, ...named('West', 'Westen') },
    { Id: 'R2', VisibleInSearch: false, ...named('East', 'Osten') },
    { Id: 'R3', Active: false, ...named('Gone') },
    { Id: 'R4', ...closed, ...named('Hidden') },
  ],
  TourismAssociation: [
    { Id: 'T1', RegionId: 'R1', ...named('b') },
    { Id: 'T2', RegionId: 'R2', ...named('A') },
    { Id: 'T3', RegionId: 'R1', ...named('b') },
  ],
  Municipality: [
    { Id: 'C1', RegionId: 'R1', TourismvereinId: 'T1', ...named('Bolzano', 'Bozen') },
    { Id: 'C2', RegionId: 'R2', TourismvereinId: 'T2', Detail: { de: { Title: 'Brixen' } } },
  ],
  District: [
    { Id: 'F1', MunicipalityId: 'C1', TourismvereinId: 'T1', RegionId: 'R1', ...named('Gries') },
  ],
  SkiArea: [
    { Id: 'S1', RegionIds: ['R1', 'R2'], TourismvereinIds: ['T2'], ...named('Snow') },
    { Id: 'S2', RegionId: 'R1', ...named('Ice') },
  ],
}

describeWithDatabase('/v1/Location', (database) => {
  let app: FastifyInstance
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  /** Returns kinds and ids, such as `regR1`. */
  const listed = async (query: string, path = '/v1/Location', headers = {}) => {
    const rows: readonly Record<'typ' | 'id', string>[] = (
      await get(`${path}${query}`, headers)
    ).json()
    return rows.map(({ typ, id }) => `${typ}${id}`).join(' ')
  }

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    for (const [name, records] of Object.entries(places)) {
      const entity = entities.find((one) => one.name === name)
      if (entity === undefined) throw new Error(name)
      const received = new Date('2026-11-20T10:00:00Z')
      const write = { entity, records, deletions: [], received, provider: 'demo' }
      await database().transaction((tx) => storeRecords(tx, write))
    }
  })
  afterAll(() => app.close())

  it('lists active places by kind, then by name and identifier', async () => {
    expect(await listed('?language=en')).toBe(
      'mtaM regR2 regR1 tvsT2 tvsT1 tvsT3 munC1 munC2 funF1'.replace('fun', 'fra'),
    )
    expect(await listed('?language=de&type=reg')).toBe('regR2 regR1')
  })

  it('returns names in one language, or in all', async () => {
    expect((await get('/v1/Location?type=mun&language=en')).json()).toEqual([
      { typ: 'mun', name: 'Bolzano', id: 'C1' },
      { typ: 'mun', name: null, id: 'C2' },
    ])
    expect((await get('/v1/Location?type=MUN')).json()).toEqual([
      { typ: 'mun', name: { en: 'Bolzano', de: 'Bozen' }, id: 'C1' },
      { typ: 'mun', name: { de: 'Brixen' }, id: 'C2' },
    ])
  })

  it('shows closed places only to callers who may see them', async () => {
    const token = { authorization: 'Bearer closed' }
    expect(await listed('?type=reg&language=en')).not.toContain('R4')
    expect(await listed('?type=reg&language=en', '/v1/Location', token)).toContain('regR4')
    expect((await get('/v1/Location')).headers['x-withheld']).toBe('records;reason=no-token')
    expect((await get('/v1/Location', token)).headers).not.toHaveProperty('x-withheld')
  })

  it('omits places that searches do not offer, if requested', async () => {
    expect(await listed('?showall=false')).toBe('regR1')
    expect(await listed('?showall=true&type=reg')).toBe('regR2 regR1')
  })

  it.each([
    ['regR1', 'regR1 tvsT1 tvsT3 munC1 fraF1'],
    ['regr1', 'regR1 tvsT1 tvsT3 munC1 fraF1'],
    ['tvsT2', 'tvsT2 munC2'],
    ['munC1', 'munC1 fraF1'],
    ['fraF1', 'fraF1'],
    ['mtaM', 'mtaM regR2 tvsT2 munC2'],
    ['munC2,fraF1', 'munC2 fraF1'],
    ['regNONE', ''],
  ])('lists within %s only %s', async (within, expected) => {
    expect(await listed(`?language=en&locfilter=${within}`)).toBe(expected)
  })

  it('lists ski areas, which extend into several places', async () => {
    const path = '/v1/Location/Skiarea'
    expect(await listed('?language=en', path)).toBe('skaS2 skaS1')
    expect(await listed('?locfilter=regR1', path)).toBe('skaS2 skaS1')
    expect(await listed('?locfilter=tvsT2', path)).toBe('skaS1')
    expect(await listed('?locfilter=mtaM', path)).toBe('skaS1')
    // These records do not state whether searches offer them.
    const { headers } = await get(`${path}?showall=false`)
    expect(headers['x-ignored-parameters']).toBe('showall')
  })

  it('lists only places that locfilter accepts', async () => {
    for (const item of (await listed('')).split(' ')) {
      expect((await get(`/v1/HubActivityPoi?locfilter=${item}`)).statusCode).toBe(200)
    }
  })

  it('returns pages in the envelope of lists if requested', async () => {
    const first = (await get('/v1/Location?pagenumber=1&pagesize=4&language=en')).json()
    expect(first).toMatchObject({
      TotalResults: 9,
      TotalPages: 3,
      CurrentPage: 1,
      PreviousPage: null,
      Seed: null,
    })
    expect(first.NextPage).toBe(`${publicUrl}/v1/Location?pagesize=4&language=en&pagenumber=2`)
    expect(first.Items).toHaveLength(4)
    const whole = (await get('/v1/Location?pagenumber=1')).json()
    expect([whole.TotalPages, whole.Items.length]).toEqual([1, 9])
    expect((await get('/v1/Location?pagesize=4')).headers['x-ignored-parameters']).toBe('pagesize')
  })

  it('returns 304 if it has not changed', async () => {
    const { etag = '', 'cache-control': caching } = (await get('/v1/Location')).headers
    expect(caching).toBe('public, no-cache')
    expect((await get('/v1/Location', { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get('/v1/Location?language=de', { 'if-none-match': etag })).statusCode).toBe(200)
  })

  it.each([
    'type=xyz',
    'type=,',
    'locfilter=abc',
    'locfilter=skaS1',
    'pagenumber=0',
    'pagesize=1001',
    'language=English',
    'showall=yes',
  ])('refuses %s', async (query) => {
    const response = await get(`/v1/Location?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().errors[0].expected).not.toHaveLength(0)
  })
})
