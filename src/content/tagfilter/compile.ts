import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { TagFilter } from './ast.ts'

/** Tags are compared exactly; an unknown one has no records (interface 2.3, decision D27). */
export function compileTagFilter({ kind, tags }: TagFilter): Sql {
  return kind === 'all' ? sql`tag_ids @> ${tags}::text[]` : sql`tag_ids && ${tags}::text[]`
}
