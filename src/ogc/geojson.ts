import type { Geometry } from '../content/index.ts'
import { LanguageError } from '../lang/index.ts'
import { fieldsOf } from '../lang/json.ts'

type Position = readonly [x: number, y: number]

/** Positions of a geometry that callers send, and levels of collections. */
const mostPositions = 10_000
const deepest = 5

/** A GeoJSON geometry (RFC 7946 section 3.1), heights left out. @returns undefined for what is none */
export function toGeometry(node: unknown): Geometry | undefined {
  const rest = { positions: mostPositions }
  try {
    return readGeometry(node, rest, 0)
  } catch (error) {
    if (error instanceof LanguageError) return undefined
    throw error
  }
}

function none(): LanguageError {
  return new LanguageError('This is not a geometry.', { position: 0 })
}

type Rest = { positions: number }

function readGeometry(node: unknown, rest: Rest, depth: number): Geometry {
  const { type, coordinates, geometries } = fieldsOf(node)
  const position = (one: unknown) => readPosition(one, rest)
  const line = (one: unknown) => listOf(one, 2, position)
  const ring = (one: unknown) => readRing(listOf(one, 4, position))
  const polygon = (one: unknown) => listOf(one, 1, ring)
  switch (type) {
    case 'Point':
      return { kind: type, at: position(coordinates) }
    case 'MultiPoint':
      return { kind: type, positions: listOf(coordinates, 1, position) }
    case 'LineString':
      return { kind: type, positions: line(coordinates) }
    case 'MultiLineString':
      return { kind: type, lines: listOf(coordinates, 1, line) }
    case 'Polygon':
      return { kind: type, lines: polygon(coordinates) }
    case 'MultiPolygon':
      return { kind: type, polygons: listOf(coordinates, 1, polygon) }
    case 'GeometryCollection':
      if (depth >= deepest) throw none()
      return { kind: type, of: listOf(geometries, 1, (one) => readGeometry(one, rest, depth + 1)) }
    default:
      throw none()
  }
}

function listOf<Item>(
  node: unknown,
  least: number,
  read: (item: unknown) => Item,
): readonly Item[] {
  if (!Array.isArray(node) || node.length < least) throw none()
  return node.map(read)
}

function readPosition(node: unknown, rest: Rest): Position {
  rest.positions -= 1
  const coordinates: readonly unknown[] = Array.isArray(node) ? node : []
  const [x, y] = coordinates
  if (rest.positions < 0 || !isCoordinate(x) || !isCoordinate(y)) throw none()
  return [x, y]
}

function isCoordinate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function readRing(ring: readonly Position[]): readonly Position[] {
  const [first, last] = [ring[0], ring.at(-1)]
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) throw none()
  return ring
}
