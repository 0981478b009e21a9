import type { Geometry } from 'geojson'
import { fieldsOf } from '../lang/json.ts'

/** Bounding box of positions: the smallest and the largest value of each axis. */
export type Bounds = {
  readonly low: readonly [x: number, y: number, z: number]
  readonly high: readonly [x: number, y: number, z: number]
}

/** A geometry as stored in tables. */
export type Shape = {
  readonly geometry: Geometry
  /** Type as named in GeoParquet, such as `Point`, or `Point Z` with heights. */
  readonly type: string
  readonly bounds: Bounds
}

/**
 * Reads a GeoJSON geometry. Heights are kept if every position has one. Further numbers are
 * removed, which RFC 7946 allows.
 * @returns undefined for an invalid geometry, for one without positions, and for collections that
 * are nested too deep
 */
export function toShape(value: unknown): Shape | undefined {
  const seen: Seen = { low: [...high], high: [...low], lengths: new Set() }
  if (!isGeometry(value, seen) || seen.lengths.size === 0) return undefined
  const axes = Math.min(3, ...seen.lengths)
  const isRegular = seen.lengths.size === 1 && seen.lengths.has(axes)
  const geometry = isRegular ? value : cut(value, axes)
  if (!isGeometry(geometry, seen)) return undefined
  const { type } = geometry
  return { geometry, type: axes === 3 ? `${type} Z` : type, bounds: seen }
}

/** Bounds as they grow, and the lengths of the positions seen. */
type Seen = {
  readonly low: [number, number, number]
  readonly high: [number, number, number]
  readonly lengths: Set<number>
}

const low = [-Infinity, -Infinity, -Infinity] as const
const high = [Infinity, Infinity, Infinity] as const

/** Nesting depth of positions in the coordinates, by geometry type. */
const depths: ReadonlyMap<unknown, number> = new Map([
  ['Point', 0],
  ['MultiPoint', 1],
  ['LineString', 1],
  ['MultiLineString', 2],
  ['Polygon', 2],
  ['MultiPolygon', 3],
])

/**
 * Maximum nesting of collections. RFC 7946 section 3.1.8 advises against any; readers have limits.
 */
const maxDepth = 32

function isGeometry(value: unknown, seen: Seen, level = 0): value is Geometry {
  const { type, coordinates, geometries } = fieldsOf(value)
  if (type === 'GeometryCollection') {
    return (
      level < maxDepth &&
      Array.isArray(geometries) &&
      geometries.every((one) => isGeometry(one, seen, level + 1))
    )
  }
  const depth = depths.get(type)
  return depth !== undefined && arePositions(coordinates, depth, seen)
}

function arePositions(value: unknown, depth: number, seen: Seen): boolean {
  if (!Array.isArray(value)) return false
  if (depth > 0) return value.every((one) => arePositions(one, depth - 1, seen))
  if (value.length < 2 || !value.every((number) => Number.isFinite(number))) return false
  seen.lengths.add(value.length)
  for (const axis of [0, 1, 2] as const) {
    const number = Number(value[axis])
    if (number < seen.low[axis]) seen.low[axis] = number
    if (number > seen.high[axis]) seen.high[axis] = number
  }
  return true
}

/** Truncates each position of a geometry to a number of axes. */
function cut(value: unknown, axes: number): unknown {
  if (Array.isArray(value)) {
    return typeof value[0] === 'number' ? value.slice(0, axes) : value.map((one) => cut(one, axes))
  }
  const { type, coordinates, geometries } = fieldsOf(value)
  return type === 'GeometryCollection'
    ? { type, geometries: cut(geometries ?? [], axes) }
    : { type, coordinates: cut(coordinates ?? [], axes) }
}
