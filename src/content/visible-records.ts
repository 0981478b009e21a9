import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'

/**
 * What a caller may see of the records of another entity, for statements that read them to answer for
 * this one: which record a filter names must tell nobody of a closed one (decision D34).
 */
export function isVisibleRecord(entityName: string, visibility: Visibility): Sql {
  return visible(visibility, 'content', {
    closed: sql`closed`,
    origin: sql`source`,
    type: sql`${entityName}::text`,
  })
}
