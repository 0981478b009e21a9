import { visible } from '../access/index.ts'
import type { Area, Visibility, VisibleColumns } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'

/**
 * Returns a condition for whether the caller could see a record, given the `before` or `after` of a
 * change (`migrations/0029-change-feed.sql`).
 * @param columns columns that the rights omit because they never change
 */
export function couldSee(
  rights: Sql,
  { visibility, area }: { readonly visibility: Visibility; readonly area: Area },
  columns: Pick<VisibleColumns, 'type' | 'dataType' | 'period' | 'types'>,
): Sql {
  const closed = sql`coalesce((${rights} ->> 'closed')::boolean, true)`
  const seen = visible(visibility, area, {
    ...columns,
    closed,
    origin: sql`${rights} ->> 'origin'`,
  })
  return sql`(${rights} is null or (jsonb_typeof(${rights}) = 'object' and ${seen}))`
}
