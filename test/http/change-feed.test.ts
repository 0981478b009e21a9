import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeRecords } from '../../src/content/index.ts'
import type { ContentRecord } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import {
  storeDataTypes,
  storeEvents,
  storeMeasurements,
  storeStations,
} from '../../src/timeseries/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

type Message = {
  readonly type: string
  readonly key: string
  readonly value?: Readonly<Record<string, unknown>>
  readonly headers: { readonly operation: string; readonly txid?: string }
}

describeOn('postgresql', 'The change feed', () => {
  let clone: TestDatabase
  let hub: ComposedHub

  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    hub = await openComposedHub(clone.settings)
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  const write = async (records: readonly ContentRecord[], deletions: readonly string[] = []) => {
    const entity = hub.store.entities.find(({ name }) => name === 'Event')
    if (entity === undefined) throw new Error('no Event')
    hub.moveClock(1000)
    const saved = { entity, records, deletions, received: hub.now(), provider: 'demo' }
    await hub.store.database.transaction((tx) => storeRecords(tx, saved))
  }
  const record = (id: string, more: object = {}): ContentRecord => ({
    Id: id,
    Shortname: id,
    _Meta: { Source: 'a22' },
    ...more,
  })
  const closed = { LicenseInfo: { ClosedData: true } }

  const ask = async (query: string, headers: Record<string, string> = {}, feed = 'Event') => {
    const answer = await hub.ask({ url: `/changes/${feed}?${query}`, headers })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      next: String(answer.headers['stream-next-offset']),
      isUpToDate: answer.headers['stream-up-to-date'] === 'true',
      messages: answer.statusCode === 200 ? answer.json<readonly Message[]>() : [],
      text: answer.body,
    }
  }
  const said = (messages: readonly Message[]) =>
    messages.map(({ key, headers }) => `${headers.operation} ${key}`)
  const now = async (headers: Record<string, string> = {}, feed = 'Event') =>
    (await ask('offset=now', headers, feed)).next

  it('lists each entity, the stations and latest values of each type, and traffic by provider', async () => {
    const answer = await hub.ask({ url: '/changes' })
    const { feeds } = answer.json<{ feeds: readonly { name: string }[] }>()
    expect(feeds.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Event', 'Accommodation', 'Tag']),
    )
  })

  it('begins with all records, then tells of each change once, of deletes too', async () => {
    await write([record('A'), record('B')])
    const first = await ask('offset=-1&fields=Id')
    expect(said(first.messages)).toEqual(expect.arrayContaining(['insert A', 'insert B']))
    expect(first.messages.find(({ key }) => key === 'A')?.value).toEqual({ Id: 'A' })
    await write([record('B', { Shortname: 'new' }), record('C')])
    await write([], ['A'])
    const second = await ask(`offset=${first.next}&fields=Id`)
    expect(said(second.messages)).toEqual(['update B', 'insert C', 'delete A'])
    expect(second.isUpToDate).toBe(true)
    const third = await ask(`offset=${second.next}&fields=Id`)
    expect([third.messages, third.next, third.isUpToDate]).toEqual([[], second.next, true])
    expect(second.next > first.next).toBe(true)
    expect(second.messages[0]?.headers.txid).toBe(second.messages[1]?.headers.txid)
  })

  it('answers 304 to who has the page already', async () => {
    const { headers } = await ask('offset=-1')
    const again = await ask('offset=-1', { 'if-none-match': String(headers['etag']) })
    expect(again.status).toBe(304)
  })

  it('says nothing of records that the caller never saw, not even by its offsets', async () => {
    const from = await now()
    await write([record('SECRET', closed)])
    await write([], ['SECRET'])
    const { messages, next, isUpToDate } = await ask(`offset=${from}`)
    expect([messages, next, isUpToDate]).toEqual([[], from, true])
  })

  it('deletes what is hidden from now on, and inserts what is shown', async () => {
    await write([record('D')])
    const from = await now()
    await write([record('D', closed)])
    const hidden = await ask(`offset=${from}`)
    expect(said(hidden.messages)).toEqual(['delete D'])
    await write([record('D', { LicenseInfo: { ClosedData: false } })])
    expect(said((await ask(`offset=${hidden.next}`)).messages)).toEqual(['insert D'])
    await write([record('D', closed)])
    await write([record('D', { LicenseInfo: { ClosedData: false } })])
    await write([record('D', closed)])
    expect(said((await ask(`offset=${hidden.next}`)).messages)).toEqual(['delete D'])
  })

  it('deletes what no longer matches the filter', async () => {
    await write([record('F', { Active: true })])
    const filter = `rawfilter=${encodeURIComponent('eq(Active,true)')}`
    const { next } = await ask(`offset=now&${filter}`)
    await write([record('F', { Active: false })])
    await write([record('G', { Active: true })])
    const { messages } = await ask(`offset=${next}&${filter}`)
    expect(messages.map(({ key, value }) => [key, value?.['Active']])).toContainEqual(['G', true])
    expect(said(messages)).not.toContain('update F')
  })

  it('refuses offsets of other feeds, parameters and rights, and what is none', async () => {
    const from = await now()
    const other = await bearer(['DataReader'])
    expect((await ask(`offset=${from}`, {}, 'Tag')).status).toBe(410)
    expect((await ask(`offset=${from}&language=de`)).status).toBe(410)
    expect((await ask('offset=nonsense')).status).toBe(400)
    expect((await ask(`offset=${from.slice(0, -2)}AA`)).status).toBe(410)
    await hub.store.database.execute(sql`
      insert into access_rule (role, area, origin) values ('GUEST', 'content', 'other')`)
    hub.tick(3000)
    await expect.poll(async () => (await ask(`offset=${from}`)).status).toBe(410)
    expect((await ask(`offset=${from}`, other)).status).toBe(410)
  })

  it('waits for a change with long-poll', async () => {
    const from = await now()
    const timer = setInterval(() => {
      hub.tick(100)
    }, 20)
    const waiting = ask(`offset=${from}&live=long-poll`)
    await write([record('L')])
    const { messages, headers } = await waiting
    clearInterval(timer)
    expect(said(messages)).toEqual(['insert L'])
    expect(headers['stream-cursor']).toMatch(/^\d+$/)
  })

  it('waits for the end of older transactions, and then misses nothing', async () => {
    const from = await now()
    const begun = Promise.withResolvers<undefined>()
    let end: () => void = () => undefined
    const held = hub.store.database.transaction(async (tx) => {
      await tx.execute(sql`select pg_current_xact_id()`)
      const entity = hub.store.entities.find(({ name }) => name === 'Event')
      if (entity === undefined) throw new Error('no Event')
      const saved = {
        entity,
        records: [record('HELD')],
        deletions: [],
        received: hub.now(),
        provider: 'demo',
      }
      await storeRecords(tx, saved)
      await new Promise<void>((resolve) => {
        end = resolve
        begun.resolve(undefined)
      })
    })
    await begun.promise
    await write([record('YOUNGER')])
    const before = await ask(`offset=${from}`)
    end()
    await held
    const after = await ask(`offset=${before.next}`)
    expect(said([...before.messages, ...after.messages]).sort()).toEqual([
      'insert HELD',
      'insert YOUNGER',
    ])
  })

  it('follows stations, latest values and events', async () => {
    const received = hub.now()
    const fill = { stationType: 'Parking', origin: 'FAMAS', received }
    await hub.store.database.transaction(async (tx) => {
      await storeStations(tx, { ...fill, items: [{ code: 'p1', name: 'P1' }] })
      await storeDataTypes(tx, { received, items: [{ name: 'free' }] })
      await storeMeasurements(tx, {
        ...fill,
        period: 300,
        provenance: null,
        items: [['p1', 'free', '2026-11-20T10:00:00Z', 1]],
      })
    })
    const stations = await ask('offset=-1', {}, 'stations.Parking')
    expect(stations.messages).toMatchObject([
      { type: 'station', key: 'p1', value: { sname: 'P1' } },
    ])
    const latest = await ask('offset=-1', {}, 'latest.Parking')
    expect(latest.messages).toMatchObject([
      { type: 'latest', key: 'p1|free|300', value: { scode: 'p1', mvalue: 1 } },
    ])
    await hub.store.database.transaction(async (tx) => {
      await storeMeasurements(tx, {
        ...fill,
        period: 300,
        provenance: null,
        items: [['p1', 'free', '2026-11-20T10:05:00Z', 2]],
      })
      await storeEvents(tx, {
        origin: 'A22',
        received,
        items: [{ uuid: 'e1', series: 'jam', name: 'jam' }],
      })
    })
    const later = await ask(`offset=${latest.next}`, {}, 'latest.Parking')
    expect(later.messages).toMatchObject([{ key: 'p1|free|300', value: { mvalue: 2 } }])
    const events = await ask('offset=-1', {}, 'traffic.A22')
    expect(events.messages).toMatchObject([{ type: 'event', key: 'jam', value: { evuuid: 'e1' } }])
    await hub.store.database.transaction(async (tx) => {
      await storeStations(tx, {
        ...fill,
        closed: true,
        received: new Date(received.getTime() + 1),
        items: [{ code: 'p1' }],
      })
    })
    const hidden = await ask(`offset=${later.next}`, {}, 'latest.Parking')
    expect(said(hidden.messages)).toEqual(['delete p1|free|300'])
  })
})
