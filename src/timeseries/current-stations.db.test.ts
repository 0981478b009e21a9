import { expect, it } from 'vitest'
import type { RuleTable, Visibility } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { stationSource } from './current-stations.ts'
import type { MeasurementItem } from './write/store-values.ts'
import { storeDataTypes, storeMeasurements } from './write/store-measurements.ts'
import { storeStations } from './write/store-stations.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))
const only: Visibility = { kind: 'rules', rules: [] }
const concerned = { types: ['Bike', 'Dock'], dataTypes: ['free', 'state'] }

describeWithDatabase('Current stations', (database) => {
  const store = (stationType: string, items: readonly MeasurementItem[], period = 60) =>
    database().transaction((tx) =>
      storeMeasurements(tx, { stationType, period, received: at(9), items }),
    )
  const sourceOf = (visibility: Visibility = only) => {
    const visibilityOf: RuleTable['visibility'] = () => visibility
    return stationSource(database(), visibilityOf)
  }

  it('are empty before any station is stored', async () => {
    expect((await sourceOf().load(concerned)).stations).toEqual([])
    await database().transaction(async (tx) => {
      const common = { origin: 'O', received: at(0) }
      await storeDataTypes(tx, {
        received: at(0),
        items: ['free', 'state', 'other'].map((name) => ({ name })),
      })
      const place = { coordinate: [11.5, 46.5, 4326] as const, metadata: { 'total-bays': 8 } }
      const bikes = [{ code: 'b', name: 'Station', ...place }, { code: 'a' }]
      await storeStations(tx, { ...common, stationType: 'Bike', items: bikes })
      const docks = [{ code: 'd', parent: { type: 'Bike', code: 'b' } }]
      await storeStations(tx, { ...common, stationType: 'Dock', items: docks })
      const closed = [{ code: 'closed' }]
      await storeStations(tx, { ...common, stationType: 'Dock', closed: true, items: closed })
    })
  })

  it('have a version that changes with requested values, or only with stations', async () => {
    const source = sourceOf()
    const alone = { ...concerned, dataTypes: [] }
    const both = () => Promise.all([source.version(concerned), source.version(alone)])
    const before = await both()
    await store('Bike', [
      ['b', 'free', '2026-11-20T10:00:00Z', 3],
      ['b', 'other', '2026-11-20T10:00:00Z', 4],
    ])
    await store('Bike', [['b', 'free', '2026-11-20T11:00:00.5Z', 2]], 300)
    await store('Dock', [
      ['d', 'state', '2026-11-20T10:00:00Z', 'used'],
      ['closed', 'state', '2026-11-20T10:00:00Z', 'used'],
    ])
    const after = await both()
    // A new series is a change of its station; a value of an existing series is not.
    expect(after.map((version, index) => version === before[index])).toEqual([false, false])
    await store('Bike', [['b', 'free', '2026-11-20T11:30:00.5Z', 1]], 300)
    const last = await both()
    expect(last.map((version, index) => version === after[index])).toEqual([false, true])
    expect((await source.load(alone)).stations[1]?.values).toEqual({})
  })

  it('include their newest open values', async () => {
    const current = await sourceOf().load(concerned)
    expect(current.stations.map(({ type, code }) => `${type}/${code}`)).toEqual([
      'Bike/a',
      'Bike/b',
      'Dock/closed',
      'Dock/d',
    ])
    expect(current.stations[0]).toMatchObject({
      position: null,
      values: {},
      metadata: {},
      described: at(0),
    })
    expect(current.stations[1]).toEqual({
      id: expect.any(Number),
      type: 'Bike',
      code: 'b',
      name: 'Station',
      origin: 'O',
      active: true,
      position: { longitude: 11.5, latitude: 46.5 },
      parent: null,
      metadata: { 'total-bays': 8 },
      described: at(0),
      values: {
        free: { value: 1, time: new Date('2026-11-20T11:30:00.500Z'), written: at(9) },
      },
    })
    expect(current.stations[2]?.values).toEqual({})
    expect(current.stations[3]).toMatchObject({
      parent: { type: 'Bike', code: 'b' },
      values: { state: { value: 'used' } },
    })
    const opened = await sourceOf({ kind: 'everything' }).load(concerned)
    expect(opened.stations[2]?.values).toMatchObject({ state: { value: 'used' } })
  })

  it.each(['always the same', 'a new'])(
    'report since when a value is unchanged, with %s source',
    async (which) => {
      await database().execute(sql`
      delete from measurement where valid_time > '2026-11-20T12:00Z'`)
      await database().execute(sql`
      update latest set valid_time = '2026-11-20T10:00Z', text = 'used' where text in ('free', 'used')`)
      const lasting = { ...concerned, lasting: ['state'] }
      const kept = sourceOf({ kind: 'everything' })
      const since = async () => {
        const source = which === 'a new' ? sourceOf({ kind: 'everything' }) : kept
        const { stations } = await source.load(lasting)
        const { state } = stations.find(({ code }) => code === 'd')?.values ?? {}
        return [state?.value, state?.since?.toISOString(), stations[1]?.values['free']?.since]
      }
      const push = (day: number, value: string) =>
        store('Dock', [['d', 'state', `2026-11-${String(day)}T10:00:00Z`, value]])
      expect(await since()).toEqual(['used', '2026-11-01T00:00:00.000Z', undefined])
      await push(21, 'free')
      expect(await since()).toEqual(['free', '2026-11-20T10:00:00.000Z', undefined])
      await push(22, 'free')
      expect(await since()).toEqual(['free', '2026-11-20T10:00:00.000Z', undefined])
      await push(23, 'used')
      await push(24, 'free')
      expect(await since()).toEqual(['free', '2026-11-23T10:00:00.000Z', undefined])
      await push(25, 'free')
      await push(26, 'free')
      expect(await since()).toEqual(['free', '2026-11-23T10:00:00.000Z', undefined])
      // A value that has lasted for more than 30 days is shown since the start of the month.
      await store('Dock', [['d', 'state', '2026-12-28T10:00:00Z', 'free']])
      expect(await since()).toEqual(['free', '2026-12-01T00:00:00.000Z', undefined])
    },
  )

  it('report whether values may be missing', () => {
    expect(sourceOf().isPartial(concerned)).toBe(true)
    expect(sourceOf({ kind: 'everything' }).isPartial(concerned)).toBe(false)
  })
})
