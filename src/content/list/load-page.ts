import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { dataOf } from '../representation/index.ts'
import { tableOf } from '../table.ts'
import { printCursor } from './cursor.ts'
import { orderBy, standsBehind } from './order.ts'
import type { ListPlan } from './plan.ts'

/** A page as the database gives it: JSON texts, and the dataset version of the same snapshot. */
export type Page = {
  readonly version: string
  readonly records: readonly { readonly id: string; readonly data: string }[]
  /** Of the last record, the values of the keys of the order. */
  readonly last: readonly (string | null)[]
}

/**
 * The records of the planned page. Version and rows come from one statement and so from one snapshot,
 * for an empty page too (decision D22).
 *
 * The page is cut before anything is computed: PostgreSQL would otherwise read and reduce the records
 * of all pages before this one too, only to skip them.
 * @param expected about how many records match
 */
export async function loadPage(
  database: Queryable,
  plan: ListPlan,
  expected: number,
): Promise<Page> {
  const keys = plan.keys.map(({ value }) => sql`(${value})::text`)
  const rows = await database.texts(sql`
    select version, id, ${dataOf(plan)}, ${join(keys, ', ')}
    from (select dataset_version(${plan.entity.name}) as version) as dataset
    left join (
      ${matchesOf(plan, expected)}
      order by ${plan.order}
      limit ${plan.pageSize} offset ${offsetOf(plan)}) as page on true
    order by ${plan.order}`)
  const records = rows.flatMap(([, id, data]) =>
    typeof id === 'string' && typeof data === 'string' ? [{ id, data }] : [],
  )
  return { version: rows[0]?.[0] ?? '', records, last: rows.at(-1)?.slice(3) ?? [] }
}

/** A page that is no smaller a part of the matches than this is not looked for in list order. */
const scarce = 4
/** More than this are never sorted for a page where an index has them in order. */
const mostSorted = 10_000

/**
 * Where few records match, walking all records in list order until the page is full would read most of
 * them, one here and one there. PostgreSQL cannot know how few; `offset 0` has it find all matches
 * first, by the index of a condition or by all its workers at once.
 */
function matchesOf(plan: ListPlan, expected: number): Sql {
  const matches = sql`
    select * from ${tableOf(plan.entity)}
    where ${plan.where} and ${beginOf(plan)}`
  const reached = offsetOf(plan) + plan.pageSize
  if (expected > Math.min(scarce * reached, mostSorted)) return nearestOf(plan) ?? matches
  return sql`select * from (${matches} offset 0) as matches`
}

/**
 * The first records by the first key, and those that are equal to the last of them there. PostgreSQL
 * knows only from version 16 on that an index by distance also helps where the identifier ends the order.
 */
function nearestOf(plan: ListPlan): Sql | undefined {
  if (plan.likely === undefined) return
  return sql`
    select * from (
      select * from ${tableOf(plan.entity)}
      where ${plan.likely} and ${beginOf(plan)}
      order by ${orderBy(plan.keys.slice(0, 1))}
      fetch first ${offsetOf(plan) + plan.pageSize} rows with ties) as nearest`
}

function beginOf({ keys, cursor }: ListPlan): Sql {
  return cursor === undefined ? sql`true` : standsBehind(keys, cursor.values)
}

function offsetOf({ cursor, pageNumber, pageSize }: ListPlan): number {
  return cursor === undefined ? (pageNumber - 1) * pageSize : 0
}

/** The cursor of the page behind this one; nothing behind the last. */
export function nextCursor(
  plan: ListPlan,
  { records, last }: Pick<Page, 'records' | 'last'>,
  total: number,
): string | undefined {
  const before = plan.cursor?.seen ?? (plan.pageNumber - 1) * plan.pageSize
  const seen = before + records.length
  return records.length === 0 || seen >= total
    ? undefined
    : printCursor(plan, { seen, values: last })
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
