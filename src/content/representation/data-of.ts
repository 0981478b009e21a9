import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import { selectInDatabase } from '../fields/select-in-database.ts'
import type { Representation } from './represent.ts'

type Wanted = {
  readonly entity: Entity
  readonly reduced: boolean
  readonly representation: Representation
}

/**
 * What to read of each record: its fields where the database can select them, otherwise the record
 * without its closed members where the caller may not see them (decision D34).
 */
export function dataOf({ entity, reduced, representation }: Wanted): Sql {
  if (representation.selectedBy === 'database') {
    return selectInDatabase({ entity, reduced, ...representation })
  }
  if (!reduced) return sql`data`
  const members = [...entity.closedMembers]
  return sql`
    case when data ?| ${members}::text[]
      then jsonb_set(data - ${members}::text[], '{_Meta,Reduced}', 'true') else data end`
}
