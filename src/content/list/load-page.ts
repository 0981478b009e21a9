import { identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { dataOf } from '../representation/index.ts'
import { distanceKey, nearestOf } from '../nearby/index.ts'
import type { Nearby } from '../nearby/index.ts'
import { tableOf } from '../table.ts'
import { printCursor } from './cursor.ts'
import { countableOf, matchesOf, nearestShown, versionOf, withNearest } from './matches.ts'
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
  if (!isByDistance(plan)) {
    return loadRecords(
      database,
      plan,
      sql`
      ${soughtOf(plan, expected)}
      order by ${plan.order}
      limit ${plan.pageSize} offset ${offsetOf(plan)}`,
    )
  }
  const { within } = plan.nearby
  const close = closeTo(plan, expected)
  if (close < within) {
    const page = await loadRecords(database, plan, nearestMatches(plan, close))
    if (page.records.length === plan.pageSize) return page
  }
  return loadRecords(database, plan, nearestMatches(plan, within))
}

async function loadRecords(database: Queryable, plan: ListPlan, page: Sql): Promise<Page> {
  // With names of their own: a text named like its column would be what the page is ordered by.
  const keys = plan.keys.map(
    ({ value }, index) => sql`(${value})::text as ${identifier(`key ${String(index)}`)}`,
  )
  const rows = await database.texts(sql`
    select version, id, ${dataOf(plan)}, ${nearestShown(plan.nearby)}, ${join(keys, ', ')}
    from (select ${versionOf(plan)} as version) as dataset
    left join (${page}) as page on true
    order by ${plan.order}`)
  const records = rows.flatMap(([, id, data, nearest = null]) =>
    typeof id === 'string' && typeof data === 'string' ? [{ id, data, nearest }] : [],
  )
  return {
    version: rows[0]?.[0] ?? '',
    records: await withNearest(plan.nearby, records),
    last: rows.at(-1)?.slice(4) ?? [],
  }
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
function soughtOf(plan: ListPlan, expected: number): Sql {
  const matches = sql`select * from ${matchesOf(plan)} and ${beginOf(plan)}`
  const reached = offsetOf(plan) + plan.pageSize
  if (expected > Math.min(scarce * reached, mostSorted)) return likelyMatches(plan) ?? matches
  return sql`select * from (${matches} offset 0) as matches`
}

/**
 * The first records by the first key, and those that are equal to the last of them there. PostgreSQL
 * knows only from version 16 on that an index by distance also helps where the identifier ends the order.
 */
function likelyMatches(plan: ListPlan): Sql | undefined {
  if (plan.likely === undefined) return
  return sql`
    select * from (
      select * from ${tableOf(plan.entity)}
      where ${plan.likely} and ${beginOf(plan)}
      order by ${orderBy(plan.keys.slice(0, 1))}
      fetch first ${offsetOf(plan) + plan.pageSize} rows with ties) as nearest`
}

type ByDistance = ListPlan & { readonly nearby: Nearby }

/** Whether records come in the order of their distances to stations. */
function isByDistance(plan: ListPlan): plan is ByDistance {
  return plan.nearby !== undefined && plan.keys[0] === distanceKey
}

/** So many times as many records as a page reaches are looked for close to stations. */
const ample = 4

/**
 * Within how many metres of a station the records of the page are to be expected. Of those that match,
 * the share within a part of the distance is about the square of that part, or more.
 */
function closeTo(plan: ByDistance, expected: number): number {
  const before = plan.cursor?.seen ?? offsetOf(plan)
  const share = (ample * (before + plan.pageSize)) / expected
  return Math.ceil(plan.nearby.within * Math.sqrt(share))
}

/** The page is cut before the records are read: only their distances are put in order. */
function nearestMatches(plan: ByDistance, within: number): Sql {
  const { entity, where, nearby, order, pageSize } = plan
  const table = tableOf(entity)
  return sql`
    select * from (
      select * from (${nearestOf(nearby, { table, where, within })}) as near
      where ${beginOf(plan)}
      order by ${order}
      limit ${pageSize} offset ${offsetOf(plan)}) as nearest
    join ${table} using (id)`
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
    select ${versionOf(plan)}, count(*) from ${countableOf(plan)}`)
  return { version: row?.[0] ?? '', count: Number(row?.[1] ?? 0) }
}

export type Total = { readonly version: string; readonly count: number }
