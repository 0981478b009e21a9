import { sql } from '../../sql/index.ts'
import type { ListPlan } from '../list/plan.ts'
import { tableOf } from '../table.ts'
import type { Explaining } from './load-counts.ts'
import type { CountedClause } from './parts-of.ts'

/**
 * Whether a place on the map that holds nothing would hold something with its axes swapped. Swapping
 * the positions of the records comes to the same, and works for every form of a place.
 */
export async function axesHints(
  { database, visible }: Explaining,
  { entity }: ListPlan,
  { isGeographic, matches, condition }: CountedClause,
): Promise<readonly string[]> {
  if (isGeographic !== true || matches > 0) return []
  const [row] = await database.query<{ swapped: boolean }>(sql`
    select exists (
      select from (
        select closed, source, st_flipcoordinates(position::geometry)::geography as position
        from ${tableOf(entity)}
        where abs(st_x(position::geometry)) <= 90) as flipped
      where ${visible} and ${condition}) as swapped`)
  if (row?.swapped !== true) return []
  return ['Latitude and longitude seem to be swapped: longitude comes first, as in 11.35 46.5.']
}
