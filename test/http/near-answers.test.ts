import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { codesOf, fillWithPlaces, free, near, openNear } from '../fixtures/near-places.ts'
import { publicUrl } from '../fixtures/test-app.ts'

describeWithDatabase('the near parameter', (database) => {
  let app: FastifyInstance
  let compatible: FastifyInstance
  const get = (query: string, headers = {}) =>
    app.inject({ url: `/v1/HubActivityPoi?${query}`, headers })

  beforeAll(async () => {
    app = await openNear(database())
    compatible = await openNear(database(), 'compatible')
    await fillWithPlaces(database())
  })
  afterAll(async () => {
    await app.close()
    await compatible.close()
  })

  it('adds _Near regardless of the requested fields, which may select parts of it', async () => {
    const query = near(`Parking;${free};within=10`)
    const { Items } = (await get(`${query}&fields=Shortname`)).json()
    expect(Object.keys(Items[0])).toEqual(['Id', 'Shortname', '_Near'])
    expect(Items[0]['_Near'].Station.scode).toBe('P1')
    const inside = await get(`${query}&fields=_Near.Measurement.mvalue,Detail.de.Title&language=de`)
    expect(inside.json().Items).toEqual([
      { Id: 'a', '_Near.Measurement.mvalue': 20, 'Detail.de.Title': 'Ort A' },
    ])
    const plain = (await get(`${query}&removenullvalues=true`)).json().Items[0]
    expect(plain['_Near'].DataType).toEqual({ tname: 'free', tunit: 'n' })
    expect(plain.Self).toBe(`${publicUrl}/v1/HubActivityPoi/a`)
  })

  it('adds _Near in every format', async () => {
    const query = near(`Parking;${free};within=600`)
    const features = (await get(`${query}&format=geojson`)).json()
    expect(features.numberMatched).toBe(4)
    expect(features.features[1].properties['_Near'].Station.scode).toBe('P1')
    const lines = (await get(`${query}&stream=true&format=ndjson`)).body.trim().split('\n')
    expect(codesOf(lines.map((line) => JSON.parse(line)))).toEqual(['P1', 'P1', 'P2', 'P2'])
    const table = (await get(`${query}&stream=true&format=csv`)).body
    expect(table.split('\r\n')[0]).toContain('_Near')
    expect(table).toContain('""scode"":""P2""')
    const streamed = (await get(`${query}&stream=true`)).json()
    expect([streamed.TotalResults, streamed.Items.length]).toEqual([4, 4])
  })

  it('accepts the same value in the body of a search', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1/HubActivityPoiSearch',
      payload: { near: `Parking;${free};within=100` },
    })
    expect(response.json().TotalResults).toBe(2)
  })

  it('appears in the result of explain', async () => {
    const response = await get(near(`Parking; within=600 ;${free}`, '&explain=true&active=true'))
    expect(response.json()).toMatchObject({
      TotalResults: 1,
      Filters: [
        { Parameter: 'active', Matches: 1 },
        {
          Parameter: 'near',
          Canonical: 'Parking;where=and(mvalue.gt.10,tname.eq."free");within=600',
          Matches: 4,
        },
      ],
      Order: ['near', 'id'],
    })
  })

  it.each([
    ['Parking;where=mvalue.gt', 'HUB-QRY-007', 23],
    ['Parking;within=5;where=mvalue.gt.5,', 'HUB-QRY-007', 35],
    ['Parking;where=tname.eq.free', 'HUB-QRY-007', 23],
    ['Parking; where= tnam.eq."free"', 'HUB-QRY-008', 16],
    ['Parking;where=mvalue.dlt.5', 'HUB-QRY-008', 21],
    ['Parking;where=egeometry.eq.null', 'HUB-QRY-008', 14],
    ['Parking;where=scoordinate.dlt.(5,11,46,999999)', 'HUB-QRY-008', 39],
    ['Parking;with=5', 'HUB-QRY-001', 8],
  ])('reports the position of the error in %s', async (text, errorCode, position) => {
    const response = await get(near(text))
    expect(response.statusCode).toBe(400)
    const problem = response.json()
    expect(problem).toMatchObject({ errorCode, errors: [{ parameter: 'near', position }] })
    expect(problem.detail).toMatch(/^near/)
    expect(problem.detail).toContain(`position ${String(position)}`)
  })

  it('may occur once, and contain unquoted texts only in the compatible profile', async () => {
    expect((await get('near=Parking&near=Bicycle')).statusCode).toBe(400)
    const url = `/v1/HubActivityPoi?${near('Parking;where=tname.eq.free;within=100')}`
    expect((await compatible.inject({ url })).json().TotalResults).toBe(2)
    expect((await get('near=')).json().Items[0]).not.toHaveProperty('_Near')
  })

  it('rejects a type without stations under strict handling', async () => {
    const headers = { prefer: 'handling=strict' }
    const response = await get(near('Parkin'), headers)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      errorCode: 'HUB-QRY-003',
      errors: [{ parameter: 'near', hint: 'Did you mean Parking?' }],
    })
    expect((await get(near('Parking'), headers)).statusCode).toBe(200)
  })
})
