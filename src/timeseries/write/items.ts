import { Type } from 'typebox'
import { form } from '../../errors/index.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import type { Proven } from '../../lang/schemas.ts'

// The contents of messages. A missing field keeps its value, and null clears it. In an event, a
// missing field is unknown.

/** A time with a zone. Without one, it would be another moment on another machine. */
export const zoned = form(
  String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$`,
  'is not a valid time with a zone; write it like 2026-11-20T10:15:00Z',
)

export const time = Type.String({
  ...zoned,
  description: 'ISO 8601 with a zone, such as 2026-11-20T10:15:00Z',
})

export const name = Type.String({ minLength: 1, maxLength: 255 })

const optionalFlag = Type.Optional(Type.Boolean())
const optionalText = Type.Optional(orNull(Type.String()))

/** Metadata of stations, data types and events: any JSON object. */
const metadata = Type.Optional(orNull(Type.Record(Type.String(), Type.Unknown())))

/** Identifies a station. Codes are unique only within a type. */
const stationReference = exactly({ type: name, code: name })
export type StationReference = Proven<typeof stationReference>

const reference = Type.Optional(orNull(stationReference))

/** GeoJSON (RFC 7946), as far as a schema should check it. PostGIS checks the coordinates. */
const shape = Type.Object(
  {
    type: Type.Enum([
      'Point',
      'MultiPoint',
      'LineString',
      'MultiLineString',
      'Polygon',
      'MultiPolygon',
      'GeometryCollection',
    ]),
    coordinates: Type.Optional(Type.Array(Type.Unknown())),
    geometries: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: true, description: 'GeoJSON geometry, longitude first' },
)
const geometry = Type.Optional(Type.Unsafe<object | null>(orNull(shape)))

/** Provenance of the data in a message: who collected it, and from where. */
export const provenance = exactly({
  name,
  // The three fields share an index entry (2,704 bytes).
  version: Type.Optional(orNull(Type.String({ maxLength: 128 }))),
  lineage: Type.String({ maxLength: 255 }),
})
export type Provenance = Proven<typeof provenance>

export const stationItem = exactly({
  code: name,
  name: Type.Optional(name),
  coordinate: Type.Optional(
    orNull(
      Type.Array(Type.Number(), {
        minItems: 2,
        maxItems: 3,
        description: 'Longitude, latitude; in another reference system x, y',
      }),
    ),
  ),
  srid: Type.Optional(Type.Integer({ minimum: 1, maximum: 998_999 })),
  active: optionalFlag,
  available: optionalFlag,
  parent: reference,
  metadata,
})
export type StationItem = Proven<typeof stationItem>

export const edgeItem = exactly({
  code: name,
  name: Type.Optional(name),
  from: reference,
  to: reference,
  directed: optionalFlag,
  geometry,
  active: optionalFlag,
})
export type EdgeItem = Proven<typeof edgeItem>

export const dataTypeItem = exactly({
  name,
  unit: optionalText,
  type: Type.Optional(
    orNull(Type.String({ description: 'Kind of measure, such as Instantaneous or Mean' })),
  ),
  description: optionalText,
  metadata,
})
export type DataTypeItem = Proven<typeof dataTypeItem>

/** Shorter than other names, because origin, series and uuid share an index entry (2,704 bytes). */
const identifier = Type.String({ minLength: 1, maxLength: 128 })

const perLanguage = Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Type.String(), {
  additionalProperties: false,
})

/**
 * Severities of DATEX II, the mildest first. Other severities are stored, but the traffic feed
 * shows that of the kind of event instead.
 */
export const severities = ['none', 'unknown', 'lowest', 'low', 'medium', 'high', 'highest'] as const

export type Severity = (typeof severities)[number]

export function severityOf(text: string | null | undefined): Severity | undefined {
  const wanted = text?.trim().toLowerCase()
  return severities.find((severity) => severity === wanted)
}

/** A state of an event. Without `series`, it is a series of its own. */
export const eventItem = exactly({
  uuid: identifier,
  series: Type.Optional(identifier),
  name: Type.Optional(name),
  description: optionalText,
  category: optionalText,
  tags: Type.Optional(Type.Array(name, { maxItems: 100 })),
  severity: optionalText,
  start: Type.Optional(orNull(time)),
  end: Type.Optional(orNull(time)),
  cancelled: optionalFlag,
  title: Type.Optional(orNull(perLanguage)),
  text: Type.Optional(orNull(perLanguage)),
  geometry,
  locationDescription: optionalText,
  metadata,
  datex: metadata,
})
export type EventItem = Proven<typeof eventItem>
