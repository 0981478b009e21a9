import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { trafficService } from '../../src/traffic/index.ts'
import { readXml, text } from '../contract/datex/xml-tree.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { assertValidDatex3, hasDatex3Schema } from '../fixtures/datex3-schema.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'
import { feedAddress, useTrafficHub } from '../fixtures/traffic-hub.ts'

const here = { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] }

describeWithDatabase('The traffic feed as a resource', (database) => {
  const hub = useTrafficHub(database)
  const { pushEvents: push, readFeed: read } = hub

  it('supports HEAD, conditional requests and compression', async () => {
    const things = Array.from({ length: 40 }, (_, index) => `thing-${String(index)}`)
    await push('THINGS', things.map((uuid) => ({ uuid, geometry: here }))) // oxfmt-ignore
    const plain = await read('things')
    const head = await hub.ask({ method: 'HEAD', url: feedAddress('things') })
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    for (const name of ['etag', 'last-modified', 'content-length', 'cache-control', 'content-type'])
      expect(head.headers[name], name).toBe(plain.headers[name])
    expect(plain.headers).toMatchObject({
      'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
      'content-type': 'application/xml; charset=utf-8',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    const held = { 'if-none-match': String(plain.headers['etag']) }
    const dated = { 'if-modified-since': String(plain.headers['last-modified']) }
    for (const headers of [held, dated, { ...held, ...dated }]) {
      const answer = await hub.ask({ url: feedAddress('things'), headers })
      expect([answer.statusCode, answer.body]).toEqual([304, ''])
      expect(answer.headers['etag']).toBe(plain.headers['etag'])
    }
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync }
    for (const [encoding, open] of Object.entries(unpack)) {
      const headers = { 'accept-encoding': encoding }
      const answer = await hub.ask({ url: feedAddress('things'), headers })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(open(answer.rawPayload).toString()).toBe(plain.body)
      expect(answer.headers['etag']).not.toBe(plain.headers['etag'])
    }
  })

  it('has the same situations in DATEX II v3, as XML and as JSON', async () => {
    const url = '/traffic/datex/3/situation/things'
    const second = await read('things')
    const xml = await hub.ask({ url })
    expect([xml.statusCode, xml.headers['content-type']]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ])
    if (hasDatex3Schema) assertValidDatex3(xml.body)
    const ids = (body: string) => body.match(/situation id="[^"]*"/g)
    expect(ids(xml.body)).toEqual(ids(second.body))
    expect(xml.headers['last-modified']).toBe(second.headers['last-modified'])
    const json = await hub.ask({ url, headers: { accept: 'application/json' } })
    expect(json.json()).toHaveProperty('payload.sitSituationPublication.situation.length', 40)
    for (const { headers } of [xml, json]) {
      const held = {
        accept: String(headers['content-type']),
        'if-none-match': String(headers['etag']),
      }
      expect((await hub.ask({ url, headers: held })).statusCode).toBe(304)
    }
    const head = await hub.ask({ method: 'HEAD', url })
    expect([head.statusCode, head.body, head.headers['etag']]).toEqual([
      200,
      '',
      xml.headers['etag'],
    ])
    const packed = await hub.ask({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(xml.body)
    const unknown = await hub.ask({ url: '/traffic/datex/3/situation/nobody' })
    expect([unknown.statusCode, unknown.body]).toEqual([
      404,
      expect.stringContaining('things have'),
    ])
  })

  it('reports withheld records according to the current rules', async () => {
    let opensAll = false
    const app = await createTestApp(
      trafficService({
        ...{ database: database(), publicUrl, now: () => new Date() },
        visibilityOf: (principal) => (opensAll ? { kind: 'everything' } : visibilityOf(principal)),
        every: () => () => undefined,
        log: pino({ level: 'silent' }),
        metrics: new Registry(),
      }),
    )
    const withheld = async () => {
      const { statusCode, headers } = await app.inject(feedAddress('things'))
      return [statusCode, headers['x-withheld']]
    }
    expect(await withheld()).toEqual([200, 'records;reason=public-feed'])
    opensAll = true
    expect(await withheld()).toEqual([200, undefined])
    opensAll = false
    expect(await withheld()).toEqual([200, 'records;reason=public-feed'])
    await app.close()
  })

  it('returns 404 for providers and types that do not exist', async () => {
    for (const url of [
      feedAddress('nobody'),
      '/traffic/v1/Event/things',
      feedAddress('toString'),
    ]) {
      const answer = await hub.ask({ url })
      expect([answer.statusCode, answer.body]).toEqual([
        404,
        expect.stringContaining('HUB-RTE-003'),
      ])
    }
  })

  it('changes its validators and publication time only with the content', async () => {
    const event = { uuid: 'one', geometry: here, title: { it: 'Uno' } }
    const time = (xml: string) => text(readXml(xml), 'payloadPublication/publicationTime')
    await push('CHANGES', [event])
    const first = await read('changes')
    await push('CHANGES', [event])
    await push('CHANGES', [{ uuid: 'unplaced' }])
    const same = await read('changes')
    expect([same.headers['etag'], same.body]).toEqual([first.headers['etag'], first.body])
    await push('CHANGES', [{ ...event, title: { it: 'Due' } }])
    const dated = { 'if-modified-since': String(first.headers['last-modified']) }
    const second = await read('changes', dated)
    expect(second.headers['etag']).not.toBe(first.headers['etag'])
    expect(time(second.body)).not.toBe(time(first.body))
  })

  it('returns the same bytes after a restart, and on every other node', async () => {
    const given = { database: database(), publicUrl, visibilityOf, now: () => new Date() }
    const more = { every: () => () => undefined, log: pino({ level: 'silent' }) }
    const metrics = new Registry()
    const app = await createTestApp(trafficService({ ...given, ...more, metrics }))
    for (const provider of ['things', 'changes']) {
      const before = await read(provider)
      const after = await app.inject(feedAddress(provider))
      expect(after.body).toBe(before.body)
      expect(after.headers['etag']).toBe(before.headers['etag'])
    }
    const counted = await metrics.metrics()
    expect(counted).toContain('hub_traffic_left_out{provider="changes",lacks="position"} 1')
    expect(counted).toContain('hub_traffic_situations{provider="things"} 40')
    await app.close()
  })
})
