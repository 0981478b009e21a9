import type { Kind, Value } from './gather-values.ts'

/** Values of one kind, ready to be bound: three columns, ordered by series and time. */
export type Chunk = {
  readonly kind: Kind
  readonly ids: readonly number[]
  readonly times: readonly string[]
  readonly values: readonly (number | string)[]
}

/** A series that exists. */
export type KnownSeries = { readonly id: number; readonly kind: Kind }

/** Rows of one statement: more do not make it faster, but make others wait longer. */
const largestChunk = 10_000

/**
 * The rows to write. Of several values for one series and time the last one is taken. All writers go
 * in the order of the keys, so two that meet wait for each other and never lock each other out.
 * @param seriesOf the series of a value; values without one are left out
 */
export function chunkValues(
  values: readonly Value[],
  seriesOf: (value: Value) => KnownSeries | undefined,
): readonly Chunk[] {
  const rows: Row[] = []
  for (const value of values) {
    const series = seriesOf(value)
    if (series !== undefined) rows.push({ series, time: value.time, value: value.value })
  }
  // The sort keeps the order of equals, so the last of them is the one that was sent last.
  const ordered = rows.sort(byKey).filter((row, index, sorted) => isLast(row, sorted[index + 1]))
  return kinds.flatMap((kind) => {
    const ofKind = ordered.filter(({ series }) => series.kind === kind)
    return slices(ofKind, largestChunk).map((slice) => toChunk(kind, slice))
  })
}

/** The newest value of each series in a chunk, of those that are not later than `until`. */
export function newestOf({ kind, ids, times, values }: Chunk, until: string): Chunk {
  const isIn = (index: number) => (times[index] ?? '') <= until
  const isNewest = (_: unknown, index: number) =>
    isIn(index) && (ids[index] !== ids[index + 1] || !isIn(index + 1))
  return {
    kind,
    ids: ids.filter(isNewest),
    times: times.filter(isNewest),
    values: values.filter(isNewest),
  }
}

const kinds = ['number', 'text', 'json'] as const

type Row = {
  readonly series: KnownSeries
  readonly time: string
  readonly value: number | string
}

function byKey(left: Row, right: Row): number {
  if (left.series.id !== right.series.id) return left.series.id - right.series.id
  if (left.time === right.time) return 0
  return left.time < right.time ? -1 : 1
}

function isLast(row: Row, next: Row | undefined): boolean {
  return next === undefined || byKey(row, next) !== 0
}

function toChunk(kind: Kind, rows: readonly Row[]): Chunk {
  return {
    kind,
    ids: rows.map(({ series }) => series.id),
    times: rows.map(({ time }) => time),
    values: rows.map(({ value }) => value),
  }
}

function slices<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
