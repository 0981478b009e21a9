import { AppError } from '../../errors/index.ts'
import { identifier, literal, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { area, measurementsOf, pastOf } from '../datasets.ts'

const name = 'measurement_archive'

/** Schema that tables of old months are moved to. */
export const archive = { name, identifier: identifier(name) }

/** A month in UTC such as `2026-11`, which is what one partition holds. */
export type Month = string

/** Pattern of the text of a month. Settings determine which months have tables. */
export const monthPattern = String.raw`^[12]\d{3}-(0[1-9]|1[0-2])$`

/** Returns the month that is `offset` months after the month of a moment. */
export function monthOf(moment: Date, offset = 0): Month {
  const start = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + offset))
  return start.toISOString().slice(0, 7)
}

/** Returns the months from `first` to `last`, both included. */
export function monthsBetween(first: Month, last: Month): readonly Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = next(month)) months.push(month)
  return months
}

export function next(month: Month): Month {
  return monthOf(new Date(startOf(month)), 1)
}

function previous(month: Month): Month {
  return monthOf(new Date(startOf(month)), -1)
}

/** Returns the start of a month in ISO 8601. */
export function startOf(month: Month): string {
  return `${month}-01T00:00:00Z`
}

/** Returns the name of the table that holds a month. */
export function tableOf(month: Month): string {
  return `measurement_${month.replace('-', '_')}`
}

/**
 * Months that have tables of their own. One table holds everything before them, and another one
 * everything after them.
 */
export type Span = {
  readonly first: Month
  /** First month after the span. */
  readonly end: Month
}

/** Loads the current span from the database. */
export async function loadSpan(database: Queryable): Promise<Span> {
  const [span] = await database.query<Span>(
    sql`select first_month as first, end_month as end from measurement_span`,
  )
  if (span === undefined) throw new Error('measurement_span has no row')
  return span
}

/** Formats a span for messages: `1996-01 to 2028-12`. */
export function describeSpan({ first, end }: Span): string {
  return `${first} to ${previous(end)}`
}

/** Returns the error for a month outside of the span that needs a table. */
export function outsideOf(span: string): AppError {
  return new AppError(
    'HUB-OPR-001',
    `Only the months ${span} have tables of their own. Change HUB_MEASUREMENT_YEARS_BACK or HUB_MEASUREMENT_YEARS_AHEAD and start the hub for more.`,
  )
}

/**
 * Returns the first month that is kept, so that the current month and the last `keepMonths` whole
 * months are.
 * @param keepMonths 0 keeps everything; the result is then undefined
 */
export function firstKept(keepMonths: number, now: Date): Month | undefined {
  return keepMonths === 0 ? undefined : monthOf(now, -keepMonths)
}

/**
 * State of a partition. `attached`: read and written. `cold`: read, but its values are in a file.
 * `detaching`: no longer read, but reads that started before may still use it. `detached`: a
 * separate table beside `measurement`. `moved`: a separate table in the archive.
 */
export type PartitionState = 'attached' | 'cold' | 'detaching' | 'detached' | 'moved'

export type Partition = {
  readonly name: string
  /** Null for the two outer tables, before and after the months that have tables of their own. */
  readonly month: Month | null
  readonly state: PartitionState
  /** Last estimate of PostgreSQL; null if none. For a cold month, the exact number in the file. */
  readonly rows: number | null
  /** Size of the table with its indexes. */
  readonly bytes: number
}

/** Lists all tables that hold measurements, the oldest first. */
export async function listPartitions(database: Queryable): Promise<readonly Partition[]> {
  const rows = await database.query<{
    name: string
    month: Month | null
    state: PartitionState
    rows: string
    bytes: string
  }>(sql`
    select
      relname::text as name,
      replace(substring(relname from '\\d{4}_\\d\\d$'), '_', '-') as month,
      case
        when inhdetachpending then 'detaching'
        when inhrelid is not null then 'attached'
        when relnamespace = to_regnamespace(${archive.name}) then 'moved'
        else 'detached'
      end as state,
      floor(reltuples)::bigint::text as rows,
      pg_total_relation_size(pg_class.oid)::text as bytes
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relkind = 'r' and relname ~ '^measurement_(\\d{4}_\\d\\d|before|after)$'
      and relnamespace in (
        (select relnamespace from pg_class where oid = 'measurement'::regclass),
        to_regnamespace(${archive.name}))
    order by relname <> 'measurement_before', month nulls last, state`)
  const cold = await loadColdRows(database)
  return rows.map(({ rows: estimate, bytes, state, ...partition }) => {
    const inFile = state === 'attached' ? cold.get(partition.name) : undefined
    return {
      ...partition,
      state: inFile === undefined ? state : 'cold',
      rows: inFile ?? (Number(estimate) < 0 ? null : Number(estimate)),
      bytes: Number(bytes),
    }
  })
}

