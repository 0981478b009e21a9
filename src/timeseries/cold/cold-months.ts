import { AppError } from '../../errors/index.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { isDistributed } from '../partitions/distribute.ts'
import { next, startOf, tableOf } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'
import { inMonth, rowReader, unreadable } from './cold-rows.ts'
import type { ColdFile, ColdStore } from './cold-rows.ts'
import { digestsOf, freezeMonth, isSame, removeLeftovers, thawer } from './thaw-series.ts'

export type ColdRange = { readonly from: string; readonly to: string }

/** Values of cold months that a request may need. */
export type ColdSelection = {
  /** SQL that selects ids of series. */
  readonly series: Sql
  /** ISO 8601: the first moment that is read and the first one that is not. */
  readonly range: ColdRange
  /**
   * If rollups are used: returns the ranges whose values themselves are read. In the rest of the
   * range, only values with stale rollups are needed. If undefined, all values of the range are
   * needed.
   */
  readonly values?: () => Promise<readonly ColdRange[]>
  /** Maximum number of values of each series, at least one, if only the newest are read. */
  readonly newest?: number
}

/**
 * Cold months, whose values are stored in one Parquet file each (docs/operation.md). There is no
 * second way to read values: before a statement runs, the series that it may need are brought back
 * from the file into the table of the month, which stayed attached, and they stay there while they
 * are used. So conditions, access rules, buckets and all formats are the same SQL for all months. A
 * series is always brought back for the whole month: one mark per series then states what the table
 * has, and a month of a series is few values.
 */
export type ColdMonths = {
  /**
   * Brings the values that a request needs back into the table.
   * @throws AppError HUB-QRY-001 if they are too many, HUB-SRV-009 if a file cannot be read
   */
  readonly ensure: (selection: ColdSelection) => Promise<void>
  /**
   * Returns `reads` with a call of `ensure` before each statement, because a response may be read
   * for longer than its values stay.
   */
  readonly guard: (reads: Queryable, selection: ColdSelection) => Queryable
  /**
   * Returns the earliest time at which cold months may have values of some series in a range, in
   * epoch milliseconds; undefined if there are none.
   */
  readonly earliest: (series: Sql, range: ColdRange) => Promise<number | undefined>
  /** Removes values that were not needed for a while from tables, and files without a month. */
  readonly evict: () => Promise<void>
  /**
   * Makes a month cold.
   * @throws AppError HUB-OPR-001 if no place for files is set, if measurements are distributed, or
   *   if the file differs from the table
   */
  readonly freeze: (month: Month) => Promise<void>
  /**
   * Brings back all values of a month, and deletes the record of its file.
   * @param then called in the transaction that deletes the record
   */
  readonly attach: (month: Month, then: (tx: Transaction) => Promise<void>) => Promise<void>
}

/**
 * Milliseconds for which the list of cold months and the presence of values are cached: far less
 * than values stay.
 */
const patience = 30_000

/** Default of `most`: about ten seconds of work. */
const maxRows = 1_000_000

type Deps = {
  readonly database: Database
  /** Undefined if no place for files is set. */
  readonly store: ColdStore | undefined
  /** Maximum number of values that one request may bring back. */
  readonly most?: number
}

export function openColdMonths({ database, store, most = maxRows }: Deps): ColdMonths {
  const months = rememberMonths(database)
  const read = store === undefined ? readNothing : rowReader(store)
  const thaw = thawer({ database, read })
  const filesIn = async (range: ColdRange) =>
    (await months()).filter(({ month }) => isTouched(month, range))
  const ensure: ColdMonths['ensure'] = async ({ range, values, ...selection }) => {
    const files = await filesIn(range)
    if (files.length === 0) return
    const ranges = (await values?.()) ?? [range]
    const isRolled = ({ month }: ColdFile) => !ranges.some((one) => isTouched(month, one))
    await thaw({ ...selection, files, isRolled, most, stay: 0 })
  }
  return {
    ensure,
    earliest: async (series, range) => {
      const files = await filesIn(range)
      return files.length === 0 ? undefined : findEarliest(database.read, series, range)
    },
    guard: (reads, selection) => guarded(reads, () => ensure(selection)),
    freeze: async (month) => {
      if (store === undefined) throw new AppError('HUB-OPR-001', noPlace)
      if (await isDistributed(database)) throw new AppError('HUB-OPR-001', distributed)
      await freezeMonth({ database, store }, month)
    },
    evict: async () => {
      await evictUnused(database)
      if (store !== undefined) await removeLeftovers({ database, store })
    },
    attach: async (month, then) => {
      const files = await loadFiles(database, month)
      const series = sql`select series_id from cold_series where month = ${month}`
      await thaw({ files, series, most: Number.POSITIVE_INFINITY, stay: oneDay })
      await database.transaction((tx) => forget(tx, month, then))
    },
  }
}

const noPlace =
  'There is no place for the files of cold months. Set HUB_COLD_PLACE, the same on all nodes.'

const distributed =
  'Months of measurements that are distributed over several machines cannot become cold. Retire them in another way.'

function readNothing({ month }: ColdFile): Promise<never> {
  return Promise.reject(unreadable(month, new Error(noPlace)))
}

/**
 * Seconds for which the values of a whole month stay, because bringing them back may take hours.
 */
const oneDay = 86_400

/**
 * Returns a function that calls `ensure` again if the last call was too long ago. What `ensure`
 * brings back must stay for at least `patience`.
 */
