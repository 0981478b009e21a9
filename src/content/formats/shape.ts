import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Geometry } from '../geography/area.ts'
import { parseGeometry } from '../geography/parse-wkt.ts'
import { membersOf, textOf } from './record-members.ts'
import type { Members } from './record-members.ts'

/**
 * The whole shape of a record of any entity, which stands beside its position as well-known text:
 * announcements have one, such as the line of a closed road. Undefined where there is none, or none that
 * can be read.
 */
export function shapeOf(record: Members): object | undefined {
  const [written] = Object.values(membersOf(record['Geo'])).flatMap(
    (place) => textOf(membersOf(place)['Geometry']) ?? [],
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
