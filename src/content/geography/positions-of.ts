import type { Geometry, Position } from './area.ts'

/** Every position of a geometry. */
export function positionsOf(geometry: Geometry): readonly Position[] {
  switch (geometry.kind) {
    case 'Point':
      return [geometry.at]
    case 'LineString':
    case 'MultiPoint':
      return geometry.positions
    case 'Polygon':
    case 'MultiLineString':
      return geometry.lines.flat()
    case 'MultiPolygon':
      return geometry.polygons.flat(2)
    case 'GeometryCollection':
      return geometry.of.flatMap(positionsOf)
  }
}
