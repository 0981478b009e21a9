import type { FieldType } from '../catalogue/groups.ts'
import type { Cell, Column } from '../read/members.ts'
import type { ValueKinds } from '../read/values/packing.ts'

/** Which rows of a column have a value: a bit for each row, the lowest first, as in Arrow. */
export type Validity = {
  readonly bits: Uint8Array
  /** How many rows have none. */
  readonly nulls: number
}

/** The values of a column in some rows. */
export type Vector =
  /** Numbers, milliseconds since 1970, or 1 and 0 for true and false; 0 where there is none. */
  | {
      readonly shape: 'numbers'
      readonly values: Float64Array<ArrayBuffer>
      readonly validity: Validity
    }
  /** Longitudes and latitudes; 0 where there is none. */
  | {
      readonly shape: 'points'
      readonly x: Float64Array<ArrayBuffer>
      readonly y: Float64Array<ArrayBuffer>
      readonly validity: Validity
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
  | 'point'
  | 'text'
  | 'json'
  /** A GeoJSON geometry. */
  | 'geojson'

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

/**
 * The columns of an answer, before any of its rows is read. A measured value has a column for its
 * numbers and, if there are series of such kinds, one for its texts and one for its JSON.
 */
export function toTypedColumns(
  columns: readonly Column[],
  kinds: ValueKinds,
): readonly TypedColumn[] {
  return columns.flatMap(({ key: name, type, index, of }) => {
    const cell = { index, of }
    return type === 'value' ? valueColumns(name, cell, kinds) : [{ name, kind: kindOf[type], cell }]
  })
}

function valueColumns(name: string, cell: Cell, kinds: ValueKinds): readonly TypedColumn[] {
  const others = (['text', 'json'] as const).filter((kind) => kinds[kind])
  return [
    { name, kind: 'number', cell, part: 'number' },
    ...others.map((kind) => ({ name: `${name}_${kind}`, kind, cell, part: kind })),
  ]
}

const kindOf: Readonly<Record<Exclude<FieldType, 'value'>, ColumnKind>> = {
  text: 'text',
  boolean: 'boolean',
  integer: 'integer',
  bigint: 'bigint',
  number: 'number',
  time: 'time',
  json: 'json',
  point: 'point',
  geometry: 'geojson',
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
