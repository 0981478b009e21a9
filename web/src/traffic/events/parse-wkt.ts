import type { Geometry, Position } from './event.ts'

const form = /^\s*(?:SRID=\d+;)?(?<kind>[A-Z]+)\s*(?:Z\s*)?(?<body>\(.*\))\s*$/is

/** Well-known text (OGC 06-103r4, section 7) as the hub writes it; undefined for what it is not. */
export function parseWkt(text: string): Geometry | undefined {
  const { kind = '', body = '' } = form.exec(text)?.groups ?? {}
  const inner = body.slice(1, -1)
  switch (kind.toUpperCase()) {
    case 'POINT': {
      const [coordinates] = positionsOf(inner)
      return coordinates === undefined ? undefined : { type: 'Point', coordinates }
    }
    case 'LINESTRING':
      return { type: 'LineString', coordinates: positionsOf(inner) }
    case 'MULTIPOINT':
      return { type: 'MultiPoint', coordinates: positionsOf(inner.replaceAll(/[()]/g, '')) }
    case 'POLYGON':
      return { type: 'Polygon', coordinates: ringsOf(inner) }
    case 'MULTILINESTRING':
      return { type: 'MultiLineString', coordinates: ringsOf(inner) }
    case 'MULTIPOLYGON': {
      const polygons = inner.match(/\(\s*\([^()]*\)(?:\s*,\s*\([^()]*\))*\s*\)/g) ?? []
      return { type: 'MultiPolygon', coordinates: polygons.map(ringsOf) }
    }
    default:
      return undefined
  }
}

function ringsOf(text: string): readonly (readonly Position[])[] {
  return (text.match(/\([^()]*\)/g) ?? []).map((ring) => positionsOf(ring.slice(1, -1)))
}

function positionsOf(text: string): readonly Position[] {
  const positions = text.split(',').map((pair) => pair.trim().split(/\s+/).map(Number))
  return positions.filter((position) => position.length >= 2 && position.every(Number.isFinite))
}
