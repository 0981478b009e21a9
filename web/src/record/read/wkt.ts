import type { Geometry, Position } from 'geojson'

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
