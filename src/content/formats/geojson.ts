import { LanguageError, createCursor } from '../../lang/index.ts'
import { fieldsOf, listOf, numberOf, parseObject, textOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { Geometry } from '../geography/geometry.ts'
import { parseGeometry } from '../geography/geometry.ts'
import { represent } from '../representation.ts'
import { defineFormat, separated } from './format.ts'
import type { Listing, LoadedRecord, AnswerContext } from './format.ts'

/** GeoJSON geometry (RFC 7946 section 3.1). */
type Position = { readonly type: string; readonly coordinates?: readonly number[] }

/**
 * Returns the location of a record: its geometry, or the point of its default position, otherwise
 * of the position named `position`, otherwise of the first with coordinates. Older records have the
 * coordinates as fields of their own.
 * @returns undefined if the record has no valid location
 */
export function positionOf(record: Members): Position | undefined {
  const geometry = fieldsOf(record['Geometry'])
  if (typeof geometry['type'] === 'string') return { ...geometry, type: geometry['type'] }
  return pointsOf(record).flatMap((place) => toPoint(place) ?? [])[0]
}

/** Returns everything that may contain coordinates, the best first. */
function pointsOf(record: Members): readonly Members[] {
  const places = listOf(record['GpsInfo'])
  return [
    ...places.filter((place) => place['Default'] === true),
    ...places.filter((place) => place['Gpstype'] === 'position'),
    ...places,
    fieldsOf(fieldsOf(record['GpsPoints'])['position']),
    ...Object.values(fieldsOf(record['Geo'])).map(fieldsOf),
    record,
  ]
}

/** Returns a point, longitude first. The altitude is included only if it is in metres. */
function toPoint(place: Members): Position | undefined {
  const longitude = numberOf(place['Longitude'] ?? place['longitude'])
  const latitude = numberOf(place['Latitude'] ?? place['latitude'])
  if (longitude === undefined || latitude === undefined) return undefined
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return undefined
  const altitude =
    (place['AltitudeUnitofMeasure'] ?? 'm') === 'm' ? numberOf(place['Altitude']) : undefined
  const coordinates = altitude === undefined ? [] : [altitude]
  return { type: 'Point', coordinates: [longitude, latitude, ...coordinates] }
}

/**
 * Returns the whole shape of a record, which is next to its position as well-known text.
 * Announcements have one, such as the line of a closed road. Returns undefined if there is no
 * shape, or none that can be parsed.
 */
export function shapeOf(record: Members): object | undefined {
  const [written] = Object.values(fieldsOf(record['Geo'])).flatMap(
    (place) => textOf(fieldsOf(place)['Geometry']) ?? [],
  )
  if (written === undefined) return undefined
  try {
    return toGeoJson(parseGeometry(createCursor(written)))
  } catch (error) {
    if (error instanceof LanguageError) return undefined
    throw error
  }
}

function toGeoJson(geometry: Geometry): object {
  const { kind: type } = geometry
  switch (type) {
    case 'Point':
      return { type, coordinates: geometry.at }
    case 'LineString':
    case 'MultiPoint':
      return { type, coordinates: geometry.positions }
    case 'Polygon':
    case 'MultiLineString':
      return { type, coordinates: geometry.lines }
    case 'MultiPolygon':
      return { type, coordinates: geometry.polygons }
    case 'GeometryCollection':
      return { type, geometries: geometry.of.map(toGeoJson) }
  }
}

/**
 * GeoJSON (RFC 7946): a feature for each record, with its shape or position, or null if it has
 * neither. `properties` has what the JSON response would show. Counts and links are those of OGC
 * API Features.
 */
export const geojson = defineFormat({
  name: 'geojson',
  mediaTypes: ['application/geo+json'],
  summary: 'GeoJSON features, longitude first',
  streams: true,
  needsWhole: true,
  isInWgs84: true,
  list: (listing) =>
    separated({
      begin: `${headOf(listing).slice(0, -1)},"features":[`,
      separator: ',',
      end: ']}',
      record: (record) => [toFeature(record, listing)],
    }),
  item: toFeature,
})

function headOf({ total, previousPage, nextPage }: Listing): string {
  const links = Object.entries({ prev: previousPage, next: nextPage }).flatMap(([rel, href]) =>
    href === null ? [] : [{ rel, href, type: 'application/geo+json' }],
  )
  return JSON.stringify({ type: 'FeatureCollection', numberMatched: total, links })
}

function toFeature(
  { id, data }: LoadedRecord,
  { addressOf, representation }: Pick<AnswerContext, 'addressOf' | 'representation'>,
): string {
  const record = parseObject(data)
  const geometry = JSON.stringify(shapeOf(record) ?? positionOf(record) ?? null)
  const properties = represent(data, addressOf(id), representation)
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`
}
