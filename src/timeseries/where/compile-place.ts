import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Literal } from './ast.ts'

/**
 * The geographic operators (interface 4.9, decision D45). Each begins with a box that a spatial index
 * serves; a place that does not exist gives no box, and no box meets nothing.
 */
export function compilePlace(geometry: Sql, operator: string, items: readonly Literal[]): Sql {
  const numbers = items.flatMap((item) => (item.kind === 'number' ? [item.value] : []))
  if (operator === 'dlt') return isCloser(geometry, numbers)
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, srid = wgs84] = numbers
  const box = sql`box_between(${x1}::float8, ${y1}::float8, ${x2}::float8, ${y2}::float8, ${srid}::integer)`
  const test = operator === 'bbi' ? sql`ST_Intersects` : sql`ST_CoveredBy`
  return sql`${geometry} && ${box} and ${test}(${geometry}, ${box})`
}

const wgs84 = 4326

/** On the sphere, from the nearest point of a line (reference 2.5). */
function isCloser(geometry: Sql, [metres = 0, x = 0, y = 0, srid = wgs84]: readonly number[]): Sql {
  const centre = sql`point_from(${x}::float8, ${y}::float8, ${srid}::integer)`
  return sql`
    ${geometry} && box_around(${centre}, ${metres}::float8)
    and ST_DistanceSphere(${geometry}, ${centre}) < ${metres}::float8`
}
