import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { textsOf } from '../lang/json.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Concerning } from './feed.ts'

/** A place in the order of changes, up to which everything has been read. */
export type Place = {
  readonly xid: bigint
  readonly sequence: bigint
  /** The last target that was read among the records of the last change. Undefined: all of them. */
  readonly target?: string | undefined
}

/** Greater than the sequence of any row of a transaction. */
export const lastSequence = 9_223_372_036_854_775_807n

/** A record that a change concerns, and that the caller could see before or after it. */
export type Concern = Place & {
  readonly target: string
  readonly time: Date
  readonly key: string
  /** Whether the caller could see the record before (`saw`) and after (`sees`) the change. */
  readonly saw: boolean
  readonly sees: boolean
}

export type Chunk = {
  readonly concerns: readonly Concern[]
  /** End of the rows that were read; undefined if there were none. */
  readonly last: Place | undefined
  readonly isFull: boolean
  /** All transactions up to this one have ended. */
  readonly horizon: bigint
}

type Range = {
  readonly datasets: readonly string[]
  readonly concerning: Concerning
  readonly after: Place
  /** Maximum number of concerned records. A change of a station concerns all its series. */
  readonly limit: number
}

/** Every transaction below it has ended: its rows are either visible or will never exist. */
export const oldestRunning = sql`pg_snapshot_xmin(pg_current_snapshot())`

/**
 * Reads the next changes after a place. Changes of transactions above the oldest running one wait,
 * because rows may still appear before them. Therefore no change is ever skipped.
 */
export async function readChanges(database: Queryable, range: Range): Promise<Chunk> {
  const { concerning } = range
  if (typeof concerning !== 'function') {
    // One more than needed: the row in which the previous page ended is read again.
    const rows = range.limit + 1
    return readConcerns(database, range, { concerning, below: oldestRunning, rows })
  }
  // Must come first: a dataset that appears later has its first change above this place.
  const { xid: horizon } = await findEnd(database)
  const below = sql`${String(horizon + 1n)}::xid8`
  const { datasets, select } = await concerning()
  const wide = { ...range, datasets }
  const [row] = await database.texts(sql`
    with ${noting(wide, { below, rows: fewRowsAtOnce })}
    select to_json(array(select distinct dataset from noted))`)
  const selected = select(textsOf(JSON.parse(row?.[0] ?? '[]')))
  return readConcerns(database, wide, { concerning: selected, below, rows: fewRowsAtOnce })
}

type Reach = { readonly below: Sql; readonly rows: number }

/** Rows per dataset in a feed of many datasets. */
const fewRowsAtOnce = 100

function placeOf({ after }: Range): Sql {
  return sql`${String(after.xid)}::xid8, ${String(after.sequence)}::bigint`
}

/** SQL for the next rows of the datasets, in order. */
function noting(range: Range, { below, rows }: Reach): Sql {
  const isAfter = range.after.target === undefined ? sql`>` : sql`>=`
  return sql`
    merged as (
      select each.* from unnest(${range.datasets}::text[]) as followed (name) cross join lateral (
        select sequence, xid, time, dataset, id, before, after from change
        where dataset = followed.name and xid < ${below} and (xid, sequence) ${isAfter} (${placeOf(range)})
        order by xid, sequence limit ${rows}::bigint) as each),
    noted as materialized (select * from merged order by xid, sequence limit ${rows}::bigint)`
}

async function readConcerns(
  database: Queryable,
  range: Range,
  { concerning, below, rows: atOnce }: Reach & { readonly concerning: Sql },
): Promise<Chunk> {
  const { after, limit } = range
  const rows = await database.texts(sql`
    with ${noting(range, { below, rows: atOnce })},
    last as (select xid, sequence from noted order by xid desc, sequence desc limit 1),
    concerns as materialized (
      select * from (${concerning}) as concern
      where (saw or sees) and (concern.xid, concern.sequence, concern.target collate "C")
        > (${placeOf(range)}, ${after.target ?? ''} collate "C")
      order by xid, sequence, target collate "C" limit ${limit}::bigint)
    select ${below}, (select count(*) from noted), last.xid, last.sequence,
      concern.xid, concern.sequence, concern.target, key, (extract(epoch from time) * 1000)::bigint, saw, sees
    from (select) as one left join last on true left join concerns as concern on true
    order by concern.xid, concern.sequence, concern.target collate "C"`)
  const [horizon, count, xid, sequence] = rows[0] ?? []
  const concerns = rows.flatMap((row) => toConcern(row.slice(4)) ?? [])
  const isCut = concerns.length === limit
  return {
    concerns,
    last: isCut ? concerns.at(-1) : toPlace(xid, sequence),
    isFull: isCut || Number(count) === atOnce,
    horizon: BigInt(horizon ?? 0) - 1n,
  }
}

