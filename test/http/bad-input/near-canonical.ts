import fc from 'fast-check'
import { entitiesOf, toNaming } from '../../../src/content/index.ts'

/** A canonical object with few errors or none. */
export type NearMessage = { readonly [member: string]: unknown }

const code = fc.constantFrom('a', 'b', 'c', 'd', 'é', 'x'.repeat(255))
const stationType = fc.constantFrom('A', 'B')
const origin = fc.constantFrom('X', 'Y', null)
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const year = { min: new Date('1990-01-01T00:00:00Z'), max: new Date('2110-01-01T00:00:00Z') }
const time = fc.date({ ...year, noInvalidDate: true }).map((date) => date.toISOString())
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const metadata = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
const reference = fc.record({ type: stationType, code })
const position = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: -90, max: 90 }),
)
const geometry = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: position }),
  fc.record({
    type: fc.constant('LineString'),
    coordinates: fc.array(position, { minLength: 2, maxLength: 5 }),
  }),
  fc.record({ type: fc.constant('GeometryCollection'), geometries: fc.constant([]) }),
)

const constants = (values: NearMessage) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)]))
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const some = <Value>(item: fc.Arbitrary<Value>) => fc.array(item, { maxLength: 6 })
const languages = fc.dictionary(fc.constantFrom('de', 'it', 'en'), text)
const recorded = fc.option(time, { nil: undefined, freq: 5 })

const coordinates = { Latitude: 46, Longitude: 11 }

/**
 * Fields from which columns of content tables are computed, in addition to the fields that every
 * record has.
 */
const computed = {
  ...{ GpsPoints: { position: coordinates }, Geo: { position: { Default: true, ...coordinates } } },
  ...{ ...coordinates, latitude: 46, longitude: 11, Altitude: 1200 },
  ...{
    TagIds: ['a'],
    Tags: [{ Id: 'b' }],
    SmgTags: ['c'],
    PublishedOn: ['d'],
    HasLanguage: ['de'],
  },
  EventDate: [{ From: '2026-01-01T00:00:00', To: '2026-01-02T00:00:00', Begin: '10:00:00' }],
  ...{ DateBegin: '2026-01-01T00:00:00', DateEnd: '2026-01-02T00:00:00', AreaIds: ['e'] },
  LocationInfo: { RegionInfo: { Id: 'f' }, AreaInfo: [{ Id: 'g' }], TvInfo: { Id: 'h' } },
  ...{ Geometry: { type: 'Point', coordinates: [11, 46] }, Srid: 'EPSG:4326', Mapping: { a: {} } },
  ...{
    AdditionalPoiInfos: { de: { MainType: 'i' } },
    OperationSchedule: [{ Start: '2026-01-01' }],
  },
}

