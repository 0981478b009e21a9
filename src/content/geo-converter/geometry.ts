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

type Run = {
  readonly kind: Shape['kind']
  /** Joined, their coordinates with a newline between each two. */
  readonly pieces: readonly string[]
}

/** The geometries of a file, or of a part of it, in their order. */
export type Shapes = { readonly count: number; readonly runs: readonly Run[] }

/** Takes geometries on as they are read. */
export type ShapeList = {
  readonly add: (shapes: Iterable<Shape>) => void
  /** All of them. Nothing is added afterwards. */
  readonly all: () => Shapes
}

/** From this length on a text stands by itself. */
const long = 10_000

/**
 * Geometries are kept as texts of some ten thousand characters: as an object each, those of a large file
 * would keep the garbage collector at work, and with it everybody, for tens of milliseconds.
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

/** Parts of a file as one. */
export function together(parts: readonly Shapes[]): Shapes {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { count, runs: parts.flatMap(({ runs }) => runs) }
}

/**
 * GeoJSON (RFC 7946) of all geometries of a file: one is a bare geometry, several of a kind are a Multi…,
 * others a GeometryCollection. In pieces, which joined are the JSON text.
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
