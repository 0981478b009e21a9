import { LanguageError, hintAt } from '../../lang/index.ts'
import { fieldsOf, isObject } from '../../lang/json.ts'
import { spatialRelations, temporalRelations } from './ast.ts'
import type { Expression, Moment, Operator, Place, Property, Scalar, Span, Text } from './ast.ts'
import { boxOf, count, maxDepth, limited, toMoment } from './limits.ts'
import type { Limits } from './limits.ts'
import type { Geometry } from '../../content/index.ts'

/** Position in the document as a JSON pointer, with the limits and the depth so far. */
type At = { readonly pointer: string; readonly limits: Limits; readonly depth: number }

/**
 * Parses CQL2 in its JSON encoding (OGC 21-065r2, annex A).
 * @throws LanguageError that states the position as a JSON pointer
 */
export function readJson(source: string): Expression {
  let document: unknown
  try {
    document = JSON.parse(source)
  } catch {
    throw new LanguageError('The filter is not JSON.', { position: 0, expected: ['{"op": …}'] })
  }
  return readExpression(document, { pointer: '', limits: limited(), depth: 0 })
}

function readExpression(node: unknown, at: At): Expression {
  count(at.limits, 0)
  if (at.depth > maxDepth) throw wrong(at, `at most ${String(maxDepth)} levels`)
  if (typeof node === 'boolean') return { kind: 'truth', value: node }
  if (isProperty(node)) return { kind: 'flag', property: readProperty(node, at) }
  const { op, args } = fieldsOf(node)
  if (typeof op !== 'string' || !Array.isArray(args)) throw wrong(at, 'an object with op and args')
  const given: readonly unknown[] = args
  const inner = given.map((arg, index) => [arg, below(at, index)] as const)
  return readOperation(op, inner, at)
}

type Args = readonly (readonly [node: unknown, at: At])[]

function readOperation(op: string, args: Args, at: At): Expression {
  if (!known.includes(op) && !isRelation(op)) throw unknown(op, at)
  assertCount(op, args, at)
  if (op === 'and' || op === 'or') {
    return { kind: op, of: args.map(([node, place]) => readExpression(node, place)) }
  }
  const nothing = [undefined, at] as const
  const [first = nothing, second = nothing, third = nothing] = args
  if (op === 'not') return { kind: 'not', of: readExpression(...first) }
  if (op === 'isNull') return { kind: 'null', of: readProperty(...first) }
  const relation = readRelation(op, [first, second])
  if (relation !== undefined) return relation
  const value = readScalar(...first)
  switch (op) {
    case 'like':
      return { kind: 'like', value: readWords(...first), pattern: readWords(...second) }
    case 'in': {
      const [list, place] = second
      if (!Array.isArray(list)) throw wrong(place, 'a list')
      const items: readonly unknown[] = list
      return { kind: 'in', value, list: items.map((item, i) => readItem(item, below(place, i))) }
    }
    case 'between':
      return { kind: 'between', value, bounds: [readScalar(...second), readScalar(...third)] }
    default: {
      const operator = operators.find((known) => known === op)
      if (operator === undefined) throw unknown(op, at)
      return { kind: 'comparison', operator, left: value, right: readScalar(...second) }
    }
  }
}

const one = { least: 1, most: 1, words: 'one argument' }
const many = { least: 2, most: Infinity, words: 'two arguments or more' }
const three = { least: 3, most: 3, words: 'three arguments' }
/** Operators that take another number of arguments than two. */
const counts = new Map(
  Object.entries({
    ...{ and: many, or: many, not: one, isNull: one },
    ...{ casei: one, accenti: one, between: three },
  }),
)

function assertCount(op: string, { length }: readonly unknown[], at: At): void {
  const { least, most, words } = counts.get(op) ?? { least: 2, most: 2, words: 'two arguments' }
  if (length < least || length > most) throw wrong(at, words)
}

function readItem(node: unknown, at: At): Scalar {
  count(at.limits, 0)
  return readScalar(node, at)
}

const operators: readonly Operator[] = ['=', '<>', '<', '<=', '>', '>=']
/** The standard writes `t_metBy` in JSON and `T_METBY` in text. */
const relations = [
  ...spatialRelations.map((name) => `s_${name}`),
  ...temporalRelations.map((name) => `t_${name.replace(/by$/, 'By')}`),
]
const known = [
  ...['and', 'or', 'not', 'isNull', 'like', 'between', 'in', ...operators],
  ...relations,
]

const isRelation = (op: string) => relations.some((name) => name.toLowerCase() === op.toLowerCase())

