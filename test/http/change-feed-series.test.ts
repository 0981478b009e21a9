import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  deleteTimeseries,
  storeDataTypes,
  storeMeasurements,
  storeStations,
} from '../../src/timeseries/index.ts'
import type { Transaction } from '../../src/storage/index.ts'
import { bearer } from '../fixtures/composed-hub.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { openFollowedHub } from '../fixtures/followed-hub.ts'
import type { FollowedHub } from '../fixtures/followed-hub.ts'

/** Codes of stations. The last one is never removed, so that the feed exists. */
const codes = ['a', 'b', 'c', 'z'] as const
const code = fc.constantFrom(...codes.slice(0, 3))
const dataType = fc.constantFrom('free', 'occupied')
const step = fc.oneof(
  fc.record({
    kind: fc.constant('station' as const),
    code,
    closed: fc.boolean(),
    available: fc.boolean(),
    parent: fc.option(code),
  }),
  fc.record({ kind: fc.constant('value' as const), code, dataType, value: fc.nat(3) }),
  fc.record({ kind: fc.constant('unit' as const), dataType, unit: fc.constantFrom('m', 's') }),
  fc.record({
    kind: fc.constant('delete' as const),
    what: fc.constantFrom('stations' as const, 'series' as const, 'measurements' as const),
    code,
  }),
  fc.record({ kind: fc.constant('read' as const), reader: fc.nat(4) }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

type Reader = {
  readonly feed: string
  readonly more: string
  readonly headers: Readonly<Record<string, string>>
  readonly copy: Map<string, unknown>
  offset: string
}

describeOnEngines('Readers of stations and latest values', (engine) => {
  let followed: FollowedHub
  let run = 0

  beforeAll(async () => {
    followed = await openFollowedHub(engine)
  })
  afterAll(async () => {
    await followed.close()
  })

  async function readersOf(): Promise<readonly Reader[]> {
    const admin = await bearer(['ADMIN'])
    const feeds = [
      { feed: 'stations', more: '', headers: {} },
      { feed: 'stations', more: `&where=${encodeURIComponent('pcode.eq."a"')}`, headers: {} },
      { feed: 'latest', more: '', headers: {} },
      { feed: 'latest', more: '&select=scode,tname,tunit,mvalue,pcode', headers: {} },
      { feed: 'latest', more: '', headers: admin },
    ]
    return feeds.map(({ feed, ...one }) => ({
      ...one,
      feed: `${feed}.T${String(run)}`,
      copy: new Map<string, unknown>(),
      offset: '-1',
    }))
  }

  async function readOn(reader: Reader): Promise<void> {
    for (;;) {
      const { feed, more, headers, offset } = reader
      const page = await followed.ask(`offset=${offset}${more}`, headers, feed)
      expect([page.status, page.status === 200 ? '' : page.text]).toEqual([200, ''])
      for (const { key, value, headers: message } of page.messages) {
        if (message.operation === 'delete') reader.copy.delete(key)
        else reader.copy.set(key, value)
      }
      reader.offset = page.next
      if (page.isUpToDate) return
    }
  }

  /** A station that is never removed, so that the feed exists. */
  const anchor = {
    kind: 'station',
    code: 'z',
    closed: false,
    available: true,
    parent: null,
  } as const

  async function take(readers: readonly Reader[], one: Step): Promise<void> {
    if (one.kind === 'read') {
      const reader = readers[one.reader]
      if (reader !== undefined) await readOn(reader)
      return
    }
    followed.hub.moveClock(1000)
    await followed.hub.store.database.transaction((tx) => write(tx, one))
  }

  async function write(tx: Transaction, one: Exclude<Step, { readonly kind: 'read' }>) {
    const stationType = `T${String(run)}`
    const received = followed.hub.now()
    if (one.kind === 'station') {
      const { code: name, closed, available, parent } = one
      const reference = parent === null ? null : { type: stationType, code: parent }
      const items = [{ code: name, available, parent: reference }]
      return storeStations(tx, { stationType, origin: 'FAMAS', closed, received, items })
    }
    if (one.kind === 'unit') {
      return storeDataTypes(tx, { received, items: [{ name: one.dataType, unit: one.unit }] })
    }
    if (one.kind === 'value') {
      const items = [[one.code, one.dataType, received.toISOString(), one.value] as const]
      return storeMeasurements(tx, { stationType, period: 60, received, items })
    }
    const by = { subject: 's', name: 'n', client: 'c', request: crypto.randomUUID() }
    return deleteTimeseries(tx, { stationType, what: one.what, items: [{ code: one.code }], by })
  }

  it('match the list whenever they are up to date', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        run += 1
        const readers = await readersOf()
        const described = (['free', 'occupied'] as const).map(
          (name) => ({ kind: 'unit', dataType: name, unit: 'm' }) as const,
        )
        for (const one of [anchor, ...described, ...steps]) await take(readers, one)
        for (const reader of readers) {
          await readOn(reader)
          const fresh: Reader = { ...reader, copy: new Map(), offset: '-1' }
          await readOn(fresh)
          expect(Object.fromEntries(reader.copy)).toEqual(Object.fromEntries(fresh.copy))
        }
      }),
      { numRuns: 30 },
    )
  }, 120_000)
})
