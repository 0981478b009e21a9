import type { Geometry, Position } from 'geojson'
import { isMembers, listOf, membersOf, numberOf, textOf } from './json.ts'
import type { Members } from './json.ts'

/** A place of a record. */
type Place = {
  readonly latitude: number
  readonly longitude: number
  readonly altitude?: number
  /** `position`, `startingpoint`, `carparking` … */
  readonly kind?: string
}

const fine = 100_000

/** All places of a record, the main one first, each once. */
export function readPlaces(record: Members): readonly Place[] {
  const candidates = [
    ...listOf(record['GpsInfo']),
    ...Object.entries(membersOf(record['Geo'])).map(([kind, place]) => withKind(place, kind)),
    ...Object.entries(membersOf(record['GpsPoints'])).map(([kind, place]) => withKind(place, kind)),
    record,
  ]
  const seen = new Set<string>()
  return candidates
    .flatMap((one) => toPlace(one) ?? [])
    .filter(({ latitude, longitude }) => {
      const key = `${Math.round(latitude * fine)} ${Math.round(longitude * fine)}`
      return !seen.has(key) && seen.add(key)
    })
}

function withKind(place: unknown, kind: string): unknown {
  return isMembers(place) ? { Gpstype: kind, ...place } : place
}

function toPlace(value: unknown): Place | undefined {
  const place = membersOf(value)
  const read = (name: string) => numberOf(place[name] ?? place[name.toLowerCase()])
  const [latitude, longitude, altitude] = [read('Latitude'), read('Longitude'), read('Altitude')]
  if (latitude === undefined || longitude === undefined) return undefined
  // Null Island is where records without a place are.
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!isPlace || (latitude === 0 && longitude === 0)) return undefined
  const kind = textOf(place['Gpstype'])
  return {
    latitude,
    longitude,
    ...(altitude === undefined || altitude === 0 ? {} : { altitude }),
    ...(kind === undefined ? {} : { kind }),
  }
}

/** The shape of a record: as GeoJSON in `Geometry`, or as text in `Geo`. A point says no more than a place. */
export function readShape(record: Members): Geometry | undefined {
  const texts = Object.values(membersOf(record['Geo'])).map((place) => membersOf(place)['Geometry'])
  const shapes = [record['Geometry'], ...texts].map((one) =>
    typeof one === 'string' ? readWkt(one) : toGeometry(one),
  )
  return shapes.find((shape) => shape !== undefined && shape.type !== 'Point')
}

function toGeometry(value: unknown): Geometry | undefined {
  return isShape(value) ? value : undefined
}

function isShape(value: unknown): value is Geometry {
  const types = /^(Multi)?(LineString|Polygon)$|^MultiPoint$/
  return (
    isMembers(value) &&
    types.test(textOf(value['type']) ?? '') &&
    Array.isArray(value['coordinates'])
  )
}

/** Reads the shapes of well-known text that records have (OGC 06-103r4, 7): lines and polygons. */
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
