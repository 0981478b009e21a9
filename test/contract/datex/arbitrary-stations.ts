import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { CurrentStation, CurrentStations } from '../../../src/timeseries/index.ts'

const tables = ['energy', 'parking'].map((name) =>
  readFileSync(new URL(`../../../src/standards/datex3/${name}.yaml`, import.meta.url), 'utf8'),
)
const namesAfter = (root: string) => [
  ...new Set(tables.flatMap((text) => text.match(new RegExp(`(?<=\\b${root}\\.)[\\w.-]+`, 'g')) ?? [])),
]

/** Every metadata field and every data type that a table uses. */
const metadataPaths = namesAfter('metadata')
const dataTypes = namesAfter('value')

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
const hostileText = fc.oneof(
  fc.string({ unit: codeUnit, maxLength: 30 }),
  fc.string({ unit: 'binary', minLength: 1000, maxLength: 3000 }),
  fc.constantFrom('', ' ', ']]>', '<!--', '&#0;', '"\'<>&', 'x'.repeat(5000), '😀'.repeat(1000), '__proto__'),
)

/** Words that the tables translate, and similar ones. */
const words = [...new Set(tables.flatMap((text) => text.match(/(?<=[{\s'])\w[\w ]*(?='?: )/g) ?? []))]

const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }) },
  fc.constantFrom(-2, 1e21, 1e-7, 22.5, '7.4', '12', 'https://a.example/b?c=d', 'javascript:x', 'ITA', 'IT'),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  hostileText,
)

const time = fc.oneof(fc.constantFrom('08:30', '24:00', '25:00', '20:00'), scalar)
const hours = fc.record(
  {
    twentyfourseven: fc.oneof(fc.boolean(), scalar),
    regular_hours: fc.array(
      fc.record({ weekday: fc.integer({ min: 0, max: 8 }), period_begin: time, period_end: time }),
      { maxLength: 8 },
    ),
  },
  { requiredKeys: [] },
)

const outlet = fc.dictionary(
  fc.constantFrom('outletTypeCode', 'standard', 'maxPower', 'minPower', 'max_electric_power', 'powerType', 'format'),
  scalar,
)

const anything = fc.oneof(
  { weight: 12, arbitrary: scalar },
  hours,
  fc.array(outlet, { maxLength: 3 }),
  fc.array(fc.constantFrom(...words), { maxLength: 4 }),
  fc.dictionary(hostileText, scalar, { maxKeys: 3 }),
)

const path = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...metadataPaths) },
  fc.constantFrom('capacity', 'outlets', 'connectors'),
  hostileText,
)

const metadata = fc
  .tuple(
    fc.array(fc.tuple(path, anything), { maxLength: 12 }),
    fc.option(fc.integer({ min: 1, max: 500 }), { freq: 5 }),
  )
  .map(([fields, capacity]) => {
    const built: Record<string, unknown> = capacity === null ? {} : { capacity }
    for (const [name, value] of fields) put(built, name.split('.'), value)
    return built
  })

function put(into: Record<string, unknown>, [head = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    Object.defineProperty(into, head, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  const below: Record<string, unknown> = {}
  put(below, rest, value)
  into[head] = below
}

const instant = fc.date({ noInvalidDate: true })

const stored = new Date('2026-11-20T12:00:00Z')
const values = fc
  .array(fc.tuple(fc.constantFrom(...dataTypes), fc.oneof(fc.constantFrom(0, 1), anything), instant), {
    maxLength: 6,
  })
  .map((list) => Object.fromEntries(list.map(([name, value, at]) => [name, { value, time: at, written: stored }])))

const types = ['EChargingStation', 'EChargingPlug', 'ParkingFacility', 'ParkingStation', 'ParkingSensor']
const code = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') }, hostileText)

const position = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    }),
  },
  fc.constantFrom(null, { longitude: 0, latitude: 0 }, { longitude: 200, latitude: 1e9 }),
)

const station: fc.Arbitrary<CurrentStation> = fc.record({
  id: fc.nat(),
  type: fc.constantFrom(...types),
  code,
  name: hostileText,
  origin: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('ALPERIA', 'route_220') },
    fc.constantFrom(null, ''),
    hostileText,
  ),
  active: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  position,
  parent: fc.oneof(fc.constant(null), fc.record({ type: fc.constantFrom(...types), code })),
  metadata,
  described: fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
  values,
})

/**
 * Generates stations as no provider should ever send them. Type and code are unique together, as in
 * the store.
 */
export function anyStations(most: number): fc.Arbitrary<CurrentStations> {
  return fc.record({
    stations: fc.uniqueArray(station, {
      minLength: most,
      maxLength: most,
      selector: (each) => JSON.stringify([each.type, each.code]),
    }),
  })
}
