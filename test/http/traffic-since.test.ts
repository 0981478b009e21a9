import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { trafficService } from '../../src/traffic/index.ts'
import { all, readXml, text, texts } from '../contract/datex/xml-tree.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { assertValidDatex, hasDatexSchema } from '../fixtures/datex-schema.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'
import { feedAddress, useTrafficHub } from '../fixtures/traffic-hub.ts'

const hour = 3_600_000
/** Long ago, so that no document shows the event as planned. */
const start = '2026-01-01T00:00:00Z'
const here = { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] }

describeWithDatabase('Changes in the traffic feed since a document', (database) => {
  const hub = useTrafficHub(database)
  const { pushEvents: push, readFeed: read } = hub
  const timeOf = (xml: string) => text(readXml(xml), 'payloadPublication/publicationTime') ?? ''
  const ask = async (provider: string, since: string, headers = {}) => {
    const url = `${feedAddress(provider)}?since=${encodeURIComponent(since)}`
    const answer = await hub.ask({ url, headers })
    const isXml = String(answer.headers['content-type']).startsWith('application/xml')
    if (hasDatexSchema && answer.statusCode === 200 && isXml) assertValidDatex(answer.body)
    return answer
  }
  const ids = (xml: string) =>
    all(readXml(xml), 'payloadPublication/situation').map(({ attributes }) => attributes['id'])

  it('are empty while nothing changes, with the same time', async () => {
    await push('QUIET', [{ uuid: 'a', geometry: here }])
    const whole = await read('quiet')
    const answer = await ask('quiet', timeOf(whole.body))
    expect([answer.statusCode, answer.headers['x-complete']]).toEqual([200, 'false'])
    expect([ids(answer.body), timeOf(answer.body)]).toEqual([[], timeOf(whole.body)])
    for (const { headers } of [whole, answer]) {
      const held = { 'if-none-match': String(headers['etag']) }
      const again = await ask('quiet', timeOf(whole.body), held)
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
  })

  it('contain the events written, ended and cancelled since, as XML and as GeoJSON', async () => {
    const names = ['new', 'kept', 'changed', 'ends', 'cancelled']
    await push('MOVING', names.slice(1).map((uuid) => ({ uuid, geometry: here }))) // oxfmt-ignore
    const before = timeOf((await read('moving')).body)
    const state = (series: string, more: object = {}) => {
      return { uuid: `${series}-2`, series, geometry: here, ...more }
    }
    await push('MOVING', [
      { uuid: 'new', geometry: here },
      state('changed', { title: { it: 'Altro' } }),
      state('ends', { end: new Date().toISOString() }),
      state('cancelled', { cancelled: true }),
    ])
    const changes = await ask('moving', before)
    expect(ids(changes.body)).toEqual(['cancelled', 'changed', 'ends', 'new'])
    expect(texts(readXml(changes.body), '**/lifeCycleManagement/end')).toEqual(['true'])
    expect(texts(readXml(changes.body), '**/lifeCycleManagement/cancel')).toEqual(['true'])
    expect(timeOf(changes.body)).toBe(timeOf((await read('moving')).body))
    const { body } = await ask('moving', before, { accept: 'application/geo+json' })
    expect(body).toContain('"id":"new"')
    expect(body).not.toContain('"id":"kept"')
    hub.setAhead(2 * hour)
    expect(ids((await read('moving')).body)).toEqual(['changed', 'kept', 'new'])
    expect(ids((await ask('moving', before)).body)).toEqual(['cancelled', 'changed', 'ends', 'new'])
    hub.setAhead(0)
  })

  it('do not reveal an event that was closed, and return the whole document', async () => {
    await push('CLOSING', [{ uuid: 'secret', geometry: here }, { uuid: 'open', geometry: here }]) // oxfmt-ignore
    const before = timeOf((await read('closing')).body)
    const after = { uuid: 'secret-2', series: 'secret', geometry: here }
    await push('CLOSING', [after], 'closed')
    const answer = await ask('closing', before)
    expect(answer.headers['x-complete']).toBe('true')
    expect(ids(answer.body)).toEqual(['open'])
    expect(answer.body).not.toContain('secret')
  })

  it('are the whole document for an unknown time', async () => {
    await push('OLD', [{ uuid: 'old', geometry: here }])
    const whole = await read('old')
    for (const since of ['2026-01-01T00:00:00Z', '2026-01-01T00:00+01:00']) {
      const answer = await ask('old', since)
      expect([answer.headers['x-complete'], answer.body]).toEqual(['true', whole.body])
      expect(answer.headers['etag']).toBe(whole.headers['etag'])
    }
    expect(whole.headers).not.toHaveProperty('x-complete')
  })

  it('are the whole document on a node that started soon after a write', async () => {
    await push('NODES', [{ uuid: 'node-a', geometry: here, start }])
    await push('NODES', [{ uuid: 'node-b', geometry: here, start }])
    const before = timeOf((await read('nodes')).body)
    const app = await createTestApp(
      trafficService({
        ...{ database: database(), publicUrl, visibilityOf, now: () => new Date() },
        ...{
          every: () => () => undefined,
          log: pino({ level: 'silent' }),
          metrics: new Registry(),
        },
      }),
    )
    const answer = await app.inject(`${feedAddress('nodes')}?since=${before}`)
    expect([answer.headers['x-complete'], ids(answer.body)]).toEqual(['true', ['node-a', 'node-b']])
    await push('NODES', [{ uuid: 'node-c', geometry: here, start }])
    await app.inject(feedAddress('nodes'))
    const current = timeOf((await read('nodes')).body)
    await push('NODES', [{ uuid: 'node-d', geometry: here, start }])
    const next = await app.inject(`${feedAddress('nodes')}?since=${current}`)
    expect([next.headers['x-complete'], ids(next.body)]).toEqual(['false', ['node-d']])
    await app.close()
  })

  it.each([
    ['yesterday', 'is not a valid time with a zone'],
    ['2026-11-20', 'is not a valid time with a zone'],
    ['2026-11-20T10:15:00', 'is not a valid time with a zone'],
    ['2026-13-20T10:15:00Z', 'is not a valid time'],
    [new Date(new Date().getTime() + 2 * hour).toISOString(), 'is in the future'],
  ])('are refused with 400 for %s, which %s', async (since, fault) => {
    const answer = await ask('quiet', since)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errorCode: 'HUB-QRY-001' })
    expect(answer.body).toContain(fault)
  })

  it('take a time whose + arrived as a space', async () => {
    const time = Date.parse(timeOf((await read('quiet')).body))
    const local = new Date(time + hour).toISOString().replace('Z', '+01:00')
    const { headers } = await hub.ask({ url: `${feedAddress('quiet')}?since=${local}` })
    expect(headers['x-complete']).toBe('false')
  })

  it('are available at every URL of v2, and for HEAD', async () => {
    const whole = await read('quiet')
    const since = timeOf(whole.body)
    for (const address of [
      '/traffic/v1/Announcement/quiet',
      '/traffic/datex/2/quiet/situation-publication.xml',
    ]) {
      const url = `${address}?since=${since}`
      const [answer, head] = [await hub.ask({ url }), await hub.ask({ method: 'HEAD', url })]
      expect(answer.headers['x-complete']).toBe('false')
      expect(head.headers['content-length']).toBe(answer.headers['content-length'])
      expect([head.headers['x-complete'], head.body]).toEqual(['false', ''])
    }
  })
})
