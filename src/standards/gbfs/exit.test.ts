import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { gbfsFaults } from '../../../test/fixtures/gbfs/schemas.ts'
import { describeWithSharedData } from '../../../test/fixtures/shared-data.ts'
import { atOnce } from '../../async/index.ts'
import { fieldsOf, listOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { CurrentStation } from '../../timeseries/index.ts'
import type { Built, Exit } from '../keep-exit.ts'
import { gbfsExit } from './exit.ts'
import { loadSystems } from './load-systems.ts'

const time = new Date('2026-11-20T12:00:00.700Z')
const now = new Date('2026-11-20T12:30:00Z')
const deps = { publicUrl: 'https://hub.test', licences: new Map(), secret: 's' }
const folder = (name: string) => fileURLToPath(new URL(`../../../gbfs/${name}`, import.meta.url))
const [demo, southTyrol] = [
  await loadSystems(folder('demo')),
  await loadSystems(folder('south-tyrol')),
]
const [bikes, cars] = demo.map((system) => gbfsExit(system, deps))

function build(
  exit: Exit | undefined,
  stations: readonly CurrentStation[],
  before: Built['documents'] = new Map(),
): Built {
  if (exit === undefined) throw new Error('There is no such exit.')
  return atOnce(exit.build({ stations }, { now, before }))
}

const values = (of: Members) =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [name, { value, time, written: time, since: time }]),
  )

const aStation = (more: Partial<CurrentStation> = {}): CurrentStation => ({
  id: 0,
  type: 'BikesharingStation',
  code: 'b 1',
  name: 'Bozen',
  origin: 'PAPIN',
  active: true,
  position: { longitude: 11.35, latitude: 46.5 },
  parent: null,
  metadata: { 'total-bays': 10 },
  described: time,
  values: values({ 'number-available': 4 }),
  ...more,
})

const aBicycle = (more: Partial<CurrentStation> = {}): CurrentStation =>
  aStation({
    type: 'Bicycle',
    code: 'bike-1',
    parent: { type: 'BikesharingStation', code: 'b 1' },
    metadata: { type: 'electric', 'battery-level': 50 },
    values: values({ availability: 1 }),
    ...more,
  })

const dataOf = (built: Built, path: string): Members =>
  fieldsOf(fieldsOf(JSON.parse(built.documents.get(path)?.body ?? '{}'))['data'])
const listIn = (built: Built, path: string, name: string) => listOf(dataOf(built, path)[name])
const statusOf = (stations: readonly CurrentStation[]) =>
  listIn(build(bikes, stations), '/gbfs/demo-bikes/3.0/station_status.json', 'stations')

