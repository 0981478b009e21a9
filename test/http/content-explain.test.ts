import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const closed = { LicenseInfo: { ClosedData: true } }

describeWithDatabase('a list with explain=true', (database) => {
  let app: FastifyInstance
  const explain = async (query: string, headers = {}) =>
    app.inject({ url: `/v1/Accommodation?explain=true&${query}`, headers })

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    const entity = entities.find(({ name }) => name === 'Accommodation')
    if (entity === undefined) throw new Error('no entity Accommodation')
    const records = [
      { Id: 'A', Active: true, TagIds: ['sauna'], AccoRoomInfo: [{ Id: 'room' }] },
      { Id: 'B', Active: true, TagIds: ['pool'] },
      { Id: 'C', Active: false, TagIds: ['sauna'] },
      { Id: 'D', Active: true, TagIds: ['sauna'], ...closed },
    ]
    const write = { entity, records, deletions: [], provider: 'demo', received: new Date() }
    await database().transaction((tx) => storeRecords(tx, write))
  })
  afterAll(() => app.close())

  it('returns how many records match each filter and all filters, but no records', async () => {
    const response = await explain('active=true&tagfilter=sauna')
    expect(response.statusCode).toBe(200)
    const answer = response.json()
    expect(answer).toMatchObject({ TotalResults: 1, Visible: 3 })
    const leaves = answer.Filters.map((filter: { Parameter: string; Matches: number }) => [
      filter.Parameter,
      filter.Matches,
    ])
    expect(Object.fromEntries(leaves)).toEqual({ active: 2, tagfilter: 2 })
    expect(answer).not.toHaveProperty('Items')
  })

  it('counts only records that the caller may see', async () => {
    const { Visible } = (await explain('', { authorization: 'Bearer closed' })).json()
    expect(Visible).toBe(4)
  })

  it('refuses an invalid filter as the list does', async () => {
    const response = await explain('rawfilter=eq(Active')
    expect([response.statusCode, response.json().errorCode]).toEqual([400, 'HUB-QRY-005'])
  })

  it('explains a search with a body as well', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/AccommodationSearch',
      payload: { explain: true, active: false },
    })
    expect(response.json()).toMatchObject({ TotalResults: 1, Visible: 3 })
  })

  it('returns 304 if the caller has the current explanation', async () => {
    const { etag = '' } = (await explain('active=false')).headers
    expect((await explain('active=false', { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await explain('active=true', { 'if-none-match': etag })).statusCode).toBe(200)
  })

  it.each(entities.map(({ path }) => path))('handles geographic filters of %s', async (path) => {
    for (const place of ['polygon=bbc(1 1,2 2)', 'latitude=1&longitude=2&radius=1000']) {
      const { statusCode } = await app.inject({ url: `/v1/${path}?explain=true&${place}` })
      expect([place, statusCode < 500]).toEqual([place, true])
    }
  })

  it('reveals nothing about the structure of data withheld from the caller', async () => {
    const hintsOf = async (headers = {}) => {
      const response = await explain("rawfilter=eq(AccoRoomInfo.Id,'room')", headers)
      return response.json().Filters[0].Hints
    }
    expect(await hintsOf({ authorization: 'Bearer closed' })).toHaveLength(1)
    expect(await hintsOf()).toEqual([])
  })
})