function readRelation(
  op: string,
  [left, right]: readonly [Args[number], Args[number]],
): Expression | undefined {
  const name = op.toLowerCase()
  const spatial = spatialRelations.find((one) => name === `s_${one}`)
  if (spatial !== undefined) {
    const places = [readPlace(...left), readPlace(...right)] as const
    return { kind: 'spatial', relation: spatial, places }
  }
  const temporal = temporalRelations.find((one) => name === `t_${one}`)
  if (temporal === undefined) return undefined
  const spans = [readSpan(...left), readSpan(...right)] as const
  return { kind: 'temporal', relation: temporal, spans }
}

function isProperty(node: unknown): boolean {
  return isObject(node) && 'property' in node
}

function readProperty(node: unknown, at: At): Property {
  const { property } = fieldsOf(node)
  const isName = typeof property === 'string' && !property.includes('\0')
  if (!isName) throw wrong(at, '{"property": "name"}')
  return { kind: 'property', name: property, position: 0 }
}

function readScalar(node: unknown, at: At): Scalar {
  switch (typeof node) {
    case 'string':
      return { kind: 'text', value: node }
    case 'number':
      return { kind: 'number', value: node }
    case 'boolean':
      return { kind: 'boolean', value: node }
    default:
  }
  const { op, args, timestamp, date } = fieldsOf(node)
  if (timestamp !== undefined) return readTime('time', timestamp, at)
  if (date !== undefined) return readTime('date', date, at)
  if ((op === 'casei' || op === 'accenti') && Array.isArray(args)) {
    if (at.depth > maxDepth) throw wrong(at, `at most ${String(maxDepth)} levels`)
    count(at.limits, 0)
    assertCount(op, args, at)
    return { kind: op, of: readWords(args[0], below(at, 0)) }
  }
  return readProperty(node, at)
}

function readWords(node: unknown, at: At): Text {
  const value = readScalar(node, at)
  switch (value.kind) {
    case 'text':
    case 'property':
    case 'casei':
    case 'accenti':
      return value
    default:
      throw wrong(at, 'a text')
  }
}

function readTime(kind: 'time' | 'date', value: unknown, at: At) {
  if (typeof value !== 'string') throw wrong(at, 'a text')
  return toMoment(kind, value, 0)
}

function readPlace(node: unknown, at: At): Place {
  if (isProperty(node)) return readProperty(node, at)
  const { bbox } = fieldsOf(node)
  if (Array.isArray(bbox)) {
    return boxOf(
      bbox.map((one: unknown) => (typeof one === 'number' ? one : NaN)),
      0,
    )
  }
  const value = toGeometry(node)
  if (value === undefined) throw wrong(at, 'a GeoJSON geometry, {"bbox": […]} or a property')
  return { kind: 'geometry', value }
}

function readSpan(node: unknown, at: At): Span {
  const { interval } = fieldsOf(node)
  if (!Array.isArray(interval)) return readMoment(node, at)
  const bounds: readonly unknown[] = interval
  const [from, to] = bounds
  if (interval.length !== 2) throw wrong(at, 'an interval of two')
  return { kind: 'interval', bounds: [readBound(from, below(at, 0)), readBound(to, below(at, 1))] }
}

function readMoment(node: unknown, at: At): Moment {
  const value = readScalar(node, at)
  switch (value.kind) {
    case 'time':
    case 'date':
    case 'property':
      return value
    default:
      throw wrong(at, '{"timestamp": …}, {"date": …} or a property')
  }
}

function readBound(node: unknown, at: At): Moment | null {
  if (typeof node !== 'string') return readMoment(node, at)
  if (node === '..' || node === '') return null
  return toMoment(/t/i.test(node) ? 'time' : 'date', node, 0)
}

function below({ pointer, limits, depth }: At, index: number): At {
  return { pointer: `${pointer}/args/${String(index)}`, limits, depth: depth + 1 }
}

function wrong(at: At, expected: string): LanguageError {
  const message = `Expected ${expected} ${placeOf(at)}.`
  return new LanguageError(message, { position: 0, expected: [expected] })
}

function unknown(op: string, at: At): LanguageError {
  const message = `There is no operator ${JSON.stringify(op)} (${placeOf(at)}).`
  return new LanguageError(message, { position: 0, expected: known, ...hintAt(op, known) })
}

const placeOf = ({ pointer }: At) =>
  pointer === '' ? 'at the top of the filter' : `at ${pointer} of the filter`

type Position = readonly [x: number, y: number]

/** Maximum number of positions in a caller's geometry, and maximum depth of nested collections. */
const maxPositions = 10_000
const maxCoordinateDepth = 5

/**
 * Parses a GeoJSON geometry (RFC 7946 section 3.1) without its heights.
 * @returns undefined if it is not a geometry
 */
function toGeometry(node: unknown): Geometry | undefined {
  const rest = { positions: maxPositions }
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
      if (depth >= maxCoordinateDepth) throw none()
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
