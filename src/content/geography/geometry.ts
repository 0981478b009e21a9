import { LanguageError } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'

/**
 * A position: longitude and latitude, or the first and second axis of another coordinate system.
 */
export type Position = readonly [x: number, y: number]

export type Geometry =
  | { readonly kind: 'Point'; readonly at: Position }
  | { readonly kind: 'LineString' | 'MultiPoint'; readonly positions: readonly Position[] }
  | {
      readonly kind: 'Polygon' | 'MultiLineString'
      readonly lines: readonly (readonly Position[])[]
    }
  | {
      readonly kind: 'MultiPolygon'
      readonly polygons: readonly (readonly (readonly Position[])[])[]
    }
  | { readonly kind: 'GeometryCollection'; readonly of: readonly Geometry[] }

type Relation = 'intersects' | 'covers'

/** A parsed `polygon`: drawn by the caller, or one of /v1/GeoShapes. */
export type Area =
  | {
      readonly kind: 'drawn'
      readonly geometry: Geometry
      readonly relation: Relation
      readonly srid: number
    }
  | { readonly kind: 'shape'; readonly id: string }
  | {
      readonly kind: 'shape of country'
      readonly id: string
      readonly country: string
      readonly type: string
      readonly name: string
    }

/** Returns every position of a geometry. */
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

const kinds =
  /(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)(?![a-z])/iy

const maxDepth = 5

/**
 * Parses one geometry of well-known text, in any letter case. Heights and measures are skipped.
 *
 * ```
 * geometry   = kind [ "Z" | "M" | "ZM" ] body
 * body       = position | line | "(" line { "," line } ")" | …
 * line       = "(" position { "," position } ")"
 * position   = number number [ number [ number ] ]
 * ```
 * @throws LanguageError with the position
 */
export function parseGeometry(cursor: Cursor, depth = 0): Geometry {
  skip(cursor)
  const kind = cursor.match(kinds)?.toUpperCase()
  if (kind === undefined) throw cursor.fail('POLYGON', 'LINESTRING', 'MULTIPOLYGON', 'POINT')
  cursor.match(/\s*(ZM|Z|M)(?=[\s(])/iy)
  return parseBody(cursor, kind, depth)
}

function parseBody(cursor: Cursor, kind: string, depth: number): Geometry {
  switch (kind) {
    case 'POINT': {
      const [at] = parseLine(cursor, 1, parsePosition)
      return { kind: 'Point', at: at ?? [0, 0] }
    }
    case 'LINESTRING':
      return { kind: 'LineString', positions: parseLine(cursor, 2, parsePosition) }
    case 'MULTIPOINT':
      return { kind: 'MultiPoint', positions: parseLine(cursor, 1, parseMember) }
    case 'POLYGON':
      return { kind: 'Polygon', lines: parseLine(cursor, 1, parseRing) }
    case 'MULTILINESTRING':
      return {
        kind: 'MultiLineString',
        lines: parseLine(cursor, 1, (inner) => parseLine(inner, 2, parsePosition)),
      }
    case 'MULTIPOLYGON':
      return {
        kind: 'MultiPolygon',
        polygons: parseLine(cursor, 1, (inner) => parseLine(inner, 1, parseRing)),
      }
    default:
      if (depth >= maxDepth)
        throw cursor.fail(`at most ${String(maxDepth)} collections in each other`)
      return {
        kind: 'GeometryCollection',
        of: parseLine(cursor, 1, (inner) => parseGeometry(inner, depth + 1)),
      }
  }
}

/** "(" item { "," item } ")" with a minimum number of items */
function parseLine<Item>(
  cursor: Cursor,
  least: number,
  parseItem: (cursor: Cursor) => Item,
): readonly Item[] {
  skip(cursor)
  if (!cursor.accept('(')) throw cursor.fail('"("')
  const items: Item[] = []
  do {
    items.push(parseItem(cursor))
    skip(cursor)
  } while (cursor.accept(','))
  if (!cursor.accept(')')) throw cursor.fail('","', '")"')
  if (items.length < least) throw cursor.fail(`at least ${String(least)} positions`)
  return items
}

/** Parses a ring, which must be closed and have at least three corners. */
function parseRing(cursor: Cursor): readonly Position[] {
  const ring = parseLine(cursor, 1, parsePosition)
  assertRing(ring, cursor.position())
  return ring
}

/** @throws LanguageError when the positions are not a closed ring of at least three corners */
export function assertRing(ring: readonly Position[], position: number): void {
  const [first, last] = [ring[0], ring.at(-1)]
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    throw new LanguageError('The ring is not closed: its last position is not its first.', {
      position,
      expected: [`${String(first?.[0])} ${String(first?.[1])}`],
      hint: 'Repeat the first position at the end.',
    })
  }
  if (ring.length < 4) {
    throw new LanguageError('A ring needs at least three corners, and the first one again.', {
      position,
      expected: ['four positions or more'],
    })
  }
}

/** Parses a point of MULTIPOINT, which may be in parentheses of its own. */
function parseMember(cursor: Cursor): Position {
  skip(cursor)
  const isWrapped = cursor.accept('(')
  const position = parsePosition(cursor)
  skip(cursor)
  if (isWrapped && !cursor.accept(')')) throw cursor.fail('")"')
  return position
}

const number = /[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?(?![\w.])/iy

/** number number [ number [ number ] ] */
function parsePosition(cursor: Cursor): Position {
  const x = parseNumber(cursor)
  if (cursor.match(/\s+/y) === undefined) throw cursor.fail('a space and the second coordinate')
  const y = parseNumber(cursor)
  for (let further = 0; further < 2; further++) {
    if (cursor.match(/\s+(?=[+\-.\d])/y) !== undefined) parseNumber(cursor)
  }
  return [x, y]
}

function parseNumber(cursor: Cursor): number {
  skip(cursor)
  const written = cursor.match(number)
  if (written === undefined) throw cursor.fail('a number')
  return Number(written)
}

function skip(cursor: Cursor): void {
  cursor.match(/\s*/y)
}

/** Prints a geometry as well-known text (OGC 06-103r4, section 7). */
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

/**
 * Prints the positions of a box: a ring, or the outer corners of two boxes on either side of the
 * antimeridian.
 */
function printCorners(geometry: Geometry): string {
  if (geometry.kind === 'Polygon') return geometry.lines.flat().map(printPosition).join(',')
  const positions = positionsOf(geometry)
  return [positions[0], positions[7]].map((corner = [0, 0]) => printPosition(corner)).join(',')
}

/** Prints the canonical text of an area. Parsing it gives the same area. */
export function printArea(area: Area): string {
  if (area.kind !== 'drawn') return area.id
  const system = area.srid === 4326 ? '' : `;SRID=${String(area.srid)}`
  const { geometry } = area
  if (area.relation === 'covers') return `bbc(${printCorners(geometry)})${system}`
  return `${printGeometry(geometry)}${system}`
}
