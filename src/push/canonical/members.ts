import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { form } from '../../errors/index.ts'

/** Members that several canonical formats share. */

type Typed = TSchema & { readonly type: string }

/** One `type` with two names, not a union: a wrong value then has one fault, at the right place. */
export const orNull = <Schema extends Typed>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

/** A time with its zone: data without one would mean another moment on another machine. */
const zoned = form(
  String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$`,
  'is no time with a zone; write it like 2026-11-20T10:15:00Z',
)

export const time = Type.String({
  ...zoned,
  description: 'ISO 8601 with a zone, such as 2026-11-20T10:15:00Z',
})

export const name = Type.String({ minLength: 1, maxLength: 255 })

/**
 * What is wrong with a text that fits `zoned`, or undefined. It may name no moment, such as 31
 * February, or one that has more than four digits for its year in UTC.
 */
export function momentFault(written: string): string | undefined {
  // Most texts are in UTC and before the 29th: those need neither a rewrite nor a calendar.
  const isUtc = written.endsWith('Z')
  const moment = Date.parse(isUtc ? written : written.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  const day = Number(written.slice(8, 10))
  if (Number.isNaN(moment) || (day > 28 && day > lastDayOf(written))) {
    return 'is no moment that exists'
  }
  return moment < firstMoment || moment > lastMoment
    ? 'is outside of the years 0001 to 9999'
    : undefined
}

/** Of the month that a text begins with. */
function lastDayOf(written: string): number {
  return new Date(
    Date.UTC(Number(written.slice(0, 4)), Number(written.slice(5, 7)), 0),
  ).getUTCDate()
}

const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

export const items = { items: Type.Optional(Type.Array(Type.Unknown())) }

/** Items, and the time that an ADMIN may give them. */
export const envelope = {
  ...items,
  recorded: Type.Optional(
    Type.String({ ...zoned, description: 'Transaction time; for the role ADMIN only' }),
  ),
}

/** Metadata of stations, types and events: any JSON object. */
export const metadata = Type.Record(Type.String(), Type.Unknown())

export const provenance = Type.Object(
  {
    name,
    // The three share an entry of an index (2,704 bytes).
    version: Type.Optional(orNull(Type.String({ maxLength: 128 }))),
    lineage: Type.String({ maxLength: 255 }),
  },
  { additionalProperties: false },
)

export const stationReference = Type.Object(
  { type: name, code: name },
  { additionalProperties: false },
)

/** GeoJSON (RFC 7946), as far as a schema should go: PostGIS judges the coordinates. */
export const geometry = Type.Object(
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