describe('A system as GBFS', () => {
  it('has each station in both versions', () => {
    const built = build(bikes, [aStation(), aBicycle()])
    expect(built).toMatchObject({ published: 2, leftOut: [] })
    expect(listIn(built, '/gbfs/demo-bikes/3.0/station_information.json', 'stations')).toEqual([
      {
        station_id: 'b%201',
        lat: 46.5,
        lon: 11.35,
        name: ['de', 'it', 'en'].map((language) => ({ text: 'Bozen', language })),
        capacity: 10,
      },
    ])
    expect(listIn(built, '/gbfs/demo-bikes/2.3/it/station_information.json', 'stations')).toEqual([
      { station_id: 'b%201', lat: 46.5, lon: 11.35, name: 'Bozen', capacity: 10 },
    ])
    const common = {
      station_id: 'b%201',
      num_docks_available: 6,
      is_installed: true,
      is_renting: true,
      is_returning: true,
      vehicle_types_available: [
        { vehicle_type_id: 'bicycle', count: 3 },
        { vehicle_type_id: 'e-bike', count: 1 },
      ],
    }
    expect(listIn(built, '/gbfs/demo-bikes/3.0/station_status.json', 'stations')).toEqual([
      { ...common, num_vehicles_available: 4, last_reported: '2026-11-20T12:00:00Z' },
    ])
    expect(listIn(built, '/gbfs/demo-bikes/2.3/de/station_status.json', 'stations')).toEqual([
      { ...common, num_bikes_available: 4, last_reported: 1_795_176_000 },
    ])
  })

  it('has no free docks if there are more vehicles than docks, and counts them all', () => {
    const [status] = statusOf([aStation({ values: values({ 'number-available': 12 }) })])
    expect(status).toMatchObject({ num_vehicles_available: 12, num_docks_available: 0 })
  })

  it.each<[string, Partial<CurrentStation>]>([
    ['active', { active: false }],
    ['position', { position: null }],
    ['position', { position: { longitude: 0, latitude: 0 } }],
    ['position', { position: { longitude: 11, latitude: 460 } }],
    ['capacity', { metadata: {} }],
    ['capacity', { metadata: { 'total-bays': -1 } }],
    ['num_vehicles_available', { values: {} }],
    ['num_vehicles_available', { values: values({ 'number-available': 2.5 }) }],
    ['num_vehicles_available', { values: values({ 'number-available': [1] }) }],
  ])('leaves out and reports a station without a valid %s', (lacks, more) => {
    const built = build(bikes, [aStation(more)])
    expect(built).toMatchObject({ published: 0, leftOut: [{ code: 'b 1', lacks }] })
    expect(listIn(built, '/gbfs/demo-bikes/3.0/station_information.json', 'stations')).toEqual([])
  })

  it('lists vehicles that are not in use, with their stations', () => {
    const used = aBicycle({ code: 'used', values: values({ availability: 0 }) })
    const unknown = aBicycle({ code: 'unknown', values: {} })
    const built = build(bikes, [aStation(), aBicycle(), used, unknown])
    expect(built.leftOut).toMatchObject([{ code: 'unknown', lacks: 'is_available' }])
    const [vehicle, ...others] = listIn(
      built,
      '/gbfs/demo-bikes/3.0/vehicle_status.json',
      'vehicles',
    )
    expect(others).toEqual([])
    expect(vehicle).toMatchObject({
      vehicle_id: expect.stringMatching(/^[\w-]{22}$/),
      station_id: 'b%201',
      vehicle_type_id: 'e-bike',
      current_fuel_percent: 0.5,
      current_range_meters: 30_000,
      is_reserved: false,
    })
    const [bike] = listIn(built, '/gbfs/demo-bikes/2.3/de/free_bike_status.json', 'bikes')
    const { vehicle_id: bike_id, ...fields } = vehicle ?? {}
    expect(bike).toEqual({ ...fields, bike_id, last_reported: 1_795_176_000 })
  })

  it('assigns a vehicle a new identifier only after it was used or moved', () => {
    const idOf = (more: Partial<CurrentStation>, exit = bikes) => {
      const built = build(exit, [aStation(), aStation({ code: 'other' }), aBicycle(more)])
      return listIn(built, '/gbfs/demo-bikes/3.0/vehicle_status.json', 'vehicles')[0]?.[
        'vehicle_id'
      ]
    }
    const later = new Date('2026-11-21T12:00:00Z')
    const id = idOf({})
    const since = (begun: Date) =>
      idOf({ values: { availability: { value: 1, time: later, written: later, since: begun } } })
    expect(since(time)).toBe(id)
    expect(since(later)).not.toBe(id)
    expect(idOf({ described: later })).toBe(id)
    expect(idOf({ parent: { type: 'BikesharingStation', code: 'other' } })).not.toBe(id)
    const [system] = demo
    if (system === undefined) throw new Error('There is no system.')
    expect(idOf({}, gbfsExit(system, { ...deps, secret: 't' }))).not.toBe(id)
  })

  it('assigns a vehicle a new identifier when metadata that define its availability change', () => {
    const [system] = demo
    if (system === undefined) throw new Error('There is no system.')
    const fields = { ...system.definition.vehicles?.fields, is_available: 'metadata.free' }
    const definition = { ...system.definition, vehicles: { type: 'Bicycle', fields } }
    const exit = gbfsExit({ ...system, definition }, deps)
    const idOf = (described: Date) => {
      const bicycle = aBicycle({ metadata: { free: true, type: 'muscular' }, described })
      const path = '/gbfs/demo-bikes/3.0/vehicle_status.json'
      return listIn(build(exit, [aStation(), bicycle]), path, 'vehicles')[0]?.['vehicle_id']
    }
    expect(idOf(time)).toMatch(/./)
    expect(idOf(time)).toBe(idOf(time))
    expect(idOf(now)).not.toBe(idOf(time))
  })

  it('has only the times of data that it publishes', () => {
    const path = '/gbfs/demo-bikes/3.0/station_status.json'
    const [system] = demo
    if (system === undefined) throw new Error('There is no system.')
    const exit = gbfsExit({ ...system, stated: time }, deps)
    const numbers = (count: number, written: Date) => ({
      'number-available': { value: count, time, written },
    })
    const earlier = new Date('2026-11-20T12:10:00Z')
    const hidden = aStation({ code: 'hidden', values: {}, described: now })
    const first = build(exit, [aStation({ values: numbers(4, earlier) }), hidden])
    const next = (...stations: readonly CurrentStation[]) =>
      build(exit, stations, first.documents).documents.get(path)
    expect(first.documents.get(path)?.changed).toEqual(earlier)
    expect(next(aStation({ values: numbers(4, earlier) }))).toBe(first.documents.get(path))
    const confirmed = next(aStation({ values: numbers(4, new Date('2026-11-20T12:20:00Z')) }))
    expect(confirmed?.changed).toEqual(new Date('2026-11-20T12:20:00Z'))
    // A rule has closed the value, so nothing that is shown is newer.
    expect(next()).toMatchObject({ changed: now, body: expect.stringContaining('"stations":[]') })
  })

  it('uses the licence of the hub if its file has none', () => {
    const [system] = demo
    if (system === undefined) throw new Error('There is no system.')
    const { license: _, ...definition } = system.definition
    const licensed = (written: string) => {
      const licences = new Map([['*', written]])
      const built = build(gbfsExit({ ...system, definition }, { ...deps, licences }), [])
      const { license_id, license_url } = dataOf(
        built,
        '/gbfs/demo-bikes/3.0/system_information.json',
      )
      const former = dataOf(built, '/gbfs/demo-bikes/2.3/de/system_information.json')
      return [license_id, license_url, former['license_url']]
    }
    const address = 'https://l.example/1'
    expect(licensed('cc by 4.0')).toEqual([
      'CC-BY-4.0',
      undefined,
      'https://spdx.org/licenses/CC-BY-4.0.html',
    ])
    expect(licensed(address)).toEqual([undefined, address, address])
    expect(licensed('none of these')).toEqual([undefined, undefined, undefined])
  })

  it('names its offers, and the station and data types that it uses', () => {
    expect(cars?.offers[0]).toEqual({
      dataset: 'timeseries/CarsharingStation',
      name: 'GBFS',
      version: '3.0',
      path: '/gbfs/demo-cars/gbfs.json',
      mediaType: 'application/json',
    })
    expect(cars?.concerned).toEqual({
      types: ['CarsharingStation', 'CarsharingCar'],
      dataTypes: ['number-available', 'availability', 'current-station'],
      lasting: ['availability', 'current-station'],
    })
  })
})

