import { sql } from '../../sql/index.ts'
import type { References } from '../filters/filter.ts'
import { rejected } from '../filters/reject.ts'

/** A coordinate system of EPSG that PostGIS knows. */
export type System = {
  readonly srid: number
  /** Decimals of its coordinates: a millimetre or less. */
  readonly decimals: number
}

const expected = [
  'EPSG:4326 (WGS 84)',
  'EPSG:3857 (web Mercator)',
  'EPSG:32632 (UTM 32N)',
  'another number of EPSG that PostGIS knows',
]

/** What a text of a coordinate system holds, by how clients write it (reference content.md 6.5). */
const spellings: readonly (readonly [RegExp, number])[] = [
  [/32632/, 32632],
  [/3857|mercator/i, 3857],
  // 4362 is what the public system has misprinted in its description.
  [/4326|4362|wgs\s*84/i, 4326],
]

/** @throws AppError HUB-QRY-001 for a text without a number of EPSG */
export function readSrid(written: string): number {
  const known = spellings.find(([pattern]) => pattern.test(written))
  if (known !== undefined) return known[1]
  const [, digits] = /^\s*(?:epsg\s*:+\s*)?(\d{4,6})\s*$/i.exec(written) ?? []
  if (digits !== undefined) return Number(digits)
  throw noSystem(written)
}

/** @throws AppError HUB-QRY-001 for a number that stands for no system */
export async function loadSystem(srid: number, { database }: References): Promise<System> {
  const [row] = await database.query<{ degrees: boolean }>(sql`
    select proj4text like '%longlat%' as degrees from spatial_ref_sys where srid = ${srid}`)
  if (row === undefined) throw noSystem(`EPSG:${String(srid)}`)
  return { srid, decimals: row.degrees ? 9 : 3 }
}

function noSystem(written: string) {
  const detail = `is ${JSON.stringify(written)}, which is no coordinate system`
  return rejected({ parameter: 'srid', detail, expected })
}
