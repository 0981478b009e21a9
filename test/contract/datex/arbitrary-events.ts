import fc from 'fast-check'
import type { Geometry, Position } from 'geojson'
import { recordTypes } from '../../../src/datex/index.ts'
import { anEvent } from './an-event.ts'
import { tagTypes } from '../../../src/traffic/classify.ts'
import type { MobilityEvent } from '../../../src/timeseries/index.ts'

const tag = fc.constantFrom(...tagTypes.keys(), 'current', 'announcement:traffic-event')
const recordType = fc.constantFrom(...Object.keys(recordTypes))
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 3 })

const place = fc.tuple(
  fc.double({ min: 10, max: 13, noNaN: true }),
  fc.double({ min: 45, max: 48, noNaN: true }),
)

/**
 * Mixes usual values with odd ones, so that most events are published and every odd value still
 * occurs.
 */
function mostly<Usual, Odd>(usual: fc.Arbitrary<Usual>, odd: fc.Arbitrary<Odd>) {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

/**
 * Generates events as a well-behaved provider sends them, none of which is over at 1 June 2026,
 * 12:00 UTC.
 */
export function plainEvent(): fc.Arbitrary<MobilityEvent> {
  const day = (from: string, to: string) =>
    fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1200 })
  const said = fc.dictionary(fc.constantFrom('de', 'it', 'en', 'lld', 'de-AT'), words)
  const geometry = fc.oneof(
    place.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
    fc
      .uniqueArray(place, { minLength: 2, maxLength: 6, selector: String })
      .map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  )
  return fc
    .record({
      series: fc.uuid(),
      version: fc.integer({ min: 1, max: 100 }),
      tags: fc.array(tag, { maxLength: 4 }),
      start: day('2026-05-31T12:00:01Z', '2026-07-01T00:00:00Z'),
      end: orNull(day('2026-06-01T11:00:01Z', '2027-01-01T00:00:00Z')),
      title: said,
      text: said,
      geometry,
      datex: orNull(recordType.map((type) => ({ type }))),
      recorded: day('2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z'),
    })
    .map((members) => anEvent({ ...members, firstRecorded: members.recorded }))
}

/** Generates events as no provider should ever send them. */
export function anyEvent(): fc.Arbitrary<MobilityEvent> {
  const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
  const text = fc.oneof(
    fc.string({ unit: codeUnit, maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 1000, maxLength: 5000 }),
    fc.constantFrom('', ' | ', ']]>', '<!--', '&#0;', 'x'.repeat(5000), '😀'.repeat(1000)),
  )
  const language = fc.oneof(fc.constantFrom('de', 'it', 'de_DE', '', 'deutsch-langname', '*'), text)
  const said = fc.dictionary(language, text, { maxKeys: 4 })
  const near = fc.date({ min: new Date('2026-05-31'), max: new Date('2026-06-03'), noInvalidDate: true })
  const date = mostly(near, fc.date({ noInvalidDate: false }))
  return fc.record<MobilityEvent>({
    uuid: text,
    series: mostly(fc.uuid(), fc.oneof(fc.constantFrom('two', 'two\u0000', 'two\uFFFD'), text)),
    origin: text,
    name: text,
    description: orNull(text),
    category: orNull(fc.oneof(tag, text)),
    tags: fc.array(fc.oneof(tag, text), { maxLength: 4 }),
    severity: orNull(fc.oneof(fc.constantFrom('high', 'HIGHEST'), text)),
    start: orNull(date),
    end: orNull(date),
    cancelled: mostly(fc.constant(false), fc.constant(true)),
    title: said,
    text: said,
    geometry: mostly(anyGeometry(), fc.constant(null)),
    locationDescription: orNull(text),
    metadata: anyMetadata(),
    datex: orNull(anyDatex()),
    recorded: date,
    firstRecorded: date,
    version: fc.oneof(fc.integer(), fc.constant(Number.NaN), fc.double()),
  })
}

/** Generates names that the table of kinds searches for, with values of every kind. */
function anyMetadata(): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const rules = [...tagTypes.values()].flatMap(({ finer }) => finer)
  const name = fc.constantFrom(...rules.flatMap(({ member }) => member))
  const word = fc.constantFrom(...rules.flatMap(({ is = [] }) => is))
  const value = fc.oneof(word, fc.double(), fc.integer().map(String), fc.jsonValue({ maxDepth: 2 }))
  return fc.dictionary(name, value, { maxKeys: 4 })
}

function anyGeometry(): fc.Arbitrary<Geometry> {
  const number = fc.oneof(fc.double({ min: -90, max: 90 }), fc.double(), fc.constantFrom(0, -0))
  const position: fc.Arbitrary<Position> = fc.array(number, { maxLength: 3 })
  const line = fc.array(mostly(place, position), { maxLength: 6 })
  const lines = fc.array(line, { maxLength: 3 })
  const simple = fc.oneof(
    mostly(place, position).map((coordinates): Geometry => ({ type: 'Point', coordinates })),
    line.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
    line.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
    lines.map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
    lines.map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
    fc
      .array(lines, { maxLength: 2 })
      .map((coordinates): Geometry => ({ type: 'MultiPolygon', coordinates })),
  )
  const collection = fc
    .array(simple, { maxLength: 3 })
    .map((geometries): Geometry => ({ type: 'GeometryCollection', geometries }))
  return fc.oneof({ weight: 5, arbitrary: simple }, { weight: 1, arbitrary: collection })
}

/** Generates fields that exist somewhere in the tables, with values of every kind. */
function anyDatex(): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const name = fc.constantFrom(
    ...['validity', 'groupOfLocations', 'source', 'cause', 'impact', 'urlLink', 'management'],
    ...['overallSeverity', 'urgency', 'confidentiality', 'relatedSituation', 'id', 'version'],
    ...['vmsSetting', 'complianceOption', 'temporarySpeedLimit', 'accidentType', 'wind'],
    ...['forVehiclesWithCharacteristicsOf', 'situationRecordObservationTime', 'queueLength'],
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('high', 'accident', '2026-01-01T00:00:00', 5, -1, true, [], {}, [null]),
    fc.dictionary(fc.constantFrom('type', 'id', 'version', 'validityStatus'), fc.jsonValue()),
  )
  return fc
    .tuple(fc.dictionary(name, value), fc.option(fc.oneof(recordType, fc.string())))
    .map(([members, type]) => ({ ...members, ...(type !== null && { type }) }))
}
