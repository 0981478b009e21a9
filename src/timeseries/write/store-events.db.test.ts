import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import type { Visibility } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { exportTimeseries } from '../export-timeseries.ts'
import { eventSource, eventsVersion, loadEventOrigins, loadEvents } from '../load-events.ts'
import { storeEvents } from './store-events.ts'
import { eventItem } from './items.ts'
import type { EventItem } from './items.ts'
import type { EventsWrite } from './store-events.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))
const anonymous: Visibility = { kind: 'rules', rules: [] }
const everything: Visibility = { kind: 'everything' }

const message = (origin: string, items: readonly EventItem[], minute = 0): EventsWrite => ({
  origin,
  received: at(minute),
  items,
})

function store(database: Database, write: EventsWrite) {
  return database.transaction((tx) => storeEvents(tx, write))
}

const exported = Type.Object({
  origin: Type.String(),
  closed: Type.Boolean(),
  recorded: Type.String(),
  items: Type.Array(eventItem),
})

const closure = {
  uuid: 'u1',
  series: 's1',
  name: 'Brenner',
  description: null,
  category: 'closure',
  tags: ['traffic-event:closure', 'traffic-event:roadworks'],
  severity: 'high',
  start: '2026-11-20T10:00:00+01:00',
  end: null,
  cancelled: false,
  title: { de: 'Sperre', it: 'Chiusura' },
  text: { de: 'Brenner gesperrt' },
  geometry: { type: 'Point', coordinates: [11.5, 47] },
  locationDescription: 'km 10',
  metadata: { lanes: 2 },
  datex: { type: 'RoadOrCarriagewayOrLaneManagement' },
}