/**
 * Loads the number of rows of cold months, by the name of their tables. A backup may be made of a
 * database that does not have the table of cold months yet.
 */
async function loadColdRows(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const known = await database.query(sql`select where to_regclass('cold_month') is not null`)
  if (known.length === 0) return new Map()
  const months = await database.texts(sql`select month, rows from cold_month`)
  return new Map(months.map(([month, rows]) => [tableOf(month ?? ''), Number(rows)]))
}

/**
 * Adds a validated constraint that a table holds only values of its month, unless there is one.
 * Otherwise PostgreSQL would check this while it attaches the table, and processes that create
 * other months would wait. A table that was detached concurrently has such a constraint; one that
 * was detached in one step has none.
 * @throws DatabaseError (check_violation) if a value is outside of the month
 */
export async function checkMonth(
  database: Database,
  { name, state }: Partition,
  month: Month,
): Promise<void> {
  const isMoved = state === 'moved'
  const table = isMoved ? sql`${archive.identifier}.${identifier(name)}` : identifier(name)
  const known = await database.query<{ name: string; isValid: boolean }>(sql`
    select conname::text as name, convalidated as "isValid" from pg_constraint
    join pg_attribute on attrelid = conrelid and conkey = array[attnum]
    where contype = 'c' and attname = 'valid_time'
      and conrelid = to_regclass(${isMoved ? `${archive.name}.${name}` : name})`)
  if (known.some(({ isValid }) => isValid)) return
  const constraint = identifier(known[0]?.name ?? 'within_month')
  if (known.length === 0) {
    const { from, to } = boundsOf(month)
    await database.execute(sql`
      alter table ${table} add constraint ${constraint}
      check (valid_time >= ${from} and valid_time < ${to}) not valid`)
  }
  await database.transaction(
    (tx) => tx.execute(sql`alter table ${table} validate constraint ${constraint}`),
    { statementTimeout: 0 },
  )
}

/**
 * Returns the start of a month and of the next one as literals, because bounds of partitions accept
 * no parameters.
 */
export function boundsOf(month: Month): { readonly from: Sql; readonly to: Sql } {
  return { from: literal(instantOf(month)), to: literal(instantOf(next(month))) }
}

/** Returns the start of a month in the basic format of ISO 8601. */
export function instantOf(month: Month): string {
  return `${month.replace('-', '')}01T000000Z`
}

/**
 * Takes a lock until the end of the transaction. Only one process at a time creates, retires or
 * attaches months.
 */
export async function lockMonths(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('measurement partitions'))`)
}

/** Milliseconds to wait for a lock on a table that should no longer be in use. */
const lockTimeout = '5000'

/** Takes the lock of `lockMonths` for short work that gives up if it has to wait for others. */
export async function lockMonthsSoon(tx: Transaction): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${lockTimeout}, true)`)
  await lockMonths(tx)
}

/**
 * Comment on a table that is about to leave `measurement`, until readers are notified. It is
 * written before the first step, because the month disappears from responses when that step
 * commits. If the process ends after that, a later run finds that readers were not notified.
 */
const unnotified = literal('hub.leaves.untold')

/** Records that readers have to be notified of a month that is about to leave. */
export async function markUnnotified(database: Queryable, table: string): Promise<void> {
  await database.execute(sql`comment on table ${identifier(table)} is ${unnotified}`)
}

/**
 * Finds the tables that `markUnnotified` marked. Marked tables that are attached have not left yet.
 */
export async function findUnnotified(database: Queryable): Promise<ReadonlySet<string>> {
  const tables = await database.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relkind = 'r' and obj_description(pg_class.oid, 'pg_class') = ${unnotified}
      and relname like 'measurement\\_%'
      and relnamespace = (select relnamespace from pg_class where oid = 'measurement'::regclass)`)
  return new Set(tables.map(({ name }) => name))
}

/** Records under an id, in every dataset of values, that any value may have changed. */
export async function noteAllValues(
  tx: Transaction,
  id: string,
  kind: 'upsert' | 'delete',
): Promise<void> {
  const types = await tx.query<{ type: string }>(sql`select type from station_types() as type`)
  for (const { type } of types) {
    for (const dataset of [measurementsOf(type), pastOf(type)])
      await recordChanges(tx, { area, dataset, kind, ids: [id] })
  }
}

/** Records that a month was added or removed. Recording it twice does no harm. */
export async function noteMonthChanged(
  tx: Transaction,
  table: string,
  kind: 'upsert' | 'delete',
): Promise<void> {
  await noteAllValues(tx, table, kind)
  const isMarked = (await findUnnotified(tx)).has(table)
  if (isMarked) await tx.execute(sql`comment on table ${identifier(table)} is null`)
}
