import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const tagged = (...ids: readonly string[]) => ({ HubTags: ids.map((Id) => ({ Id })) })
const position = { Gpstype: 'position', Latitude: 46.5, Longitude: 11.3 }
const records = [
  { Id: 'hike', Detail: { en: { Title: 'Hike' } }, GpsInfo: [position], ...tagged('Wandern') },
  { Id: 'pharmacy', ...tagged('ärzte, apotheken') },
  { Id: 'inn', ...tagged('gastronomy') },
  { Id: 'other', ...tagged('summer') },
  // Tagged like current records, without the German names.
  { Id: 'lift', ...tagged('activity', 'winter') },
  { Id: 'museum', ...tagged('poi', 'museums') },
]

describeWithDatabase('Former paths of activities', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    const [entity] = entities.filter(({ name }) => name === 'HubActivityPoi')
    if (entity === undefined) throw new Error('There is no such entity')
    const write = { entity, records, deletions: [], received: new Date(), provider: 'demo' }
    await database().transaction((tx) => storeRecords(tx, write))
    app = await createTestApp(
      contentRoutes({
        ...{ database: database(), entities, publicUrl, visibilityOf },
        profile: 'compatible',
      }),
    )
  })
  afterAll(() => app.close())

  it.each([
    ['ODHActivityPoi', ['hike', 'inn', 'lift', 'museum', 'other', 'pharmacy']],
    ['SmgPoi', ['hike', 'inn', 'lift', 'museum', 'other', 'pharmacy']],
    ['Activity', ['hike', 'lift']],
    ['Poi', ['museum', 'pharmacy']],
    ['Gastronomy', ['inn']],
  ])('list the records of the matching kind at /v1/%s', async (path, ids) => {
    const { headers, body } = await app.inject(`/v1/${path}`)
    const { TotalResults, Items } = JSON.parse(body)
    expect([TotalResults, Items.map(({ Id }: { Id: string }) => Id)]).toEqual([ids.length, ids])
    expect(headers['deprecation']).toBeDefined()
    const statuses = ['hike', 'inn'].map(
      async (id) => (await app.inject(`/v1/${path}/${id}`)).statusCode,
    )
    const expected = ['hike', 'inn'].map((id) => (ids.includes(id) ? 200 : 404))
    expect(await Promise.all(statuses)).toEqual(expected)
  })

  it('return only identifier, title and position in the reduced form', async () => {
    const { Items } = (await app.inject('/v1/ActivityReduced')).json()
    expect(Items).toMatchObject([{ Id: 'hike' }, { Id: 'lift' }])
    expect(Items.slice(0, 1)).toEqual([
      {
        Id: 'hike',
        'Detail.de.Title': null,
        'Detail.it.Title': null,
        'Detail.en.Title': 'Hike',
        GpsInfo: [position],
      },
    ])
  })
})
