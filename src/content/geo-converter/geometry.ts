import type { Line } from './create-line.ts'

/** A geometry of a file. A line of one position is a point (RFC 7946 section 3.1.4). */
export type Shape =
  | { readonly kind: 'Point' | 'LineString'; readonly line: Line }
  /** The outer ring first, then the holes. */
  | { readonly kind: 'Polygon'; readonly rings: readonly Line[] }

/** What positions one after another are; nothing where there are none. */
export function toShapes(line: Line): readonly Shape[] {
  if (line.count() === 0) return []
  return [{ kind: line.count() === 1 ? 'Point' : 'LineString', line }]
}

/**
 * GeoJSON (RFC 7946) of all geometries of a file: one is a bare geometry, several of a kind are a Multi…,
 * others a GeometryCollection. In pieces, which joined are the JSON text.
 */
export function* printShapes(shapes: readonly Shape[]): Generator<string> {
  const kinds = new Set(shapes.map(({ kind }) => kind))
  const [first] = shapes
  if (first === undefined) return
  if (shapes.length === 1) yield* printShape(first)
  else if (kinds.size === 1) {
    yield `{"type":"Multi${first.kind}","coordinates":[`
    yield* withCommas(shapes, printCoordinates)
    yield ']}'
  } else {
    yield '{"type":"GeometryCollection","geometries":['
    yield* withCommas(shapes, printShape)
    yield ']}'
  }
}

function* printShape(shape: Shape): Generator<string> {
  yield `{"type":"${shape.kind}","coordinates":`
  yield* printCoordinates(shape)
  yield '}'
}

function* printCoordinates(shape: Shape): Generator<string> {
  switch (shape.kind) {
    case 'Point':
      yield* shape.line.pieces()
      return
    case 'LineString':
      yield* printLine(shape.line)
      return
    case 'Polygon':
      yield '['
      yield* withCommas(shape.rings, printLine)
      yield ']'
  }
}

function* printLine(line: Line): Generator<string> {
  yield '['
  for (const [index, piece] of line.pieces().entries()) yield index === 0 ? piece : `,${piece}`
  yield ']'
}

function* withCommas<Item>(
  items: readonly Item[],
  print: (item: Item) => Iterable<string>,
): Generator<string> {
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    yield* print(item)
  }
}
