import { positionsOf } from './positions-of.ts'
import type { Area, Geometry, Position } from './area.ts'

/** A geometry as well-known text (OGC 06-103r4, section 7). */
export function printGeometry(geometry: Geometry): string {
  const name = geometry.kind.toUpperCase()
  switch (geometry.kind) {
    case 'Point':
      return `${name}(${printPosition(geometry.at)})`
    case 'LineString':
    case 'MultiPoint':
      return `${name}${printLine(geometry.positions)}`
    case 'Polygon':
    case 'MultiLineString':
      return `${name}(${geometry.lines.map(printLine).join(',')})`
    case 'MultiPolygon': {
      const polygons = geometry.polygons.map((rings) => `(${rings.map(printLine).join(',')})`)
      return `${name}(${polygons.join(',')})`
    }
    case 'GeometryCollection':
      return `${name}(${geometry.of.map(printGeometry).join(',')})`
  }
}

const printPosition = ([x, y]: Position) => `${String(x)} ${String(y)}`

const printLine = (line: readonly Position[]) => `(${line.map(printPosition).join(',')})`

/** The positions of what a box can be: a ring, or two boxes on either side of the antimeridian. */
function printCorners(geometry: Geometry): string {
  if (geometry.kind === 'Polygon') return geometry.lines.flat().map(printPosition).join(',')
  const positions = positionsOf(geometry)
  return [positions[0], positions[7]].map((corner = [0, 0]) => printPosition(corner)).join(',')
}

/** The canonical text of an area; reading it gives the same area. */
export function printArea(area: Area): string {
  if (area.kind !== 'drawn') return area.id
  const system = area.srid === 4326 ? '' : `;SRID=${String(area.srid)}`
  const { geometry } = area
  if (area.relation === 'covers') return `bbc(${printCorners(geometry)})${system}`
  return `${printGeometry(geometry)}${system}`
}
