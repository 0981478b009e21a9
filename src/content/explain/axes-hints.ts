import { sql } from '../../sql/index.ts'
import type { ListPlan } from '../list/plan.ts'
import { tableOf } from '../table.ts'
import type { Explaining } from './load-counts.ts'
import type { CountedClause } from './parts-of.ts'

/** Whether a place on the map that holds nothing would hold something with its axes swapped. */
export async function axesHints(
  { database, visible }: Explaining,
  { entity }: ListPlan,
  { swapped, matches }: CountedClause,
): Promise<readonly string[]> {
  if (swapped === undefined || matches > 0) return []
  const [row] = await database.query<{ found: boolean }>(sql`
    select exists (
      select from ${tableOf(entity)} where ${visible} and ${swapped}) as found`)
  if (row?.found !== true) return []
  return ['Latitude and longitude seem to be swapped: longitude comes first, as in 11.35 46.5.']
}