/** Anything that a provider may send. */
const anything = fc.oneof(
  fc.anything({ withNullPrototype: false, maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.constantFrom<unknown>(0, 1, 7, 300, -1, true, '5', 'READY'),
)

const mostly = <Value, Other>(good: Value, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: other })

/** Metadata that the systems use. */
const plausible = {
  'total-bays': 9,
  availableVehicles: 5,
  capacity_max: 3,
  address: 'Waaggasse 1',
  postcode: 39_100,
  state: 'READY',
  type: 'electric',
  brand: 'Renault Zoe',
  electric: true,
  fuel_type: 'electric',
  batteryState: 'CHARGED',
  'battery-level': 50,
  'fuel-level': 50,
}

function anyStation(exit: Exit): fc.Arbitrary<CurrentStation> {
  const { types, dataTypes } = exit.concerned
  const text = fc.string({ unit: 'binary' })
  const code = fc.oneof(fc.constantFrom('a', 'b%20', 'b ', 'ü'), fc.string(), text)
  const moment = mostly(time, fc.date({ noInvalidDate: false }))
  const stored = fc.date({ noInvalidDate: true, max: new Date('2200-01-01') })
  const place = fc.record({ longitude: fc.double(), latitude: fc.double() })
  const good = { longitude: 11.3, latitude: 46.5 }
  return fc.record({
    id: fc.nat(),
    type: fc.constantFrom(...types),
    code,
    name: mostly('Name', text),
    origin: fc.constantFrom('BIKE_SHARING_BOLZANO', 'AlpsGo', null),
    active: mostly(true, fc.constant(false)),
    described: stored,
    position: mostly(good, fc.oneof(place, fc.constant(null))),
    parent: fc.option(fc.record({ type: fc.constant(types[0] ?? ''), code })),
    metadata: fc.record(
      Object.fromEntries(
        Object.entries(plausible).map(([name, value]) => [
          name,
          mostly<unknown, unknown>(value, anything),
        ]),
      ),
    ),
    values: fc.record(
      Object.fromEntries(
        dataTypes.map((name) => [
          name,
          fc.record({
            value: mostly<unknown, unknown>(1, anything),
            time: moment,
            written: stored,
            since: moment,
          }),
        ]),
      ),
    ),
  })
}

const nameIn = (path: string) => /([a-z_]+)\.json$/.exec(path)?.[1] ?? ''
const versionOf = (path: string) => (path.includes('/2.3/') ? '2.3' : '3.0')

describeWithSharedData('The files of a system', () => {
  const systems = [...demo, ...southTyrol].map((system) => gbfsExit(system, deps))

  it.each(systems.map((exit) => [exit.name, exit] as const))(
    '%s are valid for any stations',
    (_name, exit) => {
      let published = 0
      const stations = fc.uniqueArray(anyStation(exit), {
        maxLength: 40,
        selector: ({ type, code }) => `${type} ${code}`,
      })
      fc.assert(
        fc.property(stations, (found) => {
          const built = build(exit, found)
          published += built.published
          for (const [path, { body }] of built.documents) {
            const faults = gbfsFaults(versionOf(path), nameIn(path), JSON.parse(body))
            expect([path, faults]).toEqual([path, []])
          }
          const ids = listIn(built, `/${exit.name}/3.0/station_status.json`, 'stations')
          expect(new Set(ids.map(({ station_id }) => station_id)).size).toBe(ids.length)
        }),
        { numRuns: 300 },
      )
      expect(published).toBeGreaterThan(50)
    },
  )
})
