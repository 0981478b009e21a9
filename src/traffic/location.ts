import type { Geometry, Position } from 'geojson'
import type { Note } from '../datex/index.ts'

type Coordinates = { readonly latitude: number; readonly longitude: number }

/** A location as a value of GroupOfLocations. `type` is the concrete type. */
export type LocationValue = { readonly type: string } & Readonly<Record<string, unknown>>

/**
 * Writes a geometry as a DATEX II location: a point as Point, a line as Linear through all its
 * positions, a polygon as Area with its outer ring, and several of them as a group. Lines and areas
 * also have a point for display: the first position, which is certain to be on the line or edge.
 * Positions that cannot be on Earth, or are 0,0, which means "unknown" (decision D55), are skipped
 * with a note.
 * @returns undefined if no usable position is left
 */
export function toLocation(geometry: Geometry | null, note: Note): LocationValue | undefined {
  const notes = new Set<string>()
  const locations = locationsOf(geometry, (detail) => notes.add(detail))
  // Without any usable position, the event is reported as a whole.
  if (locations.length > 0) for (const detail of notes) note(detail)
  if (locations.length < 2) return locations[0]
  return { type: 'NonOrderedLocationGroupByList', locationContainedInGroup: locations }
}

function locationsOf(geometry: Geometry | null, note: Note): readonly LocationValue[] {
  switch (geometry?.type) {
    case 'Point':
      return alongLine(usable([geometry.coordinates], note))
    case 'MultiPoint':
      return list(geometry.coordinates).flatMap((one) => alongLine(usable([one], note)))
    case 'LineString':
      return alongLine(usable(geometry.coordinates, note))
    case 'MultiLineString':
      return list(geometry.coordinates).flatMap((line) => alongLine(usable(line, note)))
    case 'Polygon':
      return aroundArea([geometry.coordinates], note)
    case 'MultiPolygon':
      return aroundArea(geometry.coordinates, note)
    case 'GeometryCollection':
      return list(geometry.geometries).flatMap((one) => locationsOf(one, note))
    default:
      return []
  }
}

function alongLine(path: readonly Coordinates[]): readonly LocationValue[] {
  const [first, second] = path
  if (first === undefined) return []
  return [second === undefined ? toPoint(first) : toLinear(path, first)]
}

/**
 * Returns one Area for all polygons. Holes, which cannot be expressed, and rings of fewer than
 * three corners are left out with a note. If there are no other rings, these become lines.
 */
function aroundArea(
  polygons: readonly (readonly Position[][])[],
  note: Note,
): readonly LocationValue[] {
  const rings = list(polygons).map((polygon) => usable(list(polygon)[0], note))
  const corners = rings.map(withoutClosing)
  const areas = corners.filter((ring) => ring.length >= 3)
  const [first] = areas.flat()
  if (first === undefined) return rings.flatMap(alongLine)
  if (list(polygons).some((polygon) => list(polygon).length > 1)) note(holes)
  for (const [place, { length }] of corners.entries()) {
    if (length > 0 && length < 3) note(tooFewCorners(place))
  }
  return [toArea(areas, first)]
}

const holes = 'geometry: an area cannot have holes, so it is written without them.'

const nowhere = 'geometry: positions that are 0,0 or cannot be on Earth are left out.'

function tooFewCorners(place: number): string {
  return `geometry: polygon ${String(place + 1)} has fewer than three corners, so the area is written without it.`
}

function toPoint(coordinates: Coordinates): LocationValue {
  return { type: 'Point', pointByCoordinates: { pointCoordinates: coordinates } }
}

function toLinear(path: readonly Coordinates[], first: Coordinates): LocationValue {
  const referent = (identifier: string, pointCoordinates: Coordinates | undefined) => ({
    referentIdentifier: identifier,
    referentType: 'boundary',
    pointCoordinates,
  })
  const along = (percentage: number) => ({
    type: 'PercentageDistanceAlongLinearElement',
    percentageDistanceAlong: percentage,
  })
  return {
    type: 'Linear',
    locationForDisplay: first,
    linearWithinLinearElement: {
      linearElement: {
        type: 'LinearElementByPoints',
        startPointOfLinearElement: referent('from', first),
        intermediatePointOnLinearElement: path.slice(1, -1).map((coordinates, index) => ({
          index: index + 1,
          referent: referent(String(index + 1), coordinates),
        })),
        endPointOfLinearElement: referent('to', path.at(-1)),
      },
      fromPoint: along(0),
      toPoint: along(100),
    },
  }
}

function toArea(rings: readonly (readonly Coordinates[])[], first: Coordinates): LocationValue {
  const polygonArea = rings.map((ring) => ({
    pointCoordinates: ring.map((pointCoordinates, index) => ({
      index: index + 1,
      pointCoordinates,
    })),
  }))
  return {
    type: 'Area',
    locationForDisplay: first,
    areaExtension: { areaExtended: { polygonArea } },
  }
}

/** Returns the positions that can be on Earth, without consecutive duplicates. */
function usable(positions: readonly Position[] | undefined, note: Note): readonly Coordinates[] {
  const coordinates = list(positions).flatMap((position) => toCoordinates(position) ?? [])
  if (coordinates.length < list(positions).length) note(nowhere)
  return coordinates.filter((here, index) => !isSame(here, coordinates[index - 1]))
}

function toCoordinates(position: Position): Coordinates | undefined {
  const [longitude, latitude] = list(position)
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined
  const onEarth = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
  return onEarth && (longitude !== 0 || latitude !== 0) ? { latitude, longitude } : undefined
}

function withoutClosing(ring: readonly Coordinates[]): readonly Coordinates[] {
  return ring.length > 1 && isSame(ring[0], ring.at(-1)) ? ring.slice(0, -1) : ring
}

function isSame(left: Coordinates | undefined, right: Coordinates | undefined): boolean {
  return left?.latitude === right?.latitude && left?.longitude === right?.longitude
}

/** Returns an empty list for anything but a list, because stored geometries come from outside. */
function list<Item>(value: readonly Item[] | undefined): readonly Item[] {
  const isList: boolean = Array.isArray(value)
  return isList ? (value ?? []) : []
}
