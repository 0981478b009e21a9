import { toInstant } from '../time.ts'
import type { Fault, Rejection } from './outcome.ts'

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
 * The rows to write. Of several values for one series and time the last one is taken. All upserts go
 * in the order of the keys, so two that meet wait for each other and do not lock each other out. COPY goes month by
 * month: where it meets the same new values of another writer in another order, one of the two is tried again.
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
  // The sort keeps the order of equals, so the last of them was sent last.
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

/** Station code, data type, ISO time with a zone, value. */
export type MeasurementItem = readonly [string, string, string, number | string | object]

/** What the values of a series are; decided by the value itself (decision D41). */
export type Kind = 'number' | 'text' | 'json'

/** What distinguishes the series of one message: station type and period are the message's. */
export type SeriesKey = {
  readonly code: string
  readonly dataType: string
  readonly kind: Kind
}

export type Value = {
  /** Position of the item in the message. */
  readonly index: number
  /** Position of its series in `series`. */
  readonly series: number
  /** As `toInstant` writes it. */
  readonly time: string
  /** JSON text for the kind `json`. */
  readonly value: number | string
}

export type Gathered = {
  readonly series: readonly SeriesKey[]
  readonly values: readonly Value[]
  readonly rejected: readonly Rejection[]
}

/** Finds the distinct series of a message and puts its values into the form in which they are stored. */
export function gatherValues(items: readonly MeasurementItem[]): Gathered {
  const instants = remember(toInstant)
  const series = distinctSeries()
  const values: Value[] = []
  const rejected: Rejection[] = []
  items.forEach(([code, dataType, written, value], index) => {
    const time = instants(written)
    if (time === undefined) rejected.push({ index, ...noInstant })
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      rejected.push({ index, ...noFiniteNumber })
    } else {
      const place = series.placeOf({ code, dataType, kind: kindOf(value) })
      const stored = typeof value === 'object' ? JSON.stringify(value) : value
      values.push({ index, series: place, time, value: stored })
    }
  })
  return { series: series.list, values, rejected }
}

const noInstant: Fault = { pointer: '/2', reason: 'is outside of the years 0001 to 9999' }
const noFiniteNumber: Fault = { pointer: '/3', reason: 'is not a finite number' }

function distinctSeries() {
  const list: SeriesKey[] = []
  const places = new Map<string, number>()
  return {
    list,
    placeOf: (key: SeriesKey): number => {
      const name = `${key.kind} ${key.dataType}\u0000${key.code}`
      const known = places.get(name)
      if (known !== undefined) return known
      places.set(name, list.length)
      return list.push(key) - 1
    },
  }
}

function kindOf(value: number | string | object): Kind {
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'json'
}

/** Many values of a message share their time. */
export function remember<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const result = work(text)
    known.set(text, result)
    return result
  }
}
