import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeTraffic } from '../../src/compose/traffic.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { connectRaw } from '../fixtures/raw-connection.ts'
import type { RawConnection } from '../fixtures/raw-connection.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'
import { feedAddress, useTrafficHub } from '../fixtures/traffic-hub.ts'

const here = { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] }
const open = { kind: 'everything' } as const

type Headers = Readonly<Record<string, string>>

const toText = (url: string, headers: Headers) =>
  [
    `GET ${url} HTTP/1.1`,
    'Host: hub.test',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

/** Of the connection, and what is new with every answer. */
const passing = ['connection', 'keep-alive', 'date', 'x-request-id']

const lasting = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)))

describeWithDatabase('The traffic feed ahead of the framework', (database) => {
  const hub = useTrafficHub(database)
  const { pushEvents: push } = hub
  let app: FastifyInstance
  let connection: RawConnection
  let framework = 0
  let opensAll = false

  beforeAll(async () => {
    const given = { database: database(), publicUrl, now: () => new Date() }
    const more = {
      every: () => () => undefined,
      log: pino({ level: 'silent' }),
      metrics: new Registry(),
    }
    const seen: typeof visibilityOf = (principal) => (opensAll ? open : visibilityOf(principal))
    app = await createTestApp(composeTraffic({ ...given, ...more, visibilityOf: seen }))
    app.server.on('request', () => {
      framework += 1
    })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    await push('EARLY', [{ uuid: 'one', geometry: here, title: { it: 'Uno' } }])
    // Last: a connection that says nothing for a second is HTTP's.
    connection = await connectRaw(Number(new URL(address).port))
  })
  afterAll(async () => {
    connection.socket.destroy()
    await app.close()
  })

  const ask = (headers: Headers, url = feedAddress('early')) => connection.ask(toText(url, headers))

  it('answers as the framework does', async () => {
    const { etag = '', 'last-modified': date = '' } = (await ask({})).headers
    const packed = (await ask({ 'Accept-Encoding': 'gzip' })).headers['etag'] ?? ''
    const geojson = { Accept: 'application/geo+json' }
    const geojsonTag = (await ask(geojson)).headers['etag'] ?? ''
    const before = new Date(Date.parse(date) - 1000).toUTCString()
    const requests: readonly Headers[] = [
      ...[
        {},
        geojson,
        { Accept: 'application/xml;q=0.1, application/geo+json' },
        { Accept: 'text/html' },
      ],
      ...[etag, `W/${etag}`, `"x", ${etag}`, '*', '"x"', packed, geojsonTag, etag.slice(1)].map(
        (tag) => ({ 'If-None-Match': tag }),
      ),
      ...[date, before, 'lately', new Date(0).toUTCString()].map((since) => ({
        'If-Modified-Since': since,
      })),
      ...['gzip', 'br', 'br;q=0', 'gzip;q=0.5, br;q=0.9', 'identity', '*', 'zstd'].flatMap(
        (encoding) => [
          { 'Accept-Encoding': encoding },
          { 'Accept-Encoding': encoding, 'If-None-Match': packed },
          { 'Accept-Encoding': encoding, 'If-Modified-Since': date },
        ],
      ),
      ...[etag, '"x"'].map((tag) => ({ 'If-None-Match': tag, 'If-Modified-Since': date })),
      ...[geojsonTag, etag].map((tag) => ({ ...geojson, 'If-None-Match': tag })),
      {
        Origin: 'https://map.example',
        'User-Agent': 'map',
        'X-Forwarded-For': '192.0.2.1',
        'If-None-Match': etag,
      },
    ]
    const statuses = new Set<number>()
    for (const headers of requests) {
      const theirs = await app.inject({ url: feedAddress('early'), headers })
      const ours = await ask(headers)
      const what = JSON.stringify(headers)
      expect([what, ours.status, lasting(ours.headers)]).toEqual([
        what,
        theirs.statusCode,
        lasting(theirs.headers),
      ])
      if (ours.status === 200) expect(ours.body.equals(theirs.rawPayload), what).toBe(true)
      statuses.add(ours.status)
    }
    expect([...statuses].sort()).toEqual([200, 304])
    for (const alias of [
      '/traffic/v1/Announcement/early',
      '/traffic/datex/2/early/situation-publication.xml',
    ])
      expect((await ask({ 'If-None-Match': etag }, alias)).status).toBe(304)
    expect(framework).toBe(0)
  })

  it('knows of a change at once, on the same connection', async () => {
    const held = { 'If-None-Match': (await ask({})).headers['etag'] ?? '' }
    expect((await ask(held)).status).toBe(304)
    await push('EARLY', [{ uuid: 'one', geometry: here, title: { it: 'Due' } }])
    const changed = await ask(held)
    expect([changed.status, changed.body.toString()]).toEqual([200, expect.stringContaining('Due')])
    expect((await ask({ 'If-None-Match': changed.headers['etag'] ?? '' })).status).toBe(304)
  })

  it('says what is withheld by the rules that there are now', async () => {
    const held = { 'If-None-Match': (await ask({})).headers['etag'] ?? '' }
    expect((await ask(held)).headers['x-withheld']).toBe('records;reason=public-feed')
    opensAll = true
    expect((await ask(held)).headers).not.toHaveProperty('x-withheld')
    opensAll = false
    expect((await ask(held)).headers['x-withheld']).toBe('records;reason=public-feed')
    expect(framework).toBe(0)
  })

  it('leaves a provider and a type that are unknown to the framework', async () => {
    for (const url of [feedAddress('nobody'), '/traffic/v1/Event/early', feedAddress('toString')]) {
      const { socket, ask: askThere } = await connectRaw(Number(connection.socket.remotePort))
      const answer = await askThere(toText(url, {}))
      expect([answer.status, answer.body.toString()]).toEqual([
        404,
        expect.stringContaining('HUB-RTE-003'),
      ])
      socket.destroy()
    }
    expect(framework).toBe(3)
  })
})
