import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'

/** Cells of a map: so many in a degree, counted from 0° 0°. */
export type Grid = { readonly perLongitude: number; readonly perLatitude: number }

/** The cell of a point, as `x y`. */
export function cellOf(point: Sql, { perLongitude, perLatitude }: Grid): Sql {
  return sql`concat(
    floor(st_x(${point}) * ${perLongitude}::integer)::integer, ' ',
    floor(st_y(${point}) * ${perLatitude}::integer)::integer)`
}
