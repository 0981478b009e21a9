import type { Geometry, Position } from 'geojson'
import { eachOnce, isMembers, textOf } from './json.ts'
import { rootOf, structuresOf } from './structures.ts'
import type { Described, Structure } from './structures.ts'

/** A place of a record. */
type Place = {
  readonly latitude: number
  readonly longitude: number
  readonly altitude?: number
  /** Kind of place: `position`, `startingpoint`, `carparking` … */
  readonly kind?: string
}

const fine = 100_000

/** Returns lists of places, and positions with names as keys. */
const positionsOf = (of: Described) => structuresOf(of, ['place', 'position'], '')

/** Returns all places of a record, the main one first, without duplicates. */
export function readPlaces(of: Described): readonly Place[] {
  return eachOnce(
    [...positionsOf(of), rootOf(of, '')].flatMap(toPlace),
    ({ latitude, longitude }) =>
      `${String(Math.round(latitude * fine))} ${String(Math.round(longitude * fine))}`,
  )
}

function toPlace({ number, text, key }: Structure): readonly Place[] {
  const [latitude, longitude] = [number('latitude'), number('longitude')]
  const [altitude = 0, kind = key] = [number('altitude'), text('kind')]
  if (latitude === undefined || longitude === undefined) return []
  // Records without a place often have the coordinates 0, 0.
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!isPlace || (latitude === 0 && longitude === 0)) return []
  return [
    {
      ...{ latitude, longitude },
      ...(altitude === 0 ? {} : { altitude }),
      ...(kind === undefined ? {} : { kind }),
    },
  ]
}

/**
 * Returns the shape of a record, from GeoJSON or well-known text. Points are ignored, because
 * places already cover them.
 */
export function readShape({ record, members }: Described): Geometry | undefined {
  const whole = members.filter(({ role }) => role === 'shape').map(({ path }) => record[path])
  const ofPlaces = positionsOf({ record, members }).map(({ value }) => value('shape'))
  return [...whole, ...ofPlaces]
    .map((one) => (typeof one === 'string' ? readWkt(one) : isShape(one) ? one : undefined))
    .find((shape) => shape !== undefined && shape.type !== 'Point')
}

function isShape(value: unknown): value is Geometry {
  const types = /^(Multi)?(LineString|Polygon)$|^MultiPoint$/
  return (
    isMembers(value) &&
    types.test(textOf(value['type']) ?? '') &&
    Array.isArray(value['coordinates'])
  )
}

/** Parses the well-known text that records use (OGC 06-103r4, 7): lines and polygons. */
export function readWkt(text: string): Geometry | undefined {
  const found =
    /^(?:SRID=\d+;)?\s*(?<type>(MULTI)?(LINESTRING|POLYGON))\s*Z?\s*(?<body>\(.*\))\s*$/is.exec(
      text,
    )
  const { type, body } = found?.groups ?? {}
  if (type === undefined || body === undefined) return undefined
  const points = (part: string): Position[] =>
    part
      .replace(/[()]/g, '')
      .split(',')
      .map((pair) => pair.trim().split(/\s+/).slice(0, 2).map(Number))
      .filter((pair) => pair.length === 2 && pair.every(Number.isFinite))
  const rings = (part: string) => part.split(/\)\s*,\s*\(/).map(points)
  switch (type.toUpperCase()) {
    case 'LINESTRING':
      return { type: 'LineString', coordinates: points(body) }
    case 'MULTILINESTRING':
      return { type: 'MultiLineString', coordinates: rings(body) }
    case 'POLYGON':
      return { type: 'Polygon', coordinates: rings(body) }
    default:
      return { type: 'MultiPolygon', coordinates: body.split(/\)\s*\)\s*,\s*\(\s*\(/).map(rings) }
  }
}