/** Generates objects that are valid except for what they refer to. */
const canonical: fc.Arbitrary<NearMessage> = fc.oneof(
  fc.record({
    kind: fc.constant('content'),
    entity: fc.constantFrom(...entitiesOf(toNaming('Hub')).map(({ type }) => type)),
    items: some(
      fc.record(
        {
          Id: code,
          Shortname: text,
          Active: fc.boolean(),
          LastChange: time,
          Source: text,
          LicenseInfo: fc.record({ ClosedData: fc.boolean() }),
          Detail: fc.dictionary(fc.constantFrom('de', 'it'), fc.record({ Title: text })),
          GpsInfo: fc.constant([{ Gpstype: 'position', Latitude: 46, Longitude: 11 }]),
          Unknown: metadata,
          ...constants(computed),
        },
        { requiredKeys: ['Id'] },
      ),
    ),
    delete: fc.array(code, { maxLength: 2 }),
  }),
  fc.record({
    ...{ kind: fc.constant('stations'), stationType, origin, recorded },
    ...{ complete: fc.boolean(), closed: fc.boolean() },
    items: some(
      fc.record(
        {
          ...{
            code,
            name: text,
            coordinate: orNull(position),
            srid: fc.constantFrom(4326, 25832, 3857),
          },
          ...{ active: fc.boolean(), available: fc.boolean() },
          ...{ parent: orNull(reference), metadata: orNull(metadata) },
        },
        { requiredKeys: ['code'] },
      ),
    ),
  }),
  fc.record({
    ...{ kind: fc.constant('dataTypes'), recorded },
    items: some(
      fc.record(
        { ...{ name: code, unit: orNull(text), type: text, description: text }, metadata },
        { requiredKeys: ['name'] },
      ),
    ),
  }),
  fc.record({
    ...{ kind: fc.constant('measurements'), stationType, period: fc.nat(), recorded },
    provenance: orNull(fc.record({ name: code, version: orNull(text), lineage: text })),
    items: some(fc.tuple(code, code, time, fc.oneof(number, text, metadata))),
  }),
  fc.record({
    ...{ kind: fc.constant('edges'), edgeType: fc.constantFrom('A', 'E'), origin },
    items: some(
      fc.record(
        { ...{ code, name: text, from: orNull(reference), to: orNull(reference) }, geometry },
        { requiredKeys: ['code'] },
      ),
    ),
  }),
  fc.record({
    ...{ kind: fc.constant('events'), origin: fc.constantFrom('X', 'Y'), recorded },
    ...{ closed: fc.boolean(), provenance: fc.constant(null) },
    items: some(
      fc.record(
        {
          ...{ uuid: code, series: code, name: code, category: text, tags: some(code) },
          ...{ start: orNull(time), end: orNull(time), title: languages, text: languages },
          ...{ geometry: orNull(geometry), metadata, datex: orNull(metadata) },
        },
        { requiredKeys: ['uuid'] },
      ),
    ),
  }),
)

/** Generates common errors of senders, and values that break parsers that trust them. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1.5, 1e308, 5e-324, 2 ** 53, true, [], {}, [[]]),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    'x'.repeat(256),
    '__proto__',
    'constructor',
    "'; drop table station; --",
  ),
  fc.constantFrom(
    '2026-02-31T00:00:00Z',
    '2026-11-20T10:15:00',
    '0000-01-01T00:00Z',
    '2026-11-20T10:15+15:59',
  ),
  fc.constantFrom<unknown>(
    [200, 0],
    [11, 46, 1],
    { type: 'A', code: 'nowhere' },
    { type: 'Polygon' },
  ),
  fc.jsonValue(),
)

const change = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add'),
  name: fc.oneof(fc.constantFrom('code', 'Id', '__proto__', 'items', '\u0000'), text),
  value: odd,
})

/** Generates canonical objects with up to three changes in any place. */
export const nearCanonical: fc.Arbitrary<NearMessage> = fc
  .tuple(canonical, fc.array(change, { maxLength: 3 }))
  .map(([message, changes]) => {
    const changed: Holder = structuredClone({ message })
    for (const one of changes) apply(changed, one)
    return isObject(changed['message']) ? { ...changed['message'] } : {}
  })

type Holder = Record<string, unknown>
type Change = {
  readonly place: number
  readonly how: string
  readonly name: string
  readonly value: unknown
}

function apply(root: Holder, { place, how, name, ...change }: Change): void {
  // Values are shared between messages, and another change may apply inside this one.
  const value = structuredClone(change.value)
  const places = membersOf(root)
  const [parent, member] = places[place % places.length] ?? [root, 'message']
  if (how === 'add') add(parent, name, value)
  else if (how === 'remove' && !Array.isArray(parent)) Reflect.deleteProperty(parent, member)
  else parent[member] = value
}

/** Adds a member. In JSON an array has no named members, and its `length` cannot be redefined. */
function add(parent: Holder, name: string, value: unknown): void {
  if (Array.isArray(parent)) parent.push(value)
  else Object.defineProperty(parent, name, { value, ...visible })
}

/**
 * Property attributes as set by JSON.parse, which also creates members with names that are special
 * in JavaScript.
 */
const visible = { enumerable: true, configurable: true, writable: true }

function membersOf(holder: Holder): readonly (readonly [Holder, string])[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as const,
    ...(isObject(value) ? membersOf(value) : []),
  ])
}

function isObject(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null
}
