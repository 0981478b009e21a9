import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fieldsOf, listOf } from '../../src/lang/json.ts'
import { sql } from '../../src/sql/index.ts'
import { storeDataTypes, storeMeasurements, storeStations } from '../../src/timeseries/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const stationType = 'BikesharingStation'
const statusPath = '/gbfs/demo-bikes/3.0/station_status.json'

describeOnEngines('GBFS', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  const open = () => openComposedHub(clone.settings, { HUB_LICENCES: '*=CC-BY-4.0' })
  const write = (work: Parameters<ComposedHub['store']['database']['transaction']>[0]) =>
    hub.store.database.transaction(work)

  const storeValue = (code: string, value: number, type = stationType) =>
    write(async (tx) => {
      hub.moveClock(1000)
      const received = hub.now()
      const dataType = type === stationType ? 'number-available' : 'availability'
      const items = [[code, dataType, received.toISOString(), value] as const]
      await storeMeasurements(tx, { stationType: type, period: 60, received, items })
    })

  const storeStation = (code: string, closed: boolean, type = stationType) =>
    write(async (tx) => {
      const items = [
        {
          code,
          name: code,
          coordinate: [11.3, 46.5, 4326] as const,
          metadata: { 'total-bays': 9 },
        },
      ]
      const origin = closed ? 'closed' : 'open'
      await storeStations(tx, { stationType: type, origin, closed, received: hub.now(), items })
    })

  const ask = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    hub.ask({ url, headers: { ...headers } })
  const dataAt = async (url: string) => fieldsOf(fieldsOf((await ask(url)).json())['data'])
  const counts = async () => {
    const { stations } = await dataAt(statusPath)
    return Object.fromEntries(
      listOf(stations).map((one) => [one['station_id'], one['num_vehicles_available']]),
    )
  }

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await open()
    await write((tx) =>
      storeDataTypes(tx, {
        received: hub.now(),
        items: [{ name: 'number-available' }, { name: 'availability' }],
      }),
    )
    await storeStation('open', false)
    await storeStation('secret', true)
    await storeStation('empty', false)
    await storeStation('bike', false, 'Bicycle')
    await storeValue('open', 4)
    await storeValue('secret', 5)
    await storeValue('bike', 1, 'Bicycle')
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  it('links from the manifest to every file of every version', async () => {
    const { datasets } = await dataAt('/gbfs/manifest.json')
    const systems = listOf(datasets)
    expect(systems.map(({ system_id }) => system_id)).toEqual(['demo-bikes', 'demo-cars'])
    const starts = systems.flatMap(({ versions }) => listOf(versions))
    expect(starts).toContainEqual({
      version: '3.0',
      url: 'http://hub.test/gbfs/demo-bikes/gbfs.json',
    })
    for (const { url, version } of starts) {
      const data = await dataAt(new URL(String(url)).pathname)
      const feeds =
        version === '3.0' ? [data] : ['de', 'it', 'en'].map((one) => fieldsOf(data[one]))
      for (const feed of feeds.flatMap((one) => listOf(one['feeds']))) {
        const answer = await ask(new URL(String(feed['url'])).pathname)
        expect([feed['url'], answer.statusCode]).toEqual([feed['url'], 200])
        expect(answer.json()).toMatchObject({ version, ttl: 60 })
      }
    }
  })

  it('supports HEAD, and returns 304 to callers that have the file', async () => {
    const whole = await ask(statusPath)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=20',
      'last-modified': expect.stringMatching(/ GMT$/),
    })
    const head = await hub.ask({ method: 'HEAD', url: statusPath })
    expect([head.statusCode, head.body, head.headers['etag']]).toEqual([
      200,
      '',
      whole.headers.etag,
    ])
    const again = await ask(statusPath, { 'if-none-match': whole.headers.etag ?? '' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it.each([
    ['/gbfs/demo-bike/gbfs.json', 'did you mean demo-bikes?'],
    ['/gbfs/nothing/3.0/station_status.json', 'known: demo-bikes, demo-cars'],
    ['/gbfs/demo-bikes/3.0/station_stats.json', '/gbfs/demo-bikes/gbfs.json'],
    ['/gbfs/demo-bikes/2.3/fr/station_status.json', '/gbfs/demo-bikes/2.3/gbfs.json'],
  ])('returns 404 for %s, with a hint at what exists', async (path, hint) => {
    const answer = await ask(path)
    expect(answer.json()).toMatchObject({
      status: 404,
      errorCode: 'HUB-RTE-003',
      hint: expect.stringContaining(hint),
    })
  })

  it.each([
    '/gbfs/manifest.json/',
    '/gbfs/demo-bikes/gbfs.json/',
    '/gbfs/demo%2Dbikes/3.0/station%5Fstatus.json',
    '/gbfs/demo-bikes/2.3/%65n/station_status.json/?a=1',
  ])('accepts %s, with a trailing slash or percent-encoded', async (path) => {
    expect((await ask(path)).statusCode).toBe(200)
  })

  it('shows a new value within a second', async () => {
    expect(await counts()).toEqual({ open: 4 })
    const { last_updated: before } = fieldsOf((await ask(statusPath)).json())
    await storeValue('open', 7)
    // Fifty checks, 20 ms apart, take one second. They are counted, so that delays of this process
    // do not count against the hub.
    for (let look = 0; look < 50 && (await counts())['open'] !== 7; look++) await pause(20)
    expect(await counts()).toEqual({ open: 7 })
    const { last_updated: after } = fieldsOf((await ask(statusPath)).json())
    expect(String(after) >= String(before)).toBe(true)
  })

  it('has times and tags that do not reveal changes of closed values, types or rules', async () => {
    const admin = await bearer(['ADMIN'])
    const shown = async () => {
      const answers = [await ask(statusPath, admin), await ask(statusPath)]
      return answers.map(({ body, headers }) => [body, headers.etag, headers['last-modified']])
    }
    const before = await shown()
    expect(before[0]).toEqual(before[1])
    await storeValue('secret', 6)
    await storeValue('secret', 5)
    await write((tx) => storeDataTypes(tx, { received: hub.now(), items: [{ name: 'unused' }] }))
    await hub.store.database.execute(
      sql`insert into access_rule (role, area, origin) values ('GUEST', 'timeseries', 'nobody')`,
    )
    hub.tick(5000)
    await pause(700)
    expect(await shown()).toEqual(before)
    await storeValue('open', 7)
    await expect.poll(shown).not.toEqual(before)
    await hub.store.database.execute(sql`delete from access_rule where origin = 'nobody'`)
  })

  it('is the same for every caller, and hides closed values until a rule opens them', async () => {
    const admin = await bearer(['ADMIN'])
    const [own, common] = [await ask(statusPath, admin), await ask(statusPath)]
    expect(own.body).toBe(common.body)
    expect(common.body).not.toContain('secret')
    expect(common.headers['x-withheld']).toBe('records;reason=public-feed')
    await hub.store.database.execute(
      sql`insert into access_rule (role, area, origin) values ('GUEST', 'timeseries', 'closed')`,
    )
    const countsLater = async () => {
      hub.tick(5000)
      await pause(10)
      return counts()
    }
    await expect.poll(countsLater).toEqual({ open: 7, secret: 5 })
    await hub.store.database.execute(sql`delete from access_rule where origin = 'closed'`)
    await expect.poll(countsLater).toEqual({ open: 7 })
  })

  it('lists omitted stations and vehicles with the reason, and counts them', async () => {
    const health = (await ask('/health/standards')).json<{ exits: readonly object[] }>()
    expect(health.exits[0]).toMatchObject({
      name: 'gbfs/demo-bikes',
      published: 1,
      leftOutCount: 3,
      leftOut: [
        { code: 'empty', lacks: 'num_vehicles_available', reason: expect.any(String) },
        { code: 'secret', lacks: 'num_vehicles_available' },
        { code: 'bike', lacks: 'vehicle_type_id' },
      ],
    })
    const metrics = (await ask('/metrics')).body
    expect(metrics).toContain(
      'hub_standards_left_out{exit="gbfs/demo-bikes",lacks="num_vehicles_available"} 2',
    )
    expect(metrics).toContain('hub_standards_published{exit="gbfs/demo-bikes"} 1')
  })

  it('is listed in the catalogue for stations and for vehicles', async () => {
    const { datasets } = fieldsOf((await ask('/catalogue')).json())
    for (const type of [stationType, 'Bicycle']) {
      const dataset = listOf(datasets).find(({ id }) => id === `timeseries/${type}`)
      const standards = listOf(dataset?.['standards'])
      expect(standards.filter(({ name }) => name === 'GBFS')).toEqual(
        [
          ['3.0', 'http://hub.test/gbfs/demo-bikes/gbfs.json'],
          ['2.3', 'http://hub.test/gbfs/demo-bikes/2.3/gbfs.json'],
        ].map(([version, url]) => ({ name: 'GBFS', version, url, mediaType: 'application/json' })),
      )
    }
  })

  it('keeps identifiers of vehicles across a restart, until they are unavailable', async () => {
    await write(async (tx) => {
      const items = [
        { code: 'bike', coordinate: [11.3, 46.5, 4326] as const, metadata: { type: 'muscular' } },
      ]
      await storeStations(tx, {
        stationType: 'Bicycle',
        origin: 'open',
        received: hub.now(),
        items,
      })
    })
    const ids = async () => {
      const { vehicles } = await dataAt('/gbfs/demo-bikes/3.0/vehicle_status.json')
      return listOf(vehicles).map(({ vehicle_id }) => vehicle_id)
    }
    await expect.poll(ids).toHaveLength(1)
    const before = await ids()
    await hub.close()
    hub = await open()
    // The new hub's clock starts again, so it must be moved past what the previous hub received.
    hub.moveClock(600_000)
    expect(await ids()).toEqual(before)
    await storeValue('bike', 1, 'Bicycle')
    await pause(40)
    expect(await ids()).toEqual(before)
    await storeValue('bike', 0, 'Bicycle')
    await expect.poll(ids).toEqual([])
    await storeValue('bike', 1, 'Bicycle')
    await expect.poll(ids).toHaveLength(1)
    expect(await ids()).not.toEqual(before)
  })
})