describeWithDatabase('Storing events', (database) => {
  it('returns an event as it was sent, with the version of its state', async () => {
    expect(await store(database(), message('ALL', [closure]))).toEqual({ stored: 1, rejected: [] })
    expect(await loadEvents(database(), 'ALL', anonymous)).toEqual([
      {
        ...closure,
        origin: 'ALL',
        start: new Date('2026-11-20T09:00:00Z'),
        recorded: at(0),
        firstRecorded: at(0),
        version: 1,
      },
    ])
    expect(await loadEventOrigins(database(), anonymous)).toContain('ALL')
  })

  it('treats a new uuid in a series as its next version', async () => {
    await store(database(), message('NEXT', [{ ...closure, uuid: 'n1' }], 0))
    await store(database(), message('NEXT', [{ ...closure, uuid: 'n2', severity: 'low' }], 5))
    expect(await loadEvents(database(), 'NEXT', anonymous)).toMatchObject([
      { uuid: 'n2', severity: 'low', version: 2, recorded: at(5), firstRecorded: at(0) },
    ])
  })

  it('replaces a state with the same uuid, and updates its time only for a change', async () => {
    const state = { ...closure, uuid: 'r1' }
    await store(database(), message('AGAIN', [state], 0))
    const version = await eventsVersion(database())
    await store(database(), message('AGAIN', [state], 1))
    expect(await eventsVersion(database())).toBe(version)
    expect(await loadEvents(database(), 'AGAIN', anonymous)).toMatchObject([{ recorded: at(0) }])
    await store(database(), message('AGAIN', [{ uuid: 'r1', series: 's1', name: 'Other' }], 2))
    expect(await loadEvents(database(), 'AGAIN', anonymous)).toMatchObject([
      { name: 'Other', severity: null, tags: [], geometry: null, version: 1, recorded: at(2) },
    ])
    expect(await eventsVersion(database())).not.toBe(version)
  })

  it('records no change when a message is processed again', async () => {
    const state = { ...closure, uuid: 'replayed' }
    await store(database(), message('REPLAY', [state]))
    const version = await eventsVersion(database())
    expect(await store(database(), message('REPLAY', [state]))).toMatchObject({ stored: 1 })
    expect(await eventsVersion(database())).toBe(version)
    await store(database(), message('REPLAY', [{ ...state, severity: 'low' }]))
    expect(await eventsVersion(database())).not.toBe(version)
    expect(await loadEvents(database(), 'REPLAY', anonymous)).toMatchObject([{ severity: 'low' }])
  })

  it('keeps the order of states when one of them is corrected', async () => {
    const end = '2026-12-20T09:00:00Z'
    await store(database(), message('ORDER', [{ ...closure, uuid: 'k1' }], 0))
    await store(database(), message('ORDER', [{ ...closure, uuid: 'k2', end }], 1))
    await store(database(), message('ORDER', [{ ...closure, uuid: 'k1', severity: 'low' }], 2))
    const newest = { uuid: 'k2', version: 2, recorded: at(1), firstRecorded: at(0) }
    expect(await loadEvents(database(), 'ORDER', anonymous)).toMatchObject([newest])
    await store(database(), message('ORDER', [{ ...closure, uuid: 'k2', cancelled: true }], 3))
    expect(await loadEvents(database(), 'ORDER', anonymous)).toMatchObject([
      { ...newest, cancelled: true, recorded: at(3) },
    ])
  })

  it('stores states of one message in its order, regardless of their uuids', async () => {
    const states = ['z', 'm', 'a'].map((uuid) => ({ ...closure, uuid: `one-${uuid}` }))
    await store(database(), message('ONE', states))
    expect(await loadEvents(database(), 'ONE', anonymous)).toMatchObject([
      { uuid: 'one-a', version: 3 },
    ])
  })

  it('never lets an older message overwrite a newer one, even one without changes', async () => {
    const state = { ...closure, uuid: 'o1' }
    await store(database(), message('OLD', [state], 1))
    await store(database(), message('OLD', [state], 3))
    await store(database(), message('OLD', [{ ...state, severity: 'low' }], 2))
    expect(await loadEvents(database(), 'OLD', anonymous)).toMatchObject([{ severity: 'high' }])
  })

  it('gives a state the position of its oldest message, even if a correction came first', async () => {
    const states = ['p1', 'p2', 'p3'].map((uuid) => ({ ...closure, uuid }))
    const correction = { ...closure, uuid: 'p2', severity: 'low' }
    await store(database(), message('PLACE', [correction], 5))
    const version = await eventsVersion(database())
    await store(database(), message('PLACE', states, 1))
    expect(await eventsVersion(database())).not.toBe(version)
    const stored = await database().query(sql`
      select uuid, severity, recorded, first_recorded, received from mobility_event
      where origin = 'PLACE' order by first_recorded, place`)
    expect(stored).toMatchObject([
      { uuid: 'p1', severity: 'high', recorded: at(1), first_recorded: at(1), received: at(1) },
      { uuid: 'p2', severity: 'low', recorded: at(5), first_recorded: at(1), received: at(5) },
      { uuid: 'p3', severity: 'high', recorded: at(1), first_recorded: at(1), received: at(1) },
    ])
    await store(database(), message('PLACE', [{ ...closure, uuid: 'p2' }], 3))
    expect(await loadEvents(database(), 'PLACE', anonymous)).toMatchObject([
      { uuid: 'p3', version: 3, firstRecorded: at(1) },
    ])
  })

  it('dates a state by its oldest message, until another content has come between', async () => {
    const recorded = async () =>
      (await loadEvents(database(), 'SAME', anonymous)).map((one) => one.recorded)
    const same = { ...closure, uuid: 'same' }
    await store(database(), message('SAME', [same], 5))
    await store(database(), message('SAME', [same], 2))
    expect(await recorded()).toEqual([at(2)])
    await store(database(), message('SAME', [{ ...same, severity: 'low' }], 6))
    await store(database(), message('SAME', [same], 7))
    await store(database(), message('SAME', [same], 1))
    expect(await recorded()).toEqual([at(7)])
  })

  it('is not settled for a feed once a late message has moved a corrected state', async () => {
    const { isSettled } = eventSource(database(), () => anonymous)
    const state = { ...closure, uuid: 'moved' }
    await store(database(), message('MOVED', [{ ...state, severity: 'low' }], 5))
    expect(await isSettled('MOVED', at(5))).toBe(true)
    await store(database(), message('MOVED', [state], 1))
    expect(await isSettled('MOVED', at(5))).toBe(false)
  })

  it('is exported such that an import restores the order of the states', async () => {
    const states = ['z', 'm', 'a'].map((uuid) => ({ ...closure, uuid }))
    await store(database(), message('OUT', states, 1))
    await store(database(), message('OUT', [{ ...closure, uuid: 'b' }], 2))
    const corrected = message('OUT', [{ ...closure, uuid: 'm', severity: 'low' }], 3)
    await store(database(), { ...corrected, closed: true })
    for await (const line of exportTimeseries(database(), 'events')) {
      const { origin, closed, recorded, items } = Parse(exported, JSON.parse(line))
      if (origin !== 'OUT') continue
      const copies = items.map((item) => ({ ...item, uuid: `copy-${item.uuid}` }))
      const received = new Date(recorded)
      await store(database(), { origin: 'IN', closed, received, items: copies })
    }
    const stored = (origin: string) =>
      database().query<{ readonly uuid: string }>(sql`
        select uuid, series, severity, tags, start, closed, first_recorded
        from mobility_event where origin = ${origin} order by first_recorded, place`)
    const originals = await stored('OUT')
    expect(originals.map(({ uuid }) => uuid)).toEqual(['z', 'm', 'a', 'b'])
    expect(await stored('IN')).toEqual(
      originals.map((one) => ({ ...one, uuid: `copy-${one.uuid}` })),
    )
  })

  it('hides a series whose newest state is closed from callers without rights', async () => {
    await store(database(), message('CLOSED', [{ ...closure, uuid: 'c1' }], 0))
    await store(database(), { ...message('CLOSED', [{ ...closure, uuid: 'c2' }], 1), closed: true })
    expect(await loadEvents(database(), 'CLOSED', anonymous)).toEqual([])
    expect(await loadEvents(database(), 'CLOSED', everything)).toMatchObject([{ uuid: 'c2' }])
    const closed = { ...message('HIDDEN', [{ ...closure, uuid: 'c3' }]), closed: true }
    await store(database(), closed)
    expect(await loadEventOrigins(database(), anonymous)).not.toContain('HIDDEN')
    expect(await loadEventOrigins(database(), everything)).toContain('HIDDEN')
  })

  it.each([
    ['CANCELLED', { cancelled: true }],
    ['ENDED', { end: '2026-11-20T12:02:00Z' }],
  ])(
    'has the last position that the caller may see once it is %s without one',
    async (origin, over) => {
      const write = (
        minute: number,
        state: Partial<EventItem>,
        head: Partial<EventsWrite> = {},
      ) => {
        const item = { ...closure, ...state, uuid: `${origin}${String(minute)}` }
        return store(database(), { ...message(origin, [item], minute), ...head })
      }
      const hidden = { type: 'Point', coordinates: [12, 46] }
      await write(0, {})
      await write(1, { geometry: hidden }, { closed: true })
      await write(2, { geometry: null, ...over })
      const [open] = await loadEvents(database(), origin, anonymous)
      expect(open).toMatchObject({ version: 3, geometry: closure.geometry })
      const [all] = await loadEvents(database(), origin, everything)
      expect(all?.geometry).toEqual(hidden)
      await write(3, { geometry: null })
      expect(await loadEvents(database(), origin, everything)).toMatchObject([{ geometry: null }])
    },
  )

  it('rejects bad geometries, bad times and uuids of others, and stores the rest', async () => {
    await store(database(), message('FIRST', [{ ...closure, uuid: 'taken' }]))
    const items = [
      { ...closure, uuid: 'b1', geometry: { type: 'Point', coordinates: ['x', 1] } },
      { ...closure, uuid: 'b2', start: '0000-01-01T00:00:00Z' },
      { ...closure, uuid: 'taken' },
      { uuid: 'b3' },
    ]
    const { stored, rejected } = await store(database(), message('BAD', items))
    expect({ stored, indexes: rejected.map(({ index }) => index) }).toEqual({
      stored: 1,
      indexes: [0, 1, 2],
    })
    expect(await loadEvents(database(), 'BAD', anonymous)).toMatchObject([
      { uuid: 'b3', series: 'b3', name: 'b3' },
    ])
    expect(await loadEvents(database(), 'FIRST', anonymous)).toHaveLength(1)
  })
})