type Cell = string | null | undefined

function toPlace(xid: Cell, sequence: Cell): Place | undefined {
  const isThere = typeof xid === 'string' && typeof sequence === 'string'
  return isThere ? { xid: BigInt(xid), sequence: BigInt(sequence) } : undefined
}

function toConcern([xid, sequence, target, key, time, saw, sees]: readonly Cell[]):
  | Concern
  | undefined {
  const place = toPlace(xid, sequence)
  if (place === undefined || typeof target !== 'string' || typeof key !== 'string') return undefined
  return {
    ...place,
    target,
    key,
    time: new Date(Number(time)),
    saw: saw === 't',
    sees: sees === 't',
  }
}

/** Returns the place after everything that has been written and can be read. */
export async function findEnd(database: Queryable): Promise<Place> {
  const [row] = await database.texts(sql`select ${oldestRunning}`)
  return { xid: BigInt(row?.[0] ?? 0) - 1n, sequence: lastSequence }
}

/** Returns a version that changes with every readable change of these datasets. */
export async function versionOf(
  database: Queryable,
  datasets: readonly string[],
): Promise<string | undefined> {
  const [row] = await database.texts(sql`
    select string_agg(${versionOfDataset(sql`name`)}, ' ' order by name)
    from unnest(${datasets}::text[]) as one (name)`)
  return row?.[0] ?? undefined
}

/** Returns which of the datasets have changes after their given transaction. */
export async function changedSince(
  database: Queryable,
  since: ReadonlyMap<string, bigint>,
): Promise<readonly string[]> {
  const rows = await database.texts(sql`
    select name from unnest(${[...since.keys()]}::text[], ${[...since.values()].map(String)}::text[]) as one (name, since)
    where exists (
      select from change where dataset = name and xid > since::xid8 and xid < ${oldestRunning})`)
  return rows.flatMap(([name]) => name ?? [])
}

/**
 * Selects the `dataset` of all datasets with changes, and a null. Probes the index once for each.
 */
export const changedDatasets = sql`
  with recursive datasets as (
    (select dataset from change order by dataset limit 1)
    union all
    select (
      select next.dataset from change as next
      where next.dataset > datasets.dataset order by next.dataset limit 1)
    from datasets where datasets.dataset is not null)
  select dataset from datasets`

/** Rows that one statement examines. */
const atOnce = 10_000

/**
 * Deletes changes of transactions that started before a time, except the newest of each dataset.
 * Only one node does so at a time.
 * @returns the number of deleted changes; 0 when none is left to delete
 */
export async function pruneChanges(database: Queryable, before: Date): Promise<number> {
  const due = before.toISOString()
  const [row] = await database.texts(sql`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtext('pruning of changes')) as is_mine),
    oldest as materialized (
      select sequence, dataset, xid, time from change order by sequence limit ${atOnce}::bigint),
    old as (
      select sequence from oldest
      where time < ${due}::timestamptz and xid < ${oldestRunning} and (select is_mine from turn) and exists (
        select from change as newer
        where newer.dataset = oldest.dataset and newer.xid < ${oldestRunning}
          and (newer.xid, newer.sequence) > (oldest.xid, oldest.sequence))),
    gone as (
      delete from change using old where change.sequence = old.sequence returning true),
    noted as (
      update feed_epoch set pruned_before = greatest(pruned_before, ${due}::timestamptz)
      where exists (select from gone))
    select count(*) from gone`)
  return Number(row?.[0] ?? 0)
}

/** Returns the oldest running transaction, or undefined if none is running. */
export async function findOldestRunning(database: Queryable): Promise<string | undefined> {
  const [row] = await database.texts(sql`
    select case when ${oldestRunning} < pg_snapshot_xmax(pg_current_snapshot()) then ${oldestRunning}::text end`)
  return row?.[0] ?? undefined
}
