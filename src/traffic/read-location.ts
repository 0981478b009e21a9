import type { Geometry, Position } from 'geojson'
import { attributeOf, descend, localName, textAt, typeOf } from '../datex/index.ts'
import type { ReadElement } from '../datex/index.ts'

/**
 * The geometry of a DATEX II location, the inverse of `toLocation`. Locations that only name places of a
 * table (Alert-C, TPEG, OpenLR) have the positions that stand beside them.
 * @returns null when there is no position
 */
export function readLocation(location: ReadElement): Geometry | null {
  const geometries = geometriesOf(location)
  const [first] = geometries
  if (first === undefined) return null
  return geometries.length === 1 ? first : { type: 'GeometryCollection', geometries }
}

function geometriesOf(location: ReadElement): Geometry[] {
  const contained = descend(location, ['locationContainedInGroup'])
  if (contained.length > 0) return contained.flatMap(geometriesOf)
  const area = readArea(location)
  if (area !== undefined) return [area]
  const path = readPath(location)
  const [first] = path
  if (first === undefined) return []
  const isLine = path.length > 1 && typeOf(location) !== 'Point'
  return [
    isLine ? { type: 'LineString', coordinates: path } : { type: 'Point', coordinates: first },
  ]
}

/** The positions of a line by points, else those of the location except the one to display, else that. */
function readPath(location: ReadElement): Position[] {
  const line = descend(location, ['linearWithinLinearElement', 'linearElement'])
  const between = line.flatMap((one) => inOrder(descend(one, ['intermediatePointOnLinearElement'])))
  const ends = (name: string) => line.flatMap((one) => descend(one, [name]))
  const written = [
    ...ends('startPointOfLinearElement'),
    ...between,
    ...ends('endPointOfLinearElement'),
  ].flatMap(positionsIn)
  if (written.length > 0) return written
  const others = location.children.filter(({ name }) => localName(name) !== 'locationForDisplay')
  const found = others.flatMap(positionsIn)
  return found.length > 0 ? found : positionsIn(location)
}

function readArea(location: ReadElement): Geometry | undefined {
  const polygons = descend(location, ['areaExtension', 'areaExtended', 'polygonArea'])
  const rings = polygons.flatMap((polygon) => {
    const corners = inOrder(descend(polygon, ['pointCoordinates'])).flatMap(positionsIn)
    const [first] = corners
    return first === undefined || corners.length < 3 ? [] : [[[...corners, first]]]
  })
  const [first] = rings
  if (first === undefined) return undefined
  return rings.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: rings }
}

/** Points of a line or ring are numbered, and may stand in any order. */
function inOrder(elements: readonly ReadElement[]): readonly ReadElement[] {
  const indexOf = (element: ReadElement) => Number(attributeOf(element, 'index') ?? 0)
  return [...elements].sort((left, right) => indexOf(left) - indexOf(right))
}

/** Every position at or below an element. */
function positionsIn(element: ReadElement): Position[] {
  const [latitude, longitude] = [textAt(element, 'latitude'), textAt(element, 'longitude')]
  if (latitude === undefined || longitude === undefined) {
    return element.children.flatMap(positionsIn)
  }
  const position = [Number(longitude), Number(latitude)]
  return position.every(Number.isFinite) ? [position] : []
}
