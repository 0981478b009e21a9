import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Database } from '../storage/index.ts'
import { timeseriesRoutes } from './routes.ts'
import { storeEdges } from './write/store-edges.ts'
import { storeEvents } from './write/store-events.ts'
import { storeStations } from './write/store-stations.ts'

const received = new Date('2026-11-20T12:00:00Z')

async function fill(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const stations = [
      { code: 'p:1', name: 'P1' },
      { code: 'hidden', available: false },
    ]
    await storeStations(tx, { stationType: 'Parking', received, items: stations })
    await storeStations(tx, { stationType: 'A b/c', received, items: [{ code: 'odd' }] })
    const edge = { code: 'ab', from: { type: 'Parking', code: 'p:1' }, directed: true }
    const line = {
      type: 'LineString',
      coordinates: [
        [11, 46],
        [12, 47],
      ],
    }
    const lost = { code: 'lost', to: { type: 'Parking', code: 'hidden' } }
    const edges = { edgeType: 'Link', origin: 'NOI', received }
    await storeEdges(tx, { ...edges, items: [{ ...edge, geometry: line }, lost] })
    const provenance = { name: 'collector', version: null, lineage: 'FAMAS' }
    const event = { series: 's', name: 'Works', start: '2026-11-20T08:00:00Z', metadata: { a: 1 } }
    const events = { origin: 'ROADS', received, provenance }
    await storeEvents(tx, {
      ...events,
      items: [{ ...event, uuid: 'u1', end: '2026-11-20T09:00:00Z' }],
    })
    const second = { ...events, received: new Date('2026-11-20T12:05:00Z') }
    await storeEvents(tx, {
      ...second,
      items: [{ ...event, uuid: 'u2', locationDescription: 'km 1' }],
    })
    const secret = { ...events, origin: 'SECRET', closed: true }
    await storeEvents(tx, { ...secret, items: [{ ...event, uuid: 'u3' }] })
  })
}

type Entry = { readonly id: string; readonly self: unknown; readonly types: readonly Entry[] }

describeWithDatabase('Representations, edges and events', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await fill(database())
    const now = () => received
    app = await createTestApp(
      timeseriesRoutes({ database: database(), publicUrl, visibilityOf, now }),
    )
  })
  afterAll(() => app.close())

  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const dataOf = async (url: string, headers = {}): Promise<unknown> => {
    const answer = await get(url, headers)
    expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 })
    return answer.json<{ readonly data: unknown }>().data
  }

  it('are listed, with types and links for each structure', async () => {
    const entries = async (url: string) => (await get(url)).json<readonly Entry[]>()
    expect((await entries('/v2')).map(({ id }) => id)).toEqual([
      ...['flat,node', 'flat,edge', 'flat,event', 'tree,node', 'tree,edge', 'tree,event'],
    ])
    const [nodes, edges, events] = await entries('/v2/flat')
    expect(nodes?.types).toContainEqual({
      id: 'A b/c',
      description: null,
      'self.stations': `${publicUrl}/v2/flat,node/A%20b%2Fc`,
      'self.stations+datatypes': `${publicUrl}/v2/flat,node/A%20b%2Fc/*`,
      'self.stations+datatypes+measurements': `${publicUrl}/v2/flat,node/A%20b%2Fc/*/latest`,
    })
    expect(edges?.types).toEqual([
      { id: 'Link', description: null, 'self.edges': `${publicUrl}/v2/flat,edge/Link` },
    ])
    expect(events?.types.map(({ id }) => id)).toEqual(['ROADS'])
    const [tree] = await entries('/v2/tree,event')
    expect(tree?.types[0]?.self).toMatchObject({ stations: `${publicUrl}/v2/tree,node/A%20b%2Fc` })
    expect(await dataOf('/v2/flat/A%20b%2Fc')).toMatchObject([{ scode: 'odd' }])
  })

  it('show edges with their ends, unless an end is not available', async () => {
    const edge = {
      eactive: true,
      eavailable: true,
      ecode: 'ab',
      edirected: true,
      egeometry: {
        type: 'LineString',
        crs: { type: 'name', properties: { name: 'EPSG:4326' } },
        bbox: [11, 46, 12, 47],
        coordinates: [
          [11, 46],
          [12, 47],
        ],
      },
      ename: 'ab',
      eorigin: 'NOI',
      etype: 'Link',
    }
    expect(await dataOf('/v2/flat,edge/Link')).toMatchObject([
      { ...edge, sbcode: 'p:1', sbname: 'P1' },
    ])
    expect(await dataOf('/v2/tree,edge/*')).toMatchObject({
      Link: { edges: { ab: { ...edge, ebegin: { sbcode: 'p:1' } } } },
    })
  })

  it('show all states of events, the latest, or those of a time', async () => {
    const uuids = async (path: string, headers = {}) => {
      const answer = await get(`/v2/flat,event/${path}`, headers)
      const { data } = answer.json<{ readonly data: readonly { readonly evuuid: string }[] }>()
      return data.map(({ evuuid }) => evuuid)
    }
    expect(await uuids('*')).toEqual(['u1', 'u2'])
    expect(await uuids('*', { authorization: 'Bearer closed' })).toEqual(['u1', 'u2', 'u3'])
    expect(await uuids('ROADS/latest')).toEqual(['u2'])
    expect(await uuids('ROADS/2026-11-20T09:30')).toEqual(['u2'])
    expect(await uuids('ROADS/2026-11-20T08:00/2026-11-20T08:30')).toEqual(['u1', 'u2'])
    expect(await uuids('ROADS/2026-11-19/2026-11-20')).toEqual([])
    const states = {
      u2: {
        evname: 'Works',
        evmetadata: { a: 1 },
        evlocation: { evldescription: 'km 1' },
        evprovenance: { prname: 'collector' },
      },
    }
    expect(await dataOf('/v2/tree,event/ROADS/latest')).toMatchObject({
      ROADS: { eventseries: { s: { events: states } } },
    })
  })
})
