import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import {
  deleteTimeseries,
  storeDataTypes,
  storeEvents,
  storeMeasurements,
  storeStations,
} from '../../src/timeseries/index.ts'
import type { EventsWrite, MeasurementsWrite, StationsWrite } from '../../src/timeseries/index.ts'
import { bearer } from '../fixtures/composed-hub.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { openFollowedHub, operationsOf } from '../fixtures/followed-hub.ts'
import type { FollowedHub } from '../fixtures/followed-hub.ts'

describeOnEngines('The change feed of time series', (engine) => {
  let followed: FollowedHub

  beforeAll(async () => {
    followed = await openFollowedHub(engine)
    await describeTypes(['free'])
  })
  afterAll(async () => {
    await followed.close()
  })

  const received = () => {
    followed.hub.moveClock(1000)
    return followed.hub.now()
  }
  const transact: FollowedHub['hub']['store']['database']['transaction'] = (work) =>
    followed.hub.store.database.transaction(work)
  const stations = (stationType: string, more: Omit<StationsWrite, 'received' | 'stationType'>) =>
    transact((tx) =>
      storeStations(tx, { stationType, origin: 'FAMAS', received: received(), ...more }),
    )
  const describeTypes = (names: readonly string[], unit = 'number') =>
    transact((tx) =>
      storeDataTypes(tx, { received: received(), items: names.map((name) => ({ name, unit })) }),
    )
  const values = (stationType: string, items: MeasurementsWrite['items']) =>
    transact((tx) =>
      storeMeasurements(tx, { stationType, period: 300, received: received(), items }),
    )
  const events = (origin: string, more: Omit<EventsWrite, 'received' | 'origin'>) =>
    transact((tx) => storeEvents(tx, { origin, received: received(), ...more }))
  const from = (feed: string, headers = {}) => followed.now(headers, feed)
  const read = (feed: string, offset: string, headers = {}) =>
    followed.ask(`offset=${offset}`, headers, feed)
  const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`

  it('lists stations, latest values and events, then their changes', async () => {
    await stations('Parking', { items: [{ code: 'p1', name: 'P1' }] })
    await values('Parking', [['p1', 'free', at(0), 1]])
    const first = await read('stations.Parking', '-1')
    expect(first.messages).toMatchObject([{ type: 'station', key: 'p1', value: { sname: 'P1' } }])
    const latest = await read('latest.Parking', '-1')
    expect(latest.messages).toMatchObject([
      { type: 'latest', key: 'p1|free|300', value: { scode: 'p1', mvalue: 1 } },
    ])
    await values('Parking', [['p1', 'free', at(5), 2]])
    const later = await read('latest.Parking', latest.next)
    expect(later.messages).toMatchObject([{ key: 'p1|free|300', value: { mvalue: 2 } }])
    await stations('Parking', { items: [{ code: 'p2', name: 'P2' }] })
    expect(operationsOf((await read('stations.Parking', first.next)).messages)).toEqual([
      'insert p2',
    ])
    await events('A22', { items: [{ uuid: 'e1', series: 'jam', name: 'jam' }] })
    const page = await read('traffic.A22', '-1')
    expect(page.messages).toMatchObject([{ type: 'event', key: 'jam', value: { evuuid: 'e1' } }])
  })

  it('deletes values when their station is closed, and inserts them when opened', async () => {
    await stations('Closing', { items: [{ code: 'c1' }] })
    await values('Closing', [['c1', 'free', at(0), 1]])
    const start = await from('latest.Closing')
    await stations('Closing', { closed: true, items: [{ code: 'c1' }] })
    const hidden = await read('latest.Closing', start)
    expect(operationsOf(hidden.messages)).toEqual(['delete c1|free|300'])
    await values('Closing', [['c1', 'free', at(5), 2]])
    const unseen = await read('latest.Closing', hidden.next)
    expect([unseen.messages, unseen.next]).toEqual([[], hidden.next])
    await stations('Closing', { closed: false, items: [{ code: 'c1' }] })
    expect(operationsOf((await read('latest.Closing', unseen.next)).messages)).toEqual([
      'insert c1|free|300',
    ])
  })

  it('reveals nothing about the series of a station that was always closed', async () => {
    await stations('Secret', { items: [{ code: 'open' }] })
    const [start, startOfStations] = [await from('latest.Secret'), await from('stations.Secret')]
    await stations('Secret', { closed: true, items: [{ code: 's1' }] })
    await values('Secret', [['s1', 'free', at(0), 1]])
    const { messages, next } = await read('latest.Secret', start)
    expect([messages, next]).toEqual([[], start])
    expect(operationsOf((await read('stations.Secret', startOfStations)).messages)).toEqual([
      'insert s1',
    ])
  })

  it.each(['closed', 'unavailable'])(
    'reports values as deleted if their station is deleted after it was %s',
    async (how) => {
      const type = `Then${how}`
      await stations(type, { items: [{ code: 'x1' }, { code: 'x2' }] })
      await values(type, [
        ['x1', 'free', at(0), 1],
        ['x2', 'free', at(0), 1],
      ])
      const start = await from(`latest.${type}`)
      const hidden = how === 'closed' ? { closed: true } : {}
      await stations(type, { ...hidden, items: [{ code: 'x1', available: how === 'closed' }] })
      const by = { subject: 's', name: 'n', client: 'c', request: crypto.randomUUID() }
      await transact((tx) =>
        deleteTimeseries(tx, { stationType: type, what: 'stations', items: [{ code: 'x1' }], by }),
      )
      expect(operationsOf((await read(`latest.${type}`, start)).messages)).toEqual([
        'delete x1|free|300',
      ])
    },
  )

  it.skipIf(engine === 'embedded')(
    'misses no value of a station that another transaction opens (one connection has none)',
    async () => {
      await stations('Racing', { closed: true, items: [{ code: 'r1' }, { code: 'r2' }] })
      await stations('Racing', { closed: false, items: [{ code: 'r2' }] })
      await values('Racing', [['r1', 'free', at(0), 1]])
      let reader = await read('latest.Racing', '-1')
      const copy = new Map<string, unknown>()
      const apply = () => {
        for (const { key, value } of reader.messages) copy.set(key, value)
      }
      const written = Promise.withResolvers<undefined>()
      const end = Promise.withResolvers<undefined>()
      const older = Promise.withResolvers<undefined>()
      const opening = transact(async (tx) => {
        await tx.execute(sql`select pg_current_xact_id()`)
        older.resolve(undefined)
        await written.promise
        const items = [{ code: 'r1' }]
        const write = { stationType: 'Racing', closed: false, received: received(), items }
        return storeStations(tx, write)
      })
      await older.promise
      const writing = transact(async (tx) => {
        const items: MeasurementsWrite['items'] = [['r1', 'free', at(5), 2]]
        await storeMeasurements(tx, {
          stationType: 'Racing',
          period: 300,
          received: received(),
          items,
        })
        written.resolve(undefined)
        await end.promise
      })
      await Promise.race([opening, pause(300)])
      reader = await followed.askMeanwhile(`offset=${reader.next}`, {}, 'latest.Racing')
      apply()
      end.resolve(undefined)
      await Promise.all([opening, writing])
      reader = await read('latest.Racing', reader.next)
      apply()
      expect(copy.get('r1|free|300')).toMatchObject({ mvalue: 2 })
    },
  )

  it('reports unavailable stations and their children as deleted', async () => {
    await stations('Parent', { items: [{ code: 'mother' }] })
    const parent = { type: 'Parent', code: 'mother' }
    await stations('Child', { items: [{ code: 'k1', parent }, { code: 'k2' }] })
    await values('Child', [['k1', 'free', at(0), 1]])
    const [start, startOfValues] = [await from('stations.Child'), await from('latest.Child')]
    await transact((tx) => tx.execute(sql`update station set available = false where code = 'k2'`))
    await stations('Parent', { items: [{ code: 'mother', available: false }] })
    const { messages } = await read('stations.Child', start)
    expect(operationsOf(messages)).toEqual(['delete k2', 'delete k1'])
    expect(operationsOf((await read('latest.Child', startOfValues)).messages)).toEqual([
      'update k1|free|300',
    ])
    const selected = '&select=scode,pcode,mvalue'
    const seen = await followed.ask(`offset=now${selected}`, {}, 'latest.Child')
    await stations('Parent', { items: [{ code: 'mother', available: true }] })
    const shown = await followed.ask(`offset=${seen.next}${selected}`, {}, 'latest.Child')
    expect(shown.messages).toMatchObject([{ value: { scode: 'k1', pcode: 'mother' } }])
  })

  it('reports values whose data type was updated', async () => {
    await stations('Typed', { items: [{ code: 't1' }] })
    await describeTypes(['level'])
    await values('Typed', [['t1', 'level', at(0), 1]])
    const start = await from('latest.Typed')
    await describeTypes(['level'], 'm')
    const { messages } = await read('latest.Typed', start)
    expect(messages).toMatchObject([{ key: 't1|level|300', value: { tunit: 'm' } }])
  })

  it('reports deleted series and stations with their keys', async () => {
    await stations('Gone', { items: [{ code: 'a|%1' }, { code: 'g2' }] })
    await values('Gone', [
      ['a|%1', 'free', at(0), 1],
      ['g2', 'free', at(0), 1],
    ])
    const [start, startOfStations] = [await from('latest.Gone'), await from('stations.Gone')]
    const by = { subject: 's', name: 'n', client: 'c', request: crypto.randomUUID() }
    await transact((tx) =>
      deleteTimeseries(tx, {
        stationType: 'Gone',
        what: 'stations',
        items: [{ code: 'a|%1' }],
        by,
      }),
    )
    await transact((tx) =>
      deleteTimeseries(tx, { stationType: 'Gone', what: 'series', items: [{ code: 'g2' }], by }),
    )
    expect(operationsOf((await read('latest.Gone', start)).messages)).toEqual([
      'delete a%7C%251|free|300',
      'delete g2|free|300',
    ])
    expect(operationsOf((await read('stations.Gone', startOfStations)).messages)).toContain(
      'delete a|%1',
    )
  })

  it('reports a station in several pages if its series do not fit on one', async () => {
    const names = Array.from({ length: 1100 }, (_, index) => `n${String(index)}`)
    await stations('Wide', { items: [{ code: 'w1' }] })
    await describeTypes(names)
    await values(
      'Wide',
      names.map((name) => ['w1', name, at(0), 1] as const),
    )
    let page = await read('latest.Wide', await from('latest.Wide'))
    await stations('Wide', { closed: true, items: [{ code: 'w1' }] })
    const keys = new Set<string>()
    let pages = 0
    do {
      page = await read('latest.Wide', page.next)
      for (const { key, headers } of page.messages)
        if (headers.operation === 'delete') keys.add(key)
      pages += 1
    } while (!page.isUpToDate)
    expect([keys.size, pages > 1]).toEqual([1100, true])
  })

  it('reports the newest state of an event, and no trace of hidden states', async () => {
    await events('PROVINCE', { items: [{ uuid: 'r1', series: 'road', name: 'works' }] })
    const start = await from('traffic.PROVINCE')
    await events('PROVINCE', {
      closed: true,
      items: [{ uuid: 'r2', series: 'road', name: 'works' }],
    })
    const hidden = await read('traffic.PROVINCE', start)
    expect(operationsOf(hidden.messages)).toEqual(['delete road'])
    await events('PROVINCE', {
      closed: true,
      items: [{ uuid: 'r3', series: 'road', name: 'works' }],
    })
    const unseen = await read('traffic.PROVINCE', start)
    expect([unseen.text, unseen.next]).toEqual([hidden.text, hidden.next])
    await events('PROVINCE', { items: [{ uuid: 'r4', series: 'road', name: 'works' }] })
    expect((await read('traffic.PROVINCE', hidden.next)).messages).toMatchObject([
      { key: 'road', value: { evuuid: 'r4' }, headers: { operation: 'insert' } },
    ])
  })

  it('does not exist for callers who see nothing in it, unless they follow it', async () => {
    await events('POLICE', {
      closed: true,
      items: [{ uuid: 'q1', series: 'radar', name: 'radar' }],
    })
    expect((await read('traffic.POLICE', '-1')).status).toBe(404)
    expect((await read('traffic.NOWHERE', 'now')).status).toBe(404)
    const everything = await bearer(['ADMIN'])
    const page = await read('traffic.POLICE', '-1', everything)
    expect(operationsOf(page.messages)).toEqual(['insert radar'])
    await events('BRIEF', { items: [{ uuid: 'b1', series: 'fog', name: 'fog' }] })
    const start = await from('traffic.BRIEF')
    await transact((tx) => tx.execute(sql`delete from mobility_event where origin = 'BRIEF'`))
    const gone = await read('traffic.BRIEF', start)
    expect(operationsOf(gone.messages)).toEqual(['delete fog'])
    expect((await read('traffic.BRIEF', gone.next)).status).toBe(200)
    const list = async (headers = {}) => (await followed.hub.ask({ url: '/changes', headers })).body
    expect(await list()).not.toContain('POLICE')
    expect(await list(everything)).toContain('traffic.POLICE')
  })
})
