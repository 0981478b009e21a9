import type { Queryable } from '../../storage/index.ts'
import type { Format, LoadedRecord } from '../formats/index.ts'
import { loadOrigins } from '../formats/load-origins.ts'
import { addMembers } from './add-members.ts'
import type { ListPlan } from './plan.ts'
import { rewriteRecords } from './rewrite.ts'

type Shown = { readonly plan: ListPlan; readonly format: Format }

/** Records as their format shows them: with what is added to them, or the source items in their place. */
export async function showRecords(
  { database }: { readonly database: Queryable },
  { plan, format }: Shown,
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  if (format.reads === 'record') {
    return addMembers(plan.added, await rewriteRecords(plan.rewrites, records))
  }
  const ids = records.map(({ id }) => id)
  const origins = await loadOrigins(database, plan.entity, ids)
  return ids.map((id) => {
    const source = origins.get(id)
    const isShown = source !== undefined && !(plan.reduced && source.isClosed)
    return { id, data: isShown ? source.text : 'null' }
  })
}
