import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  storeDataTypes,
  storeEvents,
  storeMeasurements,
  storeStations,
} from '../../src/timeseries/index.ts'
import { bearer } from '../fixtures/composed-hub.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { closed, openFollowedHub, record } from '../fixtures/followed-hub.ts'
import type { FollowedHub, Message } from '../fixtures/followed-hub.ts'

describeOnEngines('The combined change feed', (engine) => {
  let followed: FollowedHub

  beforeAll(async () => {
    followed = await openFollowedHub(engine)
    await followed.write([record('A'), record('SECRET', closed)])
    await fill(1)
  })
  afterAll(async () => {
    await followed.close()
  })

  async function fill(value: number): Promise<void> {
    followed.hub.moveClock(1000)
    const received = followed.hub.now()
    await followed.hub.store.database.transaction(async (tx) => {
      const stationType = 'Parking'
      await storeStations(tx, { stationType, origin: 'FAMAS', received, items: [{ code: 'p1' }] })
      await storeDataTypes(tx, { received, items: [{ name: 'free' }] })
      const items = [['p1', 'free', received.toISOString(), value] as const]
      await storeMeasurements(tx, { stationType, period: 300, received, items })
      const states = [{ uuid: `e${String(value)}`, series: 'jam', name: 'jam' }]
      await storeEvents(tx, { origin: 'A22', received, items: states })
    })
  }

  async function readAll(offset: string, headers = {}) {
    const messages: Message[] = []
    for (let from = offset; ;) {
      const page = await followed.ask(`offset=${from}`, headers, 'all')
      expect(page.status).toBe(200)
      messages.push(...page.messages)
      from = page.next
      if (page.isUpToDate) return { messages, next: from }
    }
  }

  const named = (messages: readonly Message[]) =>
    messages.map(({ type, key, headers }) => `${headers.operation} ${type} ${key}`)

  it('lists the records of every feed that requires no token, with their types', async () => {
    const { messages } = await readAll('-1')
    expect(named(messages)).toEqual(
      expect.arrayContaining([
        ...['insert Event A', 'insert Announcement jam', 'insert traffic.A22 jam'],
        ...['insert stations.Parking p1', 'insert latest.Parking p1|free|300'],
      ]),
    )
    expect(messages.some(({ key }) => key.includes('SECRET'))).toBe(false)
    const everything = await readAll('-1', await bearer(['ADMIN']))
    expect(named(everything.messages)).toContain('insert Event SECRET')
  })

  it('reports changes of all feeds, with the same txid for one transaction', async () => {
    const { next } = await readAll('-1')
    await fill(2)
    await followed.write([record('B')], ['A'])
    const { messages, next: later } = await readAll(next)
    expect(named(messages)).toEqual(
      expect.arrayContaining([
        ...[
          'update latest.Parking p1|free|300',
          'update traffic.A22 jam',
          'update Announcement jam',
        ],
        ...['insert Event B', 'delete Event A'],
      ]),
    )
    const txids = new Map(messages.map(({ type, headers }) => [type, headers.txid]))
    expect(txids.get('latest.Parking')).toBe(txids.get('traffic.A22'))
    const nothing = await readAll(later)
    expect([nothing.messages, nothing.next]).toEqual([[], later])
  })

  it('reports the deletion of the last record of a feed', async () => {
    const { next } = await readAll('-1')
    await followed.hub.store.database.transaction(async (tx) => {
      await storeEvents(tx, {
        origin: 'A22',
        closed: true,
        received: followed.hub.now(),
        items: [{ uuid: 'e9', series: 'jam', name: 'jam' }],
      })
    })
    expect(named((await readAll(next)).messages)).toContain('delete traffic.A22 jam')
  })

  it('reports feeds that are added while it is followed, even with unusual names', async () => {
    const url = '/changes/all?offset=now&live=sse'
    const answer = await followed.hub.app.inject({ url, payloadAsStream: true })
    const timer = setInterval(() => followed.hub.tick(100), 20)
    let text = ''
    let isWritten = false
    for await (const part of answer.stream()) {
      text += String(part)
      if (text.includes('"key":"f1"')) break
      if (isWritten) continue
      isWritten = true
      const received = followed.hub.now()
      await followed.hub.store.database.transaction(async (tx) => {
        await storeStations(tx, { stationType: 'New\nline', received, items: [{ code: 'f1' }] })
        await followed.store(tx, [record('WITH')])
      })
    }
    clearInterval(timer)
    expect(text).toContain(JSON.stringify('stations.New\nline'))
    const { messages } = await readAll('-1')
    expect(named(messages)).toContain('insert stations.New\nline f1')
  })

  it('contains no trace of hidden changes', async () => {
    const { next } = await readAll('-1')
    await followed.write([record('SECRET', { ...closed, Shortname: 'new' })])
    const { messages, next: same } = await readAll(next)
    expect([messages, same]).toEqual([[], next])
  })
})
