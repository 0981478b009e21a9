import { listOf, membersOf, numberOf } from './record-members.ts'
import type { Members } from './record-members.ts'

/** A GeoJSON geometry (RFC 7946 section 3.1). */
type Geometry = { readonly type: string; readonly coordinates?: readonly number[] }

/**
 * Where a record is: its geometry, or the point of its default position, otherwise of the one named
 * `position`, otherwise of the first that has coordinates. Older records have them at the top.
 * @returns undefined where the record says nothing of use
 */
export function positionOf(record: Members): Geometry | undefined {
  const geometry = membersOf(record['Geometry'])
  if (typeof geometry['type'] === 'string') return { ...geometry, type: geometry['type'] }
  return pointsOf(record).flatMap((place) => toPoint(place) ?? [])[0]
}

/** Everything that may hold coordinates, the best first. */
function pointsOf(record: Members): readonly Members[] {
  const places = listOf(record['GpsInfo'])
  return [
    ...places.filter((place) => place['Default'] === true),
    ...places.filter((place) => place['Gpstype'] === 'position'),
    ...places,
    membersOf(membersOf(record['GpsPoints'])['position']),
    ...Object.values(membersOf(record['Geo'])).map(membersOf),
    record,
  ]
}

/** Longitude first; the altitude only when it is in metres. */
function toPoint(place: Members): Geometry | undefined {
  const longitude = numberOf(place['Longitude'] ?? place['longitude'])
  const latitude = numberOf(place['Latitude'] ?? place['latitude'])
  if (longitude === undefined || latitude === undefined) return undefined
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return undefined
  const altitude =
    (place['AltitudeUnitofMeasure'] ?? 'm') === 'm' ? numberOf(place['Altitude']) : undefined
  const coordinates = altitude === undefined ? [] : [altitude]
  return { type: 'Point', coordinates: [longitude, latitude, ...coordinates] }
}