export function renewed(ensure: () => Promise<void>): () => Promise<void> {
  let until = 0
  return async () => {
    if (performance.now() < until) return
    await ensure()
    until = performance.now() + patience
  }
}

/** Returns `reads` with a call of `ensure` before each statement, unless one was made recently. */
function guarded(reads: Queryable, ensure: () => Promise<void>): Queryable {
  const before = renewed(ensure)
  return {
    query: async (statement) => {
      await before()
      return reads.query(statement)
    },
    texts: async (statement) => {
      await before()
      return reads.texts(statement)
    },
    execute: async (statement) => {
      await before()
      return reads.execute(statement)
    },
  }
}

/**
 * Returns a function that loads the cold months and caches them. Months that became cold a moment
 * ago are read as before, because their values are still in the table.
 */
function rememberMonths(database: Database): () => Promise<readonly ColdFile[]> {
  let known: { readonly files: readonly ColdFile[]; readonly until: number } | undefined
  return async () => {
    if (known !== undefined && performance.now() < known.until) return known.files
    const files = await loadFiles(database.read)
    known = { files, until: performance.now() + patience }
    return files
  }
}

async function loadFiles(database: Queryable, month?: Month): Promise<readonly ColdFile[]> {
  const rows = await database.texts(sql`
    select month, file, bytes, array_to_string(checks, ' ') from cold_month
    where ${month ?? null}::text is null or month = ${month ?? null} order by month`)
  return rows.map(([name, file, bytes, checks]) => ({
    ...{ month: name ?? '', file: file ?? '', bytes: Number(bytes) },
    checks: (checks ?? '').split(' ').map(Number),
  }))
}

/**
 * Finds the earliest time at which cold months may have values in a range. If the first value of a
 * month is before the range, it is the start of the range, and the first value in the range may be
 * later.
 */
async function findEarliest(
  database: Queryable,
  series: Sql,
  { from, to }: ColdRange,
): Promise<number | undefined> {
  const [row] = await database.texts(sql`
    select floor(extract(epoch from greatest(min(first_time), ${from}::timestamptz)) * 1000)::text
    from cold_series
    where series_id in (${series}) and last_time >= ${from}::timestamptz
      and first_time < ${to}::timestamptz`)
  return row?.[0] ? Number(row[0]) : undefined
}

function isTouched(month: Month, { from, to }: ColdRange): boolean {
  const [start, end] = [startOf(month), startOf(next(month))].map((time) => Date.parse(time))
  return Date.parse(from) < (end ?? 0) && (start ?? 0) < Date.parse(to)
}

/**
 * Deletes the record of a cold month, all of whose values must be in the table. Its file is removed
 * a day later.
 */
async function forget(
  tx: Transaction,
  month: Month,
  then: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await then(tx)
  const gone = await tx.query<{ isAway: boolean }>(sql`
    with gone as (delete from cold_series where month = ${month} returning used is null as "isAway")
    select distinct "isAway" from gone`)
  if (gone.some(({ isAway }) => isAway)) {
    throw new AppError('HUB-OPR-001', `Values of ${month} have left the table again. Try again.`)
  }
  await tx.execute(sql`
    with gone as (delete from cold_month where month = ${month} returning file)
    insert into cold_leftover (file) select file from gone`)
}

/**
 * Seconds for which values stay in the table after they were needed: statements and transactions
 * are far shorter.
 */
const defaultHold = 600

/** Maximum number of series that leave the table in one transaction. */
const evictedAtOnce = 100

/**
 * Removes values of cold months from the tables if they have not been needed for a while, above all
 * the values of a month that has just become cold. They are removed only if they equal those of the
 * file: a series that was written to since then belongs to the table again. Other nodes may do the
 * same at the same time.
 */
export async function evictUnused(database: Database, hold = defaultHold): Promise<void> {
  // A transaction that started before a month became cold may still write values to it.
  const months = await database.texts(sql`
    select month from cold_month where not exists (
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start < registered)
    order by month`)
  for (const [month = ''] of months) {
    let isSmaller = false
    const evict = (tx: Transaction) => evictSome(tx, month ?? '', hold)
    for (let count = evictedAtOnce; count === evictedAtOnce;) {
      count = await database.transaction(evict, { statementTimeout: 0 })
      isSmaller ||= count > 0
    }
    // PostgreSQL vacuums automatically; the embedded database does not.
    if (isSmaller && database.engine === 'embedded') {
      await database.execute(sql`vacuum ${identifier(tableOf(month ?? ''))}`)
    }
  }
}

async function evictSome(tx: Transaction, month: Month, hold: number): Promise<number> {
  const unused = await tx.query<{ id: number }>(sql`
    select series_id as id from cold_series
    where month = ${month} and used < now() - ${hold}::integer * interval '1 second'
    order by series_id limit ${evictedAtOnce} for update`)
  const ids = unused.map(({ id }) => id)
  if (ids.length === 0) return 0
  const same = await tx.query<{ id: number }>(sql`
    update cold_series set used = null from (${digestsOf(month, ids)}) as found
    where ${isSame(month)} returning found.id`)
  await tx.execute(sql`
    delete from measurement
    where ${inMonth(month)} and series_id = any(${same.map(({ id }) => id)}::integer[])`)
  await tx.execute(sql`
    delete from cold_series
    where month = ${month} and series_id = any(${ids}::integer[]) and used is not null`)
  return ids.length
}
