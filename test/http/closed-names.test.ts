import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const closed = { LicenseInfo: { ClosedData: true } }

/** Closed records that a filter could look up, and open records that it would then find. */
const records = {
  Area: [{ Id: 'A1', Shortname: 'Secret', Detail: { de: { Title: 'Geheim' } }, ...closed }],
  SkiArea: [{ Id: 'S1', SkiRegionId: 'SR1', AreaId: ['A1'], ...closed }],
  MetaRegion: [{ Id: 'M1', TourismvereinIds: ['T1'], ...closed }],
  Municipality: [{ Id: 'MU1', TourismvereinId: 'T1', RegionId: 'R1', ...closed }],
  TourismAssociation: [{ Id: 'T1', RegionId: 'R1', ...closed }],
  District: [{ Id: 'D1', TourismvereinId: 'T1', ...closed }],
  WeatherDistrict: [{ Id: '1', TourismVereinIds: ['T1'] }],
  WeatherForecast: [{ Id: 'F1', LocationInfo: { MunicipalityInfo: { Id: 'MU1' } } }],
  HubActivityPoi: [{ Id: 'P1', Active: true, AreaId: ['A1'], AreaIds: ['A1'] }],
  Accommodation: [
    { Id: 'H1', Active: true, LocationInfo: { TvInfo: { Id: 'T1' } }, TourismVereinId: 'T1' },
  ],
}

describeWithDatabase('Filters that look up other records', (database) => {
  let app: FastifyInstance
  const count = async (url: string, headers = {}) => {
    const response = await app.inject({ url, headers })
    return [response.statusCode, response.json().TotalResults]
  }

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    for (const [name, stored] of Object.entries(records)) {
      const entity = entities.find((candidate) => candidate.name === name)
      if (entity === undefined) throw new Error(`no entity ${name}`)
      const write = { entity, records: stored, deletions: [], provider: 'demo' }
      await database().transaction((tx) => storeRecords(tx, { ...write, received: new Date() }))
    }
  })
  afterAll(() => app.close())

  it.each([
    'HubActivityPoi?areafilter=Secret',
    'HubActivityPoi?areafilter=geheim',
    'HubActivityPoi?areafilter=skaS1',
    'HubActivityPoi?areafilter=skrSR1',
    'Accommodation?locfilter=mtaM1',
    'Weather/District?locfilter=regR1',
    'Weather/District?locfilter=munMU1',
    'Weather/District?locfilter=fraD1',
    'Weather/Forecast?locfilter=regR1',
  ])('use for %s only records that the caller may see', async (path) => {
    const closedToo = { authorization: 'Bearer closed' }
    expect([path, await count(`/v1/${path}`)]).toEqual([path, [200, 0]])
    expect([path, await count(`/v1/${path}`, closedToo)]).toEqual([path, [200, 1]])
  })
})
