import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'

/** Everything up to this place in the order of changes has been read. */
export type Place = { readonly xid: bigint; readonly sequence: bigint }

/** Behind every row of a transaction. */
export const lastSequence = 9_223_372_036_854_775_807n

/** A change of one record. */
export type Concern = Place & {
  readonly time: Date
  readonly key: string
  readonly target: string | null
  /** Whether the caller could see the record before this change, as far as that was noted. */
  readonly seen: boolean
  /** Undefined where it was not noted. */
  readonly fresh: boolean | undefined
}

export type Chunk = {
  readonly concerns: readonly Concern[]
  /** The last row that was looked at; undefined for none. */
  readonly last: Place | undefined
  readonly isFull: boolean
  /** All transactions up to this one have ended. */
  readonly horizon: bigint
}

type Wanted = {
  readonly datasets: readonly string[]
  readonly concerning: Sql
  readonly after: Place
  readonly limit: number
}

/** Below it, every transaction has ended: its rows are there, or never will be. */
const oldestRunning = sql`pg_snapshot_xmin(pg_current_snapshot())`

/**
 * The next changes after a place. Those of transactions that are above the oldest running one wait, because
 * rows may yet appear before them: so nothing is ever skipped.
 */
export async function readChanges(database: Queryable, wanted: Wanted): Promise<Chunk> {
  const { datasets, concerning, after, limit } = wanted
  const rows = await database.texts(sql`
    with merged as (
      select each.* from unnest(${datasets}::text[]) as wanted (name) cross join lateral (
        select sequence, xid, time, dataset, id, kind, former from change
        where dataset = wanted.name and xid < ${oldestRunning}
          and (xid, sequence) > (${String(after.xid)}::xid8, ${String(after.sequence)}::bigint)
        order by xid, sequence limit ${limit}::bigint) as each),
    noted as materialized (select * from merged order by xid, sequence limit ${limit}::bigint),
    last as (select xid, sequence from noted order by xid desc, sequence desc limit 1)
    select ${oldestRunning}, (select count(*) from noted), last.xid, last.sequence,
      concern.sequence, concern.xid, (extract(epoch from concern.time) * 1000)::bigint, key, target, seen, fresh
    from (select) as one left join last on true left join (${concerning}) as concern on true
    order by concern.xid, concern.sequence`)
  const [horizon, count, xid, sequence] = rows[0] ?? []
  return {
    concerns: rows.flatMap((row) => toConcern(row.slice(4)) ?? []),
    last: toPlace(xid, sequence),
    isFull: Number(count) === limit,
    horizon: BigInt(horizon ?? 0) - 1n,
  }
}

type Cell = string | null | undefined

function toPlace(xid: Cell, sequence: Cell): Place | undefined {
  const isThere = typeof xid === 'string' && typeof sequence === 'string'
  return isThere ? { xid: BigInt(xid), sequence: BigInt(sequence) } : undefined
}

function toConcern(row: readonly Cell[]): Concern | undefined {
  const [sequence, xid, time, key, target = null, seen, fresh] = row
  const place = toPlace(xid, sequence)
  if (place === undefined || typeof key !== 'string') return undefined
  return {
    ...place,
    time: new Date(Number(time)),
    key,
    target,
    seen: seen === 't',
    fresh: typeof fresh === 'string' ? fresh === 't' : undefined,
  }
}

/** Behind all that has been written and can be read. */
export async function findEnd(database: Queryable): Promise<Place> {
  const [row] = await database.texts(sql`select ${oldestRunning}`)
  return { xid: BigInt(row?.[0] ?? 0) - 1n, sequence: lastSequence }
}

/** Whether changes after this place are gone, or the place is not of this database. */
export async function isLost(
  database: Queryable,
  datasets: readonly string[],
  { xid }: Place,
): Promise<boolean> {
  const [row] = await database.texts(sql`
    select ${String(xid)}::xid8 >= pg_snapshot_xmax(pg_current_snapshot())
      or exists (
        select from change_pruned
        where dataset = any(${datasets}::text[]) and xid >= ${String(xid)}::xid8)`)
  return row?.[0] === 't'
}

/** Which of these datasets have changes from a transaction on. */
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

/** Rows that one statement deletes. */
const atOnce = 10_000

/**
 * Deletes changes that are older than a time; the newest of each dataset stays, because versions and readers that
 * have read all need it.
 * @returns how many; there may be more to delete
 */
export function pruneChanges(database: Queryable, before: Date): Promise<number> {
  return database.execute(sql`
    with old as (
      select sequence from change as one
      where time < ${before.toISOString()} and xid < ${oldestRunning} and exists (
        select from change as newer
        where newer.dataset = one.dataset and newer.xid > one.xid and newer.xid < ${oldestRunning})
      order by sequence limit ${atOnce}),
    gone as (
      delete from change using old where change.sequence = old.sequence
      returning change.dataset, change.xid),
    noted as (
      insert into change_pruned (dataset, xid)
      select dataset, (array_agg(xid order by xid desc))[1] from gone group by dataset
      on conflict (dataset) do update set xid = greatest(change_pruned.xid, excluded.xid))
    select from gone`)
}

/** Seconds for which the oldest running transaction has held back the feeds. */
export async function heldBack(database: Queryable): Promise<number> {
  const [row] = await database.texts(sql`
    select extract(epoch from max(clock_timestamp() - xact_start))
    from pg_stat_activity where backend_xid is not null and datname = current_database()`)
  return Number(row?.[0] ?? 0)
}
