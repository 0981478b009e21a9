import type { TextRow } from '../storage/index.ts'
import type { Shape } from './geometry.ts'

/** Position of a value: in the row itself, or in a row shared by many. */
export type Cell = { readonly index: number; readonly of?: Shared | undefined }

/** Rows that others refer to by the id at position `key`. */
export type Shared = {
  readonly key: number
  readonly rows: ReadonlyMap<string, TextRow>
  /** Texts already written for shared rows, by the shown columns, then by row id. */
  readonly written?: Map<string, Map<string, WrittenRow>>
}

/** A row with its written text. Valid for this row object only: a changed station has another. */
export type WrittenRow = { readonly row: TextRow; readonly text: string }

/** Returns a function that reads a value as printed by the database. */
export function readerOf({ index, of }: Cell): (row: TextRow) => string | null | undefined {
  if (of === undefined) return (row) => row[index]
  return (row) => of.rows.get(row[of.key] ?? '')?.[index]
}

/** Which rows of a column have a value: one bit per row, lowest first, as in Arrow. */
export type Validity = {
  readonly bits: Uint8Array
  /** Number of rows without a value. */
  readonly nulls: number
}

/** Values of a column in some rows. */
export type Vector =
  /** No row has a value. Records have many fields, most of which are rarely used. */
  | { readonly shape: 'none'; readonly rows: number }
  /**
   * Numbers, milliseconds since 1970, or 1 and 0 for true and false. Rows without a value have 0.
   */
  | {
      readonly shape: 'numbers'
      readonly values: Float64Array<ArrayBuffer>
      readonly validity: Validity
    }
  /** Groups of numbers, with one array per member (`membersOf`). Rows without a value have 0. */
  | {
      readonly shape: 'structs'
      readonly members: readonly Float64Array<ArrayBuffer>[]
      readonly validity: Validity
    }
  /** Geometries as well-known binary (WKB). */
  | {
      readonly shape: 'geometries'
      readonly values: readonly (Uint8Array | null)[]
      readonly shapes: readonly Shape[]
    }
  | { readonly shape: 'texts'; readonly values: readonly (string | null)[] }
  /** Texts shared by many rows: for each row the index of its text. Rows without a value have 0. */
  | {
      readonly shape: 'shared'
      readonly places: Int32Array<ArrayBuffer>
      readonly validity: Validity
      /** The texts so far. More may be added at the end. */
      readonly texts: readonly string[]
    }

/** Builds the validity of a number of rows. Each has a value unless it is marked as null. */
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

/** Reports whether no row has a value. */
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

/** Content of a column, from which its types in Arrow and Parquet follow. */
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
  /** A GeoJSON geometry, converted to well-known binary (WKB). */
  | 'geometry'
  /** Bounding box of the geometry in the same cell. */
  | 'bbox'

/** Member names of the column kinds that consist of several numbers. */
export const membersOf = { point: ['x', 'y'], bbox: ['xmin', 'ymin', 'xmax', 'ymax'] } as const

/** Reports whether the cells of a column are texts of any length. */
export function isText(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'geometry' || kind.endsWith('json')
}

/** Restricts a column to the JSON values of one type. */
type Part = 'number' | 'text' | 'json'

/** A column of one type: its name, its content, and the position of its values. */
export type TypedColumn = {
  readonly name: string
  readonly kind: ColumnKind
  readonly cell: Cell
  /** For measured values, which are JSON: the type of the values shown here. */
  readonly part?: Part
}

/** Properties of a table that are fixed before its first row. */
export type Table = {
  readonly columns: readonly TypedColumn[]
  /** Whether to write rows in which every shown column is null. */
  readonly showNull: boolean
  /** Whether rows have many columns and long texts, as records do, in contrast to values. */
  readonly hasLongRows?: boolean
  /** Name of the time zone in which times are shown, for formats that state one. */
  readonly zone: string
}

/** Writes a table piece by piece, in steps of a few milliseconds. */
export type TableWriter = {
  readonly begin: () => Iterable<Uint8Array>
  readonly rows: (rows: readonly TextRow[]) => Iterable<Uint8Array>
  readonly end: () => Iterable<Uint8Array>
}

const twoTo32 = 2 ** 32

/**
 * Converts whole numbers to 64 bits, low half first, as in Arrow and Parquet. Twenty times as fast
 * as converting through `BigInt`.
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
