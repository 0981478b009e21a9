import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { isDistributed } from '../partitions/distribute.ts'
import { next, startOf } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'
import { rowReader, unreadable } from './cold-rows.ts'
import type { ColdFile, ColdStore } from './cold-rows.ts'
import { evictUnused } from './evict-unused.ts'
import { freezeMonth } from './freeze-month.ts'
import { thawer } from './thaw-series.ts'

/** What a read may need of cold months. */
export type ColdSelection = {
  /** Selects ids of series. */
  readonly series: Sql
  /** ISO 8601, the first moment and the first one that is not read. */
  readonly range: { readonly from: string; readonly to: string }
  /** So many of the newest values of each series at most, if only those are read; one or more. */
  readonly newest?: number
}

/**
 * Cold months: their values lie in a Parquet file each (docs/operation.md). There is no second way to read values.
 * Before a statement reads, the series that it may need come back from the file into the table of the month, which
 * stayed attached, and there they stay while they are used. So conditions, access rules, buckets and every format are
 * the same SQL for all months. A series comes as a whole for the month: what is there is then one mark for each, and a
 * month of a series is few values.
 */
export type ColdMonths = {
  /**
   * Brings what a read needs into the table.
   * @throws AppError HUB-QRY-001 where that is too much, HUB-SRV-009 where a file cannot be read
   */
  readonly ensure: (selection: ColdSelection) => Promise<void>
  /** Does that before each statement: an answer may be read for longer than its values would stay. */
  readonly guard: (reads: Queryable, selection: ColdSelection) => Queryable
  /** Removes from the tables what nobody has needed for a while. */
  readonly evict: () => Promise<void>
  /** Makes a month cold. @throws AppError HUB-OPR-001 where no place for files is set */
  readonly freeze: (month: Month) => Promise<void>
  /** Brings back all of a month, and forgets its file. @param then what is done in the same transaction */
  readonly attach: (month: Month, then: (tx: Transaction) => Promise<void>) => Promise<void>
}

/** Milliseconds for which it is known which months are cold, and that values are there: far less than values stay. */
const patience = 30_000

/** Some ten seconds. */
const mostRows = 1_000_000

type Deps = {
  readonly database: Database
  /** Undefined where no place for files is set. */
  readonly store: ColdStore | undefined
  /** Values that one read may bring back. */
  readonly most?: number
}

export function openColdMonths({ database, store, most = mostRows }: Deps): ColdMonths {
  const months = rememberMonths(database)
  const read = store === undefined ? readNothing : rowReader(store)
  const thaw = thawer({ database, read })
  const ensure: ColdMonths['ensure'] = async ({ range, ...selection }) => {
    const files = (await months()).filter(({ month }) => isTouched(month, range))
    if (files.length > 0) await thaw({ ...selection, files, most, stay: 0 })
  }
  return {
    ensure,
    guard: (reads, selection) => guarded(reads, () => ensure(selection)),
    freeze: async (month) => {
      if (store === undefined) throw new AppError('HUB-OPR-001', noPlace)
      if (await isDistributed(database)) throw new AppError('HUB-OPR-001', distributed)
      await freezeMonth({ database, store }, month)
    },
    evict: () => evictUnused(database),
    attach: async (month, then) => {
      const files = await loadFiles(database, month)
      const series = sql`select series_id from cold_series where month = ${month}`
      await thaw({ files, series, most: Number.POSITIVE_INFINITY, stay: oneDay })
      await database.transaction((tx) => forget(tx, month, then))
      for (const { file } of files) await store?.remove(file)
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

/** Seconds. All of a month may take hours. */
const oneDay = 86_400

/** `read`: with all its statements, each of which has its values for `patience` at least. */
function guarded(reads: Queryable, ensure: () => Promise<void>): Queryable {
  let until = 0
  const before = async () => {
    if (performance.now() < until) return
    await ensure()
    until = performance.now() + patience
  }
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

/** Months that became cold a moment ago are read as they were: their values are still in the table. */
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

function isTouched(month: Month, { from, to }: ColdSelection['range']): boolean {
  const [start, end] = [startOf(month), startOf(next(month))].map((time) => Date.parse(time))
  return Date.parse(from) < (end ?? 0) && (start ?? 0) <= Date.parse(to)
}

/** All values of the month have to be in the table. */
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
  await tx.execute(sql`delete from cold_month where month = ${month}`)
}
