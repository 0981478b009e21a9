import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { setTimeout as pause } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { composeStandards } from '../../src/standards/index.ts'
import { stationSource } from '../../src/timeseries/index.ts'
import { all, readXml, text, texts } from '../contract/datex/xml-tree.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { assertValidDatex3, hasDatex3Schema } from '../fixtures/datex3-schema.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import { publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const region = { country: 'it', language: 'de' }
const noProviders = { situation: () => Promise.resolve([]) }

describeWithDatabase('Stations as DATEX II v3', (database) => {
  const compose = () => {
    const source = stationSource(database(), visibilityOf)
    const none = { systems: [], licences: new Map(), secret: '' }
    const deps = {
      ...none,
      source,
      now: () => new Date(),
      metrics: new Registry(),
      publicUrl,
      region,
      datex3: noProviders,
    }
    return composeStandards(deps)
  }
  const hub = usePushingHub(database, () => [compose().routes])
  const at = (publication: string, provider: string) =>
    `/traffic/datex/3/${publication}/${provider}`
  const status = at('energy-infrastructure-status', 'alperia-mobility')
  const table = at('energy-infrastructure-table', 'alperia-mobility')

  const pushStations = (stationType: string, items: readonly object[], more = {}) =>
    hub.push([{ kind: 'stations', stationType, origin: 'ALPERIA_MOBILITY', items, ...more }])

  const pushState = async (code: string, value: number) => {
    const items = [[code, 'echarging-plug-status', new Date().toISOString(), value]]
    const receipt = await hub.push([
      { kind: 'dataTypes', items: [{ name: 'echarging-plug-status' }] },
      { kind: 'measurements', stationType: 'EChargingPlug', period: 600, items },
    ])
    expect(receipt.rejected).toEqual([])
  }

  const read = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await hub.ask({ url, headers })
    expect(answer.statusCode, answer.body).toBe(200)
    if (hasDatex3Schema && answer.body.startsWith('<?xml')) assertValidDatex3(answer.body)
    return answer
  }

  /** Waits longer than a version is considered current. */
  const settle = () => pause(30)

  it('are available after a push, as XML and as JSON', async () => {
    const place = { coordinate: [11.35, 46.5] }
    await pushStations('EChargingStation', [
      { code: 'S1', name: 'Bahnhof', ...place, metadata: { city: 'Bozen' } },
      { code: 'S2', name: 'Ohne Platz' },
    ])
    const parent = { type: 'EChargingStation', code: 'S1' }
    const outlets = [{ id: '1', outletTypeCode: 'Type2Mennekes', maxPower: 22 }]
    await pushStations('EChargingPlug', [{ code: 'P1', name: '1', parent, metadata: { outlets } }])
    await pushState('P1', 1)
    await settle()
    const xml = await read(table)
    expect(xml.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(texts(readXml(xml.body), '**/energyInfrastructureSite/name/values/value')).toEqual([
      'Bahnhof',
    ])
    const json = await read(table, { accept: 'application/json' })
    expect(json.headers['content-type']).toContain('application/json')
    expect(json.json()).toHaveProperty('payload.aegiEnergyInfrastructureTablePublication')
    expect(text(readXml((await read(status)).body), '**/refillPointStatus/status')).toBe(
      'available',
    )
  })

  it('are updated within a second of a push, while the table keeps its tag', async () => {
    const [before, tables] = [await read(status), await read(table)]
    await pushState('P1', 0)
    // Fifty checks, 20 ms apart, take one second. They are counted, so that delays of this process
    // do not count against the hub.
    for (let look = 0; ; look++) {
      const { body } = await read(status)
      if (text(readXml(body), '**/refillPointStatus/status') === 'unavailable') break
      expect(look).toBeLessThan(50)
      await pause(20)
    }
    expect((await read(status)).headers['etag']).not.toBe(before.headers['etag'])
    expect((await read(table)).headers['etag']).toBe(tables.headers['etag'])
  })

  it('support HEAD, conditional requests and the requested compression', async () => {
    for (const accept of ['application/xml', 'application/json']) {
      const plain = await read(table, { accept })
      const head = await hub.ask({ method: 'HEAD', url: table, headers: { accept } })
      expect([head.statusCode, head.body]).toEqual([200, ''])
      for (const name of ['etag', 'last-modified', 'cache-control', 'content-type'])
        expect(head.headers[name], name).toBe(plain.headers[name])
      const held = { accept, 'if-none-match': String(plain.headers['etag']) }
      expect((await hub.ask({ url: table, headers: held })).statusCode).toBe(304)
      expect(plain.headers['vary']).toContain('Accept')
    }
    const plain = await read(table)
    for (const [encoding, open] of Object.entries({ gzip: gunzipSync, br: brotliDecompressSync })) {
      const answer = await hub.ask({ url: table, headers: { 'accept-encoding': encoding } })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(open(answer.rawPayload).toString()).toBe(plain.body)
    }
  })

  it('are listed with their URLs', async () => {
    for (const url of ['/traffic/datex/3/', '/traffic/datex/3']) {
      expect((await read(url)).json()).toEqual({
        'alperia-mobility': {
          'energy-infrastructure-table': `${publicUrl}${table}`,
          'energy-infrastructure-status': `${publicUrl}${status}`,
        },
      })
    }
  })

  it('list the available providers if an unknown one is requested', async () => {
    const unknown = await hub.ask({ url: at('energy-infrastructure-table', 'nobody') })
    expect([unknown.statusCode, unknown.json()]).toMatchObject([
      404,
      { hint: expect.stringContaining('alperia-mobility') },
    ])
    const none = await hub.ask({ url: at('parking-table', 'toString') })
    expect([none.statusCode, none.body]).toEqual([404, expect.stringContaining('No provider')])
  })

  it('are offered once per encoding, although both a table and a status are published', () => {
    const offers = compose().offers.filter(({ dataset }) => dataset === 'timeseries/ParkingStation')
    expect(offers.map(({ path, mediaType }) => [path, mediaType])).toEqual([
      ['/traffic/datex/3/', 'application/xml'],
      ['/traffic/datex/3/', 'application/json'],
    ])
  })

  it('report stations that cannot be published, with the reason', async () => {
    const { exits } = (await read('/health/standards')).json<{
      exits: readonly { name: string }[]
    }>()
    expect(exits.find(({ name }) => name === 'datex3/energy-infrastructure-table')).toMatchObject({
      published: 1,
      leftOut: [{ code: 'S2', lacks: 'position' }],
    })
  })

  it('show no closed values to any caller', async () => {
    const parent = { type: 'EChargingStation', code: 'S1' }
    const plug = { code: 'SECRET', name: 'closed', parent }
    await pushStations('EChargingPlug', [plug], { closed: true })
    await pushState('SECRET', 1)
    await settle()
    for (const headers of [{}, { authorization: 'Bearer admin' }]) {
      const { body, headers: answered } = await read(status, headers)
      const points = all(readXml(body), '**/refillPointStatus')
      const states = points.map((each) => [
        all(each, 'reference')[0]?.attributes['id'],
        text(each, 'status'),
        text(each, 'lastUpdated') === undefined,
      ])
      expect(states).toEqual([
        ['P1', 'unavailable', false],
        ['SECRET', 'unknown', true],
      ])
      expect(answered['x-withheld']).toBe('records;reason=public-feed')
    }
  })
})
