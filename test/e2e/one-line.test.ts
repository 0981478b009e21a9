import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromContentList } from '../../scripts/samples/accommodations.ts'
import { fromStationTree } from '../../scripts/samples/charging-stations.ts'
import { fromAnnouncements } from '../../scripts/samples/province-traffic.ts'
import { all, readXml, text } from '../contract/datex/xml-tree.ts'
import type { Tree } from '../contract/datex/xml-tree.ts'
import { cloneDatabase, describeOnBothEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { assertValidDatex } from '../fixtures/datex-schema.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'

const accommodations = 'data/content/accommodation/accommodation-list-10-full-2021.json'
const chargingStations =
  'data/timeseries/echarging/tree-EChargingStation-number-available-latest.json'
const announcements = 'data/timeseries/events/province-bz-traffic-out.json'

const anyObject = Type.Record(Type.String(), Type.Unknown())
const acceptance = Type.Object({ message: Type.String(), id: Type.String() })
const discovered = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

/**
 * Fields that the hub generates or shows depending on the caller's rights; all others must be
 * returned as sent.
 */
const generated = ['_Meta', 'LastChange', 'HasLanguage', 'Self']
const closed = ['AccoRoomInfo', 'RatePlan', 'MssResponseShort']

describeOnBothEngines('the hub from push to output', (engine) => {
  let clone: TestDatabase
  let hub: HubProcess
  let token: string

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await startHub({ settings: clone.settings })
    token = await hub.token('demo-admin')
  })
  afterAll(async () => {
    await stopHub(hub)
    await clone.drop()
  })

  const getJson = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${hub.url}${path}`, { headers })
    expect(response.status).toBe(200)
    return Parse(anyObject, await response.json())
  }

  /** Pushes one message per line and waits for the receipt. */
  const push = async (messages: readonly object[]) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
    const body = messages.map((message) => JSON.stringify(message)).join('\n')
    const response = await fetch(`${hub.url}/push/real/records`, {
      method: 'POST',
      headers,
      body,
    })
    expect(response.status).toBe(200)
    const { id } = Parse(acceptance, await response.json())
    for (;;) {
      const receipt = await getJson(`/push/real/records/${id}`, headers)
      if (!['accepted', 'processing'].includes(String(receipt['state']))) return receipt
      await pause(20)
    }
  }

  describeWithSharedData('with records of real services', () => {
    it('returns accommodations field by field as they were sent', async () => {
      const message = fromContentList('Accommodation', readShared(accommodations))
      expect(await push([message])).toMatchObject({ state: 'visible', stored: 10, rejected: [] })
      const authorization = `Bearer ${token}`
      for (const sent of message.items) {
        const read = await getJson(`/v1/Accommodation/${sent.Id}`, { authorization })
        expect(without(read, generated)).toEqual(without(sent, generated))
        const anonymous = await getJson(`/v1/Accommodation/${sent.Id}`)
        expect(without(anonymous, generated)).toEqual(without(sent, [...generated, ...closed]))
      }
      expect(await getJson('/v1/Accommodation')).toMatchObject({ TotalResults: 10 })
    })

    it('returns charging stations and their values, flat and as the same tree', async () => {
      const sent = readShared(chargingStations)
      const messages = fromStationTree(sent)
      expect(await push(messages)).toMatchObject({ state: 'visible', rejected: [] })
      const path = 'EChargingStation/number-available/latest?limit=-1'
      const flat = await getJson(`/v2/flat,node/${path}`)
      expect(flat['data']).toHaveLength(200)
      const tree = await getJson(`/v2/tree,node/${path}`)
      expect(withoutWriteTimes(tree['data'])).toEqual(
        withoutWriteTimes(Parse(anyObject, sent)['data']),
      )
    })

    it('publishes the events of the province in a valid feed, with all their details', async () => {
      const messages = fromAnnouncements(readShared(announcements)).map(takePlaceNow)
      expect(await push(messages)).toMatchObject({ state: 'visible', rejected: [] })
      const discovery = Parse(discovered, await getJson('/traffic/datex/2/'))
      const { pathname } = new URL(discovery['province-bz']?.['situation-publication'] ?? '')
      const xml = await (await fetch(`${hub.url}${pathname}`)).text()
      assertValidDatex(xml)
      const situations = all(readXml(xml), 'payloadPublication/situation')
      const events = messages.flatMap(({ items }) => items)
      expect(situations).toHaveLength(events.length)
      for (const event of events) assertPublished(situations, event)
    })
  })

  it('describes itself, reports its health, and counts its responses', async () => {
    const openapi = await getJson('/openapi.json')
    expect(openapi['openapi']).toBe('3.1.0')
    expect(openapi['paths']).toHaveProperty('/v1/Accommodation')
    expect(await getJson('/health')).toMatchObject({ status: 'ok', database: { engine } })
    const docs = await fetch(`${hub.url}/docs`)
    expect([docs.status, docs.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    const metrics = await (await fetch(`${hub.url}/metrics`)).text()
    expect(metrics).toMatch(
      /hub_http_requests_total\{method="GET",route="\/health",status="200"\} \d/,
    )
  })

  it('requires a token with permission to push', async () => {
    const refused = await fetch(`${hub.url}/push/demo/x`, { method: 'POST', body: '{}' })
    expect(refused.status).toBe(401)
    const provider = await hub.token('demo-provider')
    const elsewhere = await fetch(`${hub.url}/push/real/x`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${provider}` },
    })
    expect(elsewhere.status).toBe(403)
  })
})

function without(record: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/**
 * Removes `mtransactiontime`, which is the time when this hub wrote the value, and empty metadata,
 * which is equivalent to none.
 */
function withoutWriteTimes(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (name, value: unknown) => {
      if (name === 'mtransactiontime') return undefined
      const isEmptyMetadata = name === 'tmetadata' && JSON.stringify(value) === '{}'
      return isEmptyMetadata ? undefined : value
    }),
  )
}

type SentEvent = ReturnType<typeof fromAnnouncements>[number]['items'][number]

const hour = 3_600_000

/**
 * Moves an event to the present. The recorded events are over, and the feed contains only current
 * ones.
 */
function takePlaceNow(message: ReturnType<typeof fromAnnouncements>[number]) {
  const start = new Date(Date.now() - hour).toISOString()
  const end = new Date(Date.now() + hour).toISOString()
  return { ...message, items: message.items.map((event) => ({ ...event, start, end })) }
}

function assertPublished(situations: readonly Tree[], event: SentEvent): void {
  const situation = situations.find(({ attributes }) => attributes['id'] === event.uuid)
  const record = situation && all(situation, 'situationRecord')[0]
  if (record === undefined) throw new Error(`${event.uuid} is not in the feed`)
  expect(record.attributes['xsi:type']).toBe('MaintenanceWorks')
  expect(text(record, 'validity/**/overallStartTime')).toBe(event.start)
  expect(text(record, 'validity/**/overallEndTime')).toBe(event.end)
  const [longitude, latitude] = event.geometry.coordinates
  expect(Number(text(record, '**/pointCoordinates/longitude'))).toBe(longitude)
  expect(Number(text(record, '**/pointCoordinates/latitude'))).toBe(latitude)
  const values = all(record, 'generalPublicComment/comment/values/value')
  for (const [language, words] of Object.entries(event.text)) {
    const said = values.filter(({ attributes }) => attributes['lang'] === language)
    expect(said.map((value) => value.text).join('')).toContain(words.trim())
  }
}

describe('the comparison', () => {
  it('excludes only the named fields', () => {
    expect(without({ a: 1, b: 2 }, ['a'])).toEqual({ b: 2 })
  })
})
