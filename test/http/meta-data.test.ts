import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  contentRoutes,
  entitiesOf,
  registerDatasets,
  storeRecords,
  toNaming,
  viewsOf,
} from '../../src/content/index.ts'
import type { Mobility } from '../../src/content/index.ts'
import {
  countMobilityDataset,
  loadMobilityDatasets,
  storeStations,
  versionedAs,
} from '../../src/timeseries/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const naming = toNaming('Hub')
const entities = entitiesOf(naming)
const all = [...entities, ...viewsOf(naming)]
const received = new Date('2026-11-21T10:00:00.000Z')
const now = () => received
const mobility: Mobility = {
  load: loadMobilityDatasets,
  count: countMobilityDataset,
  versionedAs,
}
const token = { authorization: 'Bearer provider' }

type ContentRecord = Readonly<Record<string, unknown>> & { readonly Id: string }

type Shown = { readonly Id: string; readonly Shortname: string; readonly PathParam: string[] }

describeWithDatabase('the metadata of datasets', (database) => {
  let app: FastifyInstance
  const open = (profile: 'strict' | 'compatible') =>
    createTestApp(
      contentRoutes({
        database: database(),
        entities: all,
        publicUrl,
        visibilityOf,
        profile,
        mobility,
        now,
      }),
    )
  const get = (url: string, headers: Record<string, string> = token) => app.inject({ url, headers })
  const list = async (query = '') => {
    const response = await get(`/v1/MetaData?pagesize=1000${query}`)
    expect(response.statusCode).toBe(200)
    return response.json().Items
  }
  const recordOf = async (...path: readonly string[]) => {
    const records = await list()
    return records.find(({ PathParam }: Shown) => PathParam.join('/') === path.join('/'))
  }
  const store = (name: string, records: readonly ContentRecord[]) => {
    const entity = entities.find((candidate) => candidate.name === name)
    if (entity === undefined) throw new Error(`no entity ${name}`)
    const write = { entity, records, deletions: [], received, provider: 'demo' }
    return database().transaction((tx) => storeRecords(tx, write))
  }
  const register = () => registerDatasets({ database: database(), entities: all, mobility, now })

  beforeAll(async () => {
    app = await open('strict')
    await register()
  })
  afterAll(() => app.close())

  it('has a record for each entity of the content service, described in three languages', async () => {
    const records = await list()
    expect(records).toHaveLength(all.length)
    for (const record of records) {
      expect(record).toMatchObject({
        ApiType: 'content',
        BaseUrl: publicUrl,
        ApiDescription: {
          de: expect.any(String),
          it: expect.any(String),
          en: expect.any(String),
        },
      })
      expect(
        (await get(new URL(record.ApiUrl).pathname, { authorization: 'Bearer admin' })).statusCode,
      ).toBe(200)
    }
  })

  it('is also listed at /v1, with page links that stay at /v1', async () => {
    const root = (await get('/v1?pagesize=5&fields=Id')).json()
    const named = (await get('/v1/MetaData?pagesize=5&fields=Id')).json()
    expect(root).toEqual({
      ...named,
      NextPage: `${publicUrl}/v1?pagesize=5&fields=Id&pagenumber=2`,
    })
    expect((await get('/v1/')).statusCode).toBe(200)
  })

  it('requires a token, except in the compatible profile', async () => {
    for (const url of ['/v1', '/v1/MetaData', '/v1/MetaData/x']) {
      expect((await get(url, {})).statusCode).toBe(401)
    }
    const compatible = await open('compatible')
    expect((await compatible.inject('/v1')).statusCode).toBe(200)
    await compatible.close()
  })

  it('can be searched by descriptions in any language', async () => {
    const found = await list('&searchfilter=unterkünfte&fields=Shortname')
    const names = found.map(({ Shortname }: Shown) => Shortname)
    expect(names).toContain('Accommodations')
    expect((await list('&searchfilter=piste&language=it'))[0]).toMatchObject({
      Shortname: 'Ski areas',
    })
  })

  it('counts the records that the caller may see, and its ETag depends on the counts', async () => {
    const before = await get('/v1/MetaData?fields=Id,RecordCount&pagesize=1000')
    await store('Accommodation', [
      { Id: 'A', AccoRoomInfo: [{ Id: 'r' }] },
      { Id: 'B' },
      { Id: 'C', LicenseInfo: { ClosedData: true } },
    ])
    const { etag = '' } = before.headers
    const after = await get('/v1/MetaData?fields=Id,RecordCount&pagesize=1000', {
      ...token,
      'if-none-match': etag,
    })
    expect(after.statusCode).toBe(200)
    const record = await recordOf('v1', 'Accommodation')
    expect(record).toMatchObject({
      ApiUrl: `${publicUrl}/v1/Accommodation`,
      SwaggerUrl: `${publicUrl}/docs/api/listAccommodation`,
      Self: `${publicUrl}/v1/MetaData/${record.Id}`,
      RecordCount: { open: 2, closed: 0, reduced: 1 },
    })
    const item = await get(`/v1/MetaData/${record.Id}?fields=RecordCount,ApiUrl,Type`)
    expect(item.json()).toEqual({
      Id: record.Id,
      RecordCount: { open: 2, closed: 0, reduced: 1 },
      ApiUrl: `${publicUrl}/v1/Accommodation`,
      Type: 'accommodation',
    })
    const trusted = { authorization: 'Bearer closed' }
    expect((await get(`/v1/MetaData/${record.Id}`, trusted)).json()).toMatchObject({
      RecordCount: { open: 2, closed: 1, reduced: 1 },
    })
    const unchanged = await get('/v1/MetaData?fields=Id,RecordCount&pagesize=1000', {
      ...token,
      'if-none-match': String(after.headers.etag),
    })
    expect(unchanged.statusCode).toBe(304)
  })

  it('counts the records that match a filter, unless the filter is invalid', async () => {
    await store('Region', [{ Id: 'R1', Source: 'idm' }, { Id: 'R2' }])
    await store('MetaData', [
      { Id: 'by-idm', PathParam: ['v1', 'Region'], ApiFilter: ['source=idm'] },
      { Id: 'odd', PathParam: ['v1', 'Region'], ApiFilter: ['nothing=1'] },
      { Id: 'wrong', PathParam: ['v1', 'Region'], ApiFilter: ['polygon=x'] },
    ])
    const shown = async (id: string) => (await get(`/v1/MetaData/${id}`)).json()
    expect(await shown('by-idm')).toMatchObject({
      ApiUrl: `${publicUrl}/v1/Region?source=idm`,
      RecordCount: { open: 1, closed: 0, reduced: 0 },
    })
    expect(await shown('odd')).not.toHaveProperty('RecordCount')
    expect(await shown('wrong')).not.toHaveProperty('RecordCount')
  })

  it('keeps the stated URLs and counts of datasets on other servers', async () => {
    const elsewhere = {
      Id: 'elsewhere',
      BaseUrl: 'https://elsewhere.example',
      PathParam: ['v1', 'Region'],
      ApiFilter: ['tagfilter=a b'],
      RecordCount: { open: 7, closed: 0, reduced: 0 },
    }
    await store('MetaData', [elsewhere])
    expect((await get('/v1/MetaData/elsewhere')).json()).toMatchObject({
      ...elsewhere,
      ApiUrl: 'https://elsewhere.example/v1/Region?tagfilter=a%20b',
    })
  })

  it('does not store computed fields when a record is written back as it was read', async () => {
    await store('Accommodation', [
      { Id: 'OPEN' },
      { Id: 'CLOSED', LicenseInfo: { ClosedData: true } },
    ])
    const admin = { authorization: 'Bearer admin' }
    const own = { Id: 'own', PathParam: ['v1', 'Accommodation'] }
    await store('MetaData', [own])
    const registered = await recordOf('v1', 'Accommodation')
    for (const id of [own.Id, registered.Id, 'elsewhere']) {
      const url = `/v1/MetaData/${id}`
      const payload = (await get(`${url}?removenullvalues=false`, admin)).json()
      expect(payload).toHaveProperty('RecordCount')
      const put = () => app.inject({ method: 'PUT', url, headers: admin, payload })
      await put()
      expect((await put()).json()).toMatchObject({ changes: [] })
    }
    const { closed } = (await get('/v1/MetaData/own', admin)).json().RecordCount
    const found = await list(`&rawfilter=eq(RecordCount.closed,${closed})&fields=Id`)
    expect(found).toEqual([])
  })

  describe('of station types', () => {
    it('appears with the first station, and counts it', async () => {
      const items = [{ code: 'P1', name: 'P1' }]
      const write = {
        stationType: 'ParkingStation',
        origin: 'o',
        items,
        received,
        provider: 'demo',
      }
      await database().transaction((tx) => storeStations(tx, write))
      expect(await register()).toBe(1)
      expect(await recordOf('v2', 'flat,node', 'ParkingStation')).toMatchObject({
        ApiType: 'timeseries',
        Dataspace: 'mobility',
        ApiUrl: `${publicUrl}/v2/flat,node/ParkingStation`,
        RecordCount: { open: 1, closed: 0, reduced: 0 },
      })
    })
  })

  it('is registered once, and keeps the changes of an editor', async () => {
    const record = await recordOf('v1', 'Event')
    await store('MetaData', [{ ...record, Shortname: 'Edited' }])
    expect(await register()).toBe(0)
    expect(await recordOf('v1', 'Event')).toMatchObject({
      Shortname: 'Edited',
      ApiUrl: `${publicUrl}/v1/Event`,
    })
  })

  it('is not registered again after an editor has deleted it', async () => {
    const record = await recordOf('v1', 'Article')
    const entity = entities.find(({ name }) => name === 'MetaData')
    if (entity === undefined) throw new Error('no entity MetaData')
    const write = { entity, records: [], deletions: [record.Id], received, provider: 'demo' }
    await database().transaction((tx) => storeRecords(tx, write))
    expect(await register()).toBe(0)
    expect(await recordOf('v1', 'Article')).toBeUndefined()
  })

  it('lists each source with the types of its records, unless it has its own record', async () => {
    const sources = (await get('/v1/Source?fields=Id,Types', {})).json().Items
    expect(sources).toContainEqual({ Id: 'idm', Types: ['region'] })
    expect(sources).toContainEqual({
      Id: 'demo',
      Types: ['accommodation', 'region', 'hubmetadata'],
    })
    await store('Source', [{ Id: 'idm', Name: { en: 'IDM' } }])
    await store('Event', [{ Id: 'E', Source: 'idm' }])
    const own = (await get('/v1/Source/idm', {})).json()
    expect(own).toMatchObject({ Name: { en: 'IDM' } })
    expect(own).not.toHaveProperty('Types')
  })
})
