import type { Fault } from './outcome.ts'

/**
 * What is wrong with a GeoJSON geometry (RFC 7946), or undefined. PostGIS would accept some of it: it
 * reads the text "x" as 0, and keeps rings that are not closed.
 */
export function geometryFault(geometry: object): string | undefined {
  const { type, coordinates, geometries }: Members = geometry
  if (type === 'GeometryCollection') {
    if (!Array.isArray(geometries)) return 'has a GeometryCollection without geometries'
    return geometries.map(memberFault).find((fault) => fault !== undefined)
  }
  const isShape = shapes.get(String(type))
  if (isShape === undefined) {
    return `has a geometry of no type that GeoJSON knows; known: ${[...shapes.keys()].join(', ')}`
  }
  return isShape(coordinates)
    ? undefined
    : `has a ${String(type)} whose coordinates are not those of one; longitude (±180) comes before latitude (±90)`
}

/** The fault of an item whose `geometry` is none. */
export function shapeFault({
  geometry,
}: {
  readonly geometry?: object | null | undefined
}): Fault | undefined {
  const reason = geometry === null || geometry === undefined ? undefined : geometryFault(geometry)
  return reason === undefined ? undefined : { pointer: '/geometry', reason }
}

type Members = {
  readonly type?: unknown
  readonly coordinates?: unknown
  readonly geometries?: unknown
}

function memberFault(member: unknown): string | undefined {
  return typeof member === 'object' && member !== null
    ? geometryFault(member)
    : 'has a GeometryCollection with a member that is no geometry'
}

type Shape = (coordinates: unknown) => boolean

const isPosition: Shape = (value) =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.every((number) => Number.isFinite(number)) &&
  Math.abs(Number(value[0])) <= 180 &&
  Math.abs(Number(value[1])) <= 90

const listOf =
  (isMember: Shape, least: number): Shape =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(isMember)

const isLine = listOf(isPosition, 2)

/** Four positions or more, of which the last is the first (RFC 7946 section 3.1.6). */
const isRing: Shape = (value) =>
  Array.isArray(value) &&
  listOf(isPosition, 4)(value) &&
  JSON.stringify(value[0]) === JSON.stringify(value.at(-1))

const isPolygon = listOf(isRing, 1)

const shapes: ReadonlyMap<string, Shape> = new Map([
  ['Point', isPosition],
  ['MultiPoint', listOf(isPosition, 1)],
  ['LineString', isLine],
  ['MultiLineString', listOf(isLine, 1)],
  ['Polygon', isPolygon],
  ['MultiPolygon', listOf(isPolygon, 1)],
])
