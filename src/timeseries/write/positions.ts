import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Sent } from './outcome.ts'

/** A coordinate as stations are sent: x before y, in the given reference system. */
type Placed = {
  readonly coordinate?: readonly number[] | null | undefined
  readonly srid?: number | undefined
}

/** Longitude and latitude in EPSG:4326. */
export type Position = readonly [number, number]

/** The reference system of the store (and of a coordinate that names none). */
const wgs84 = 4326

/**
 * The positions of items in EPSG:4326, by index. An item whose coordinate cannot be brought there is
 * not among them: its reference system is unknown to PostGIS, or has no such place.
 */
export async function locate(
  tx: Transaction,
  sent: readonly Sent<Placed>[],
): Promise<ReadonlyMap<number, Position>> {
  const positions = new Map<number, Position>()
  const foreign: Foreign[] = []
  for (const { index, item } of sent) {
    const [x, y] = item.coordinate ?? []
    if (x === undefined || y === undefined) continue
    if ((item.srid ?? wgs84) !== wgs84) foreign.push({ index, x, y, srid: item.srid ?? wgs84 })
    else if (Math.abs(x) <= 180 && Math.abs(y) <= 90) positions.set(index, [x, y])
  }
  for (const { index, x, y } of await transform(tx, foreign)) positions.set(index, [x, y])
  return positions
}

type Foreign = {
  readonly index: number
  readonly x: number
  readonly y: number
  readonly srid: number
}

type Transformed = { readonly index: number; readonly x: number; readonly y: number }

async function transform(
  tx: Transaction,
  foreign: readonly Foreign[],
): Promise<readonly Transformed[]> {
  if (foreign.length === 0) return []
  return tx.query<Transformed>(sql`
    select index, ST_X(point) as x, ST_Y(point) as y
    from unnest(
      ${foreign.map(({ index }) => index)}::integer[],
      ${foreign.map(({ x }) => x)}::double precision[],
      ${foreign.map(({ y }) => y)}::double precision[],
      ${foreign.map(({ srid }) => srid)}::integer[]) as sent (index, x, y, srid)
    cross join point_from(sent.x, sent.y, sent.srid) as point
    where point is not null`)
}
