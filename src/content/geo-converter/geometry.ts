import type { Line } from './create-line.ts'

/** Geometry of a file. A line with one position is a point (RFC 7946 section 3.1.4). */
export type Shape =
  | { readonly kind: 'Point' | 'LineString'; readonly line: Line }
  /** Rings of a polygon: the outer one first, then the holes. */
  | { readonly kind: 'Polygon'; readonly rings: readonly Line[] }

/** Returns the shape of a sequence of positions; none if there are no positions. */
export function toShapes(line: Line): readonly Shape[] {
  if (line.count() === 0) return []
  return [{ kind: line.count() === 1 ? 'Point' : 'LineString', line }]
}

type Run = {
  readonly kind: Shape['kind']
  /** Pieces of a text that has the coordinates of each geometry, separated by newlines. */
  readonly pieces: readonly string[]
}

/** Geometries of a file, or of a part of it, in order. */
export type Shapes = { readonly count: number; readonly runs: readonly Run[] }

/** Collects geometries as they are read. */
export type ShapeList = {
  readonly add: (shapes: Iterable<Shape>) => void
  /** Returns all geometries. Nothing may be added afterwards. */
  readonly all: () => Shapes
}

/** Length at which a text becomes a piece of its own. */
const long = 10_000

/**
 * Returns an empty list of geometries. It stores them as texts of some ten thousand characters. As
 * one object each, the geometries of a large file would keep the garbage collector busy, and block
 * all requests for tens of milliseconds.
 */
export function createShapeList(): ShapeList {
  const runs: { readonly kind: Shape['kind']; readonly pieces: string[] }[] = []
  let waiting: string[] = []
  let [length, count] = [0, 0]
  const flush = () => {
    if (waiting.length > 0) runs.at(-1)?.pieces.push(waiting.join(''))
    ;[waiting, length] = [[], 0]
  }
  const put = (text: string) => {
    waiting.push(text)
    length += text.length
    if (length >= long) flush()
  }
  const begin = (kind: Shape['kind']) => {
    if (runs.at(-1)?.kind === kind) put('\n')
    else {
      flush()
      runs.push({ kind, pieces: [] })
    }
  }
  return {
    add: (shapes) => {
      for (const shape of shapes) {
        begin(shape.kind)
        for (const text of printCoordinates(shape)) put(text)
        count += 1
      }
    },
    all: () => {
      flush()
      return { count, runs }
    },
  }
}

/** Concatenates parts of a file. */
export function together(parts: readonly Shapes[]): Shapes {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { count, runs: parts.flatMap(({ runs }) => runs) }
}

/**
 * Yields the GeoJSON text (RFC 7946) of all geometries of a file, in pieces. One geometry is bare,
 * several of one kind are a Multi…, several of different kinds a GeometryCollection.
 */
export function* printShapes({ count, runs }: Shapes): Generator<string> {
  const [first] = runs
  if (first === undefined) return
  if (count === 1) {
    yield* [beginOf(first.kind), ...first.pieces, '}']
  } else if (runs.every(({ kind }) => kind === first.kind)) {
    yield `{"type":"Multi${first.kind}","coordinates":[`
    yield* withCommas(runs, ({ pieces }) => printRun(pieces, ','))
    yield ']}'
  } else {
    yield '{"type":"GeometryCollection","geometries":['
    yield* withCommas(runs, ({ kind, pieces }) => [
      beginOf(kind),
      ...printRun(pieces, `},${beginOf(kind)}`),
      '}',
    ])
    yield ']}'
  }
}

const beginOf = (kind: Shape['kind']) => `{"type":"${kind}","coordinates":`

function* printRun(pieces: readonly string[], between: string): Generator<string> {
  for (const piece of pieces) yield piece.replaceAll('\n', between)
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
