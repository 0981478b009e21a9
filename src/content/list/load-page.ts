import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import { shareRunning } from '../../async/index.ts'
import { all, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { versionOfDataset } from '../../storage/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Clause } from '../filters/index.ts'
import type { Format, LoadedRecord } from '../formats/index.ts'
import { loadOrigins } from '../formats/json-ld.ts'
import { distanceKey, fieldName, nearIds, nearestOf } from '../nearby/nearest.ts'
import type { Nearby } from '../nearby/nearest.ts'
import { dataOf, withField } from '../representation.ts'
import { orderBy, standsBehind, tableOf } from '../table.ts'
import { printCursor } from './cursor.ts'
import { addFields, rewriteRecords } from './plan.ts'
import type { ListPlan } from './plan.ts'

type Shown = { readonly plan: ListPlan; readonly format: Format }

/**
 * Returns records as their format shows them: with added fields, or replaced by their source items.
 */
export async function showRecords(
  { database }: { readonly database: Queryable },
  { plan, format }: Shown,
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  if (format.reads === 'record') {
    return addFields(plan.added, await rewriteRecords(plan.rewrites, records))
  }
  const ids = records.map(({ id }) => id)
  const origins = await loadOrigins(database, plan.entity, ids)
  return ids.map((id) => {
    const source = origins.get(id)
    const isShown = source !== undefined && !(plan.reduced && source.isClosed)
    return { id, data: isShown ? source.text : 'null' }
  })
}

type Planned = Pick<ListPlan, 'entity' | 'where' | 'nearby'>

/** SQL for the matching records: what follows a `from`, up to the end of its conditions. */
export function matchesOf({ entity, where, nearby }: Planned): Sql {
  const table = tableOf(entity)
  if (nearby === undefined) return sql`${table} where ${where}`
  const nearest = nearestOf(nearby, { table, where, within: nearby.within })
  return sql`(${nearest}) as near join ${table} using (id) where true`
}

/**
 * SQL for the matching records if they are only counted. It does not determine which station is the
 * nearest.
 */
export function countableOf({ entity, where, nearby }: Planned): Sql {
  const table = tableOf(entity)
  if (nearby === undefined) return sql`${table} where ${where}`
  return sql`(${nearIds(nearby, { table, where, within: nearby.within })}) as near`
}

/** SQL for the versions of all datasets from which a list is read, as text (decision D22). */
export function versionOf({ entity, nearby }: Pick<Planned, 'entity' | 'nearby'>): Sql {
  const own = versionOfDataset(sql`${entity.name}`)
  return nearby === undefined ? own : sql`concat(${own}, ' ', ${nearby.matching.versions})`
}

/**
 * Returns everything that decides which records match, except their entity. It identifies a
 * selection, and contains the caller's rights.
 */
export function choiceOf({ where, nearby }: Pick<Planned, 'where' | 'nearby'>): unknown {
  const own = [where.text, where.values]
  if (nearby === undefined) return own
  const { matching, within } = nearby
  return [...own, matching.stations.text, matching.stations.values, within]
}

/** SQL for the station that a record is near, as JSON; null if the list does not request any. */
export function nearestShown(nearby: Nearby | undefined): Sql {
  return nearby === undefined ? sql`null` : nearby.matching.toShown(sql`near_distance`)
}

type Loaded = {
  readonly id: string
  readonly data: string
  /** Value of `nearestShown`. */
  readonly nearest: string | null
}

/** Adds to records the stations that they are near. */
export function withNearest(
  nearby: Nearby | undefined,
  records: readonly Loaded[],
): Promise<readonly { readonly id: string; readonly data: string }[]> {
  if (nearby === undefined) return Promise.resolve(records)
  const texts = new Map(records.map(({ id, nearest }) => [id, nearest ?? 'null']))
  const textOf = (id: string) => texts.get(id) ?? 'null'
  return addFields([{ name: fieldName, textOf }], records)
}

const rememberedTotals = 10_000

/** Exact totals, cached for as long as the dataset does not change (decision D22). */
export type Totals = {
  /**
   * Returns the total for a version. The version of the result differs if something was written in
   * between.
   */
  readonly at: (database: Queryable, plan: ListPlan, version: string) => Promise<Total>
  /**
   * Estimates how many records match: the last total that was correct, or a new count if there is
   * none.
   */
  readonly expected: (database: Queryable, plan: ListPlan) => Promise<number>
}

/**
 * Creates a cache of totals. After a write, all requests that need a total wait for a single count.
 * Totals depend on the entity and its conditions only, so every page and format shares them. What
 * filters look up in other datasets (outlines of shapes, areas of a region) is part of the
 * conditions, so a total never outlives a change of that data. Data that is read together with the
 * records has versions of its own.
 */
export function createTotals(): Totals {
  const known = new LRUCache<string, number>({ max: rememberedTotals })
  const last = new LRUCache<string, number>({ max: rememberedTotals })
  const share = shareRunning<Total>()
  const count = async (database: Queryable, plan: ListPlan, conditions: string) => {
    const total = await loadTotal(database, plan)
    known.set(`${conditions} ${total.version}`, total.count)
    last.set(conditions, total.count)
    return total
  }
  return {
    at: async (database, plan, version) => {
      const conditions = conditionsOf(plan)
      const remembered = known.get(`${conditions} ${version}`)
      return remembered === undefined
        ? await share(`${conditions} ${version}`, () => count(database, plan, conditions))
        : { version, count: remembered }
    },
    expected: async (database, plan) => {
      const conditions = conditionsOf(plan)
      const counted = () => share(conditions, () => count(database, plan, conditions))
      return last.get(conditions) ?? (await counted()).count
    },
  }
}

function conditionsOf(plan: ListPlan): string {
  return digest([plan.entity.name, choiceOf(plan)])
}

/** Hashes conditions, to keep cache keys small: conditions may contain the outline of a country. */
function digest(conditions: unknown): string {
  return createHash('sha256').update(JSON.stringify(conditions)).digest('base64')
}

/** A single page that is larger than any dataset. */
const everything = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER, cursor: undefined }

