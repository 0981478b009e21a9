import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { tableOf } from '../table.ts'
import type { ListPlan } from './plan.ts'

/** A page as the database gives it: JSON texts, and the dataset version of the same snapshot. */
export type Page = {
  readonly version: string
  readonly records: readonly { readonly id: string; readonly data: string }[]
}

/**
 * The records of the planned page. Version and rows come from one statement and so from one snapshot,
 * for an empty page too (decision D22).
 *
 * The page is cut before anything is computed: PostgreSQL would otherwise read and reduce the records
 * of all pages before this one too, only to skip them.
 */
export async function loadPage(database: Queryable, plan: ListPlan): Promise<Page> {
  const rows = await database.texts(sql`
    select version, id, ${dataOf(plan)}
    from (select dataset_version(${plan.entity.name}) as version) as dataset
    left join (
      select * from ${tableOf(plan.entity)}
      where ${plan.where}
      order by ${plan.order}
      limit ${plan.pageSize} offset ${(plan.pageNumber - 1) * plan.pageSize}) as page on true
    order by ${plan.order}`)
  const records = rows.flatMap(([, id, data]) =>
    typeof id === 'string' && typeof data === 'string' ? [{ id, data }] : [],
  )
  return { version: rows[0]?.[0] ?? '', records }
}

/** How many records match, and the version of the dataset that this is true for. */
export async function loadTotal(database: Queryable, plan: ListPlan): Promise<Total> {
  const [row] = await database.texts(sql`
    select dataset_version(${plan.entity.name}), count(*)
    from ${tableOf(plan.entity)}
    where ${plan.where}`)
  return { version: row?.[0] ?? '', count: Number(row?.[1] ?? 0) }
}

export type Total = { readonly version: string; readonly count: number }

/** The record, without its closed members where the caller may not see them (decision D34). */
export function dataOf({ entity, reduced }: Pick<ListPlan, 'entity' | 'reduced'>): Sql {
  if (!reduced) return sql`data`
  const members = [...entity.closedMembers]
  return sql`
    case when data ?| ${members}::text[]
      then jsonb_set(data - ${members}::text[], '{_Meta,Reduced}', 'true') else data end`
}
