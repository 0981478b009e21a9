import type { TextRow } from '../storage/index.ts'
import type { Shape } from './geometry.ts'

/** Where a value stands: in the row itself, or in what describes many rows. */
export type Cell = { readonly index: number; readonly of?: Shared | undefined }

/** What rows share: found by the id that stands at `key` in each. */
export type Shared = {
  readonly key: number
  readonly rows: ReadonlyMap<string, TextRow>
  /** What was written of them before, by the columns that it shows, then by their ids. */
  readonly written?: Map<string, Map<string, WrittenRow>>
}

/** Holds for this very row: where a station has changed there is another one. */
export type WrittenRow = { readonly row: TextRow; readonly text: string }

/** Reads a value, as the database printed it. */
export function readerOf({ index, of }: Cell): (row: TextRow) => string | null | undefined {
  if (of === undefined) return (row) => row[index]
  return (row) => of.rows.get(row[of.key] ?? '')?.[index]
}

/** Which rows of a column have a value: a bit for each row, the lowest first, as in Arrow. */
export type Validity = {
  readonly bits: Uint8Array
  /** How many rows have none. */
  readonly nulls: number
}

/** The values of a column in some rows. */
export type Vector =
  /** No row has a value: records have many fields, and most of them few. */
  | { readonly shape: 'none'; readonly rows: number }
  /** Numbers, milliseconds since 1970, or 1 and 0 for true and false; 0 where there is none. */
  | {
      readonly shape: 'numbers'
      readonly values: Float64Array<ArrayBuffer>
      readonly validity: Validity
    }
  /** Numbers that belong together, each kind of them by itself (`membersOf`); 0 where there is none. */
  | {
      readonly shape: 'structs'
      readonly members: readonly Float64Array<ArrayBuffer>[]
      readonly validity: Validity
    }
  /** Geometries as well-known binary. */
  | {
      readonly shape: 'geometries'
      readonly values: readonly (Uint8Array | null)[]
      readonly shapes: readonly Shape[]
    }
  | { readonly shape: 'texts'; readonly values: readonly (string | null)[] }
  /** Texts that many rows share: of each row the place of its text; 0 where there is none. */
  | {
      readonly shape: 'shared'
      readonly places: Int32Array<ArrayBuffer>
      readonly validity: Validity
      /** As many of the texts as are there by now; more may be added behind them. */
      readonly texts: readonly string[]
    }

/** For a number of rows, all of which have a value unless marked otherwise. */
export function markValidity(rows: number) {
  const bits = new Uint8Array(Math.ceil(rows / 8)).fill(0xff)
  let nulls = 0
  return {
    setNull: (row: number) => {
      bits[row >> 3] = (bits[row >> 3] ?? 0) & ~(1 << (row & 7))
      nulls += 1
    },
    end: (): Validity => ({ bits, nulls }),
  }
}

/** Whether no row has a value. */
export function isEmpty(vector: Vector): boolean {
  switch (vector.shape) {
    case 'none':
      return true
    case 'numbers':
      return vector.validity.nulls === vector.values.length
    case 'structs':
      return vector.validity.nulls === (vector.members[0]?.length ?? 0)
    case 'geometries':
      return vector.shapes.length === 0
    case 'texts':
      return vector.values.every((value) => value === null)
    case 'shared':
      return vector.validity.nulls === vector.places.length
  }
}

export function isThere({ bits }: Validity, row: number): boolean {
  return ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}

/** What a column holds: its types in Arrow and in Parquet follow from it. */
export type ColumnKind =
  | 'number'
  | 'integer'
  | 'bigint'
  | 'boolean'
  | 'time'
  /** A time as whole microseconds since 1970. */
  | 'instant'
  | 'point'
  | 'text'
  | 'json'
  /** A GeoJSON geometry. */
  | 'geojson'
  /** The same, as well-known binary. */
  | 'geometry'
  /** The bounds of the geometry in the same cell. */
  | 'bbox'

/** Names of the numbers that a column of several holds. */
export const membersOf = { point: ['x', 'y'], bbox: ['xmin', 'ymin', 'xmax', 'ymax'] } as const

/** Whether the cells of a column are texts, of any length. */
export function isText(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'geometry' || kind.endsWith('json')
}

/** What a cell of several kinds has to hold for a column to show it. */
type Part = 'number' | 'text' | 'json'

/** A column of one type, the same for every row: its name, what it holds and where that stands. */
export type TypedColumn = {
  readonly name: string
  readonly kind: ColumnKind
  readonly cell: Cell
  /** Of a measured value, which is JSON: which values are shown here. */
  readonly part?: Part
}

/** What is known of a table before its first row. */
export type Table = {
  readonly columns: readonly TypedColumn[]
  /** Whether a row is written of which nothing is shown. */
  readonly showNull: boolean
  /** Whether rows have many columns and long texts: they are records rather than values. */
  readonly hasLongRows?: boolean
  /** Name of the zone in which times are shown, where a format states one. */
  readonly zone: string
}

/** Writes a table piece by piece, in steps of some milliseconds. */
export type TableWriter = {
  readonly begin: () => Iterable<Uint8Array>
  readonly rows: (rows: readonly TextRow[]) => Iterable<Uint8Array>
  readonly end: () => Iterable<Uint8Array>
}

const twoTo32 = 2 ** 32

/**
 * Whole numbers as 64 bits, the low half first, as Arrow and Parquet have them. Twenty times as fast as
 * by way of `BigInt`.
 */
export function to64Bits(numbers: Float64Array): BigInt64Array<ArrayBuffer> {
  const halves = new Int32Array(numbers.length * 2)
  let place = 0
  for (const number of numbers) {
    const high = Math.floor(number / twoTo32)
    halves[place] = number - high * twoTo32
    halves[place + 1] = high
    place += 2
  }
  return new BigInt64Array(halves.buffer)
}