/**
 * Applies the filters that evaluate all matches together, such as an availability check
 * (`Clause.narrow`). Their results become conditions, and the response contains every match,
 * regardless of the requested page (interface 8).
 */
export async function narrowPlan(plan: ListPlan): Promise<ListPlan> {
  let narrowed = plan
  for (const clause of plan.filters) narrowed = await narrowBy(narrowed, clause)
  return narrowed
}

async function narrowBy(plan: ListPlan, clause: Clause): Promise<ListPlan> {
  if (clause.narrow === undefined) return plan
  const records = sql`select id from ${countableOf(plan)}`
  const { condition, member, envelope, basis } = await clause.narrow(records)
  const { likely } = plan
  return {
    ...plan,
    ...everything,
    where: all([plan.where, condition]),
    likely: likely === undefined ? undefined : all([likely, condition]),
    filters: plan.filters.map((one) => (one === clause ? { ...clause, condition } : one)),
    representation: withField(plan.representation, member.name),
    added: [...plan.added, member],
    envelope: { ...plan.envelope, ...envelope },
    basis: [plan.basis, basis].join(' '),
    isLasting: false,
  }
}

/** A page as read from the database: JSON texts, and the dataset version of the same snapshot. */
type Page = {
  readonly version: string
  readonly records: readonly { readonly id: string; readonly data: string }[]
  /** Values of the keys of the order, for the last record. */
  readonly last: readonly (string | null)[]
}

/**
 * Loads the records of the planned page. Version and rows come from one statement and therefore
 * from one snapshot, even for an empty page (decision D22).
 *
 * The page is selected before anything is computed. Otherwise PostgreSQL would also read and reduce
 * the records of all previous pages, only to skip them.
 * @param expected approximate number of matching records
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
  // Unique names, because `order by` would sort by a text that has the name of its column.
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

/** A page that reaches at least one fourth of the matches is not searched in list order. */
const scarce = 4
/** More matches than this are never sorted for a page if an index provides their order. */
const maxSorted = 10_000

/**
 * SQL for the rows from which the page is taken. If few records match, walking all records in list
 * order until the page is full would read most of them, in random order. PostgreSQL cannot know how
 * few match; `offset 0` makes it find all matches first, by the index of a condition or with all
 * its parallel workers.
 */
function soughtOf(plan: ListPlan, expected: number): Sql {
  const matches = sql`select * from ${matchesOf(plan)} and ${beginOf(plan)}`
  const reached = offsetOf(plan) + plan.pageSize
  if (expected > Math.min(scarce * reached, maxSorted)) return likelyMatches(plan) ?? matches
  return sql`select * from (${matches} offset 0) as matches`
}

/**
 * SQL for the first records by the first key, and those that tie with the last of them. Only from
 * version 16 on can PostgreSQL use an index by distance if the identifier ends the order.
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

/** Reports whether the records are sorted by their distance from stations. */
function isByDistance(plan: ListPlan): plan is ByDistance {
  return plan.nearby !== undefined && plan.keys[0] === distanceKey
}

/** Safety factor: so many times the records that a page reaches are expected close to stations. */
const ample = 4

/**
 * Estimates within how many metres of a station the records of the page are. The share of matches
 * within a fraction of the maximum distance is about the square of that fraction, or more.
 */
function closeTo(plan: ByDistance, expected: number): number {
  const before = plan.cursor?.seen ?? offsetOf(plan)
  const share = (ample * (before + plan.pageSize)) / expected
  return Math.ceil(plan.nearby.within * Math.sqrt(share))
}

/**
 * SQL for a page by distance. The page is selected before the records are read, so that only
 * distances are sorted.
 */
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

/** Returns the condition that a row comes after the cursor. */
export function beginOf({ keys, cursor }: Pick<ListPlan, 'keys' | 'cursor'>): Sql {
  return cursor === undefined ? sql`true` : standsBehind(keys, cursor.values)
}

/** Returns the number of rows before the page; 0 if a cursor leads to it. */
export function offsetOf({
  cursor,
  pageNumber,
  pageSize,
}: Pick<ListPlan, 'cursor' | 'pageNumber' | 'pageSize'>): number {
  return cursor === undefined ? (pageNumber - 1) * pageSize : 0
}

/** Returns the cursor of the next page; undefined after the last page. */
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

/** Counts the matching records, and returns the dataset version for which the count is correct. */
export async function loadTotal(database: Queryable, plan: ListPlan): Promise<Total> {
  const [row] = await database.texts(sql`
    select ${versionOf(plan)}, count(*) from ${countableOf(plan)}`)
  return { version: row?.[0] ?? '', count: Number(row?.[1] ?? 0) }
}

type Total = { readonly version: string; readonly count: number }
