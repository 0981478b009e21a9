import { to64Bits } from '../columns/to-64-bits.ts'
import type { ColumnKind } from '../columns/typed-column.ts'
import { isThere } from '../columns/vector.ts'
import type { Validity, Vector } from '../columns/vector.ts'

/** A value as the library for Parquet takes it. */
type Value = number | bigint | boolean | string | Point | null
type Point = { readonly x: number; readonly y: number }

/** The values of a vector, one for each row. */
export function toValues(vector: Vector, kind: ColumnKind): readonly Value[] {
  switch (vector.shape) {
    case 'numbers':
      return numbers(vector, kind)
    case 'points': {
      const { x, y, validity } = vector
      return whereThere(
        validity,
        Array.from(x, (at, row) => ({ x: at, y: y[row] ?? 0 })),
      )
    }
    case 'texts':
      return vector.values
    case 'shared': {
      const { places, validity, texts } = vector
      return whereThere(
        validity,
        Array.from(places, (place) => texts[place] ?? null),
      )
    }
  }
}

function numbers(
  { values, validity }: Extract<Vector, { shape: 'numbers' }>,
  kind: ColumnKind,
): readonly Value[] {
  switch (kind) {
    case 'time':
    case 'bigint':
      return whereThere(validity, Array.from(to64Bits(values)))
    case 'boolean':
      return whereThere(
        validity,
        Array.from(values, (value) => value !== 0),
      )
    default:
      return whereThere(validity, Array.from(values))
  }
}

function whereThere(validity: Validity, values: Value[]): readonly Value[] {
  if (validity.nulls === 0) return values
  return values.map((value, row) => (isThere(validity, row) ? value : null))
}
