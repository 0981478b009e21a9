import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createLimit } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, TextRow, Transaction } from '../../storage/index.ts'
import { listPartitions, lockMonthsSoon } from '../partitions/months.ts'
import { refreshMonth } from '../rollups/keep-rollups.ts'
import type { Month } from '../partitions/months.ts'
import {
  checksOf,
  digest,
  fileColumns,
  inMonth,
  instantOf,
  printFile,
  rowReader,
  unreadable,
  valueColumns,
  windowSize,
} from './cold-rows.ts'
import type { ColdFile, ColdStore, ReadRows } from './cold-rows.ts'
import { writeMeasured } from '../../exports/index.ts'

type Source = { readonly database: Database; readonly read: ReadRows }

/** Values that must be in the table. */
type NeededValues = {
  readonly files: readonly ColdFile[]
  /**
   * Reports whether, of a file, only series with stale rollups are needed. If undefined, all are.
   */
  readonly isRolled?: (file: ColdFile) => boolean
  /** SQL that selects ids of series. */
  readonly series: Sql
  /** Number of newest values of each series that are needed; undefined for all. */
  readonly newest?: number
  /** Maximum number of values that may be brought back. */
  readonly most: number
  /** Seconds for which the values stay in addition to the usual time. */
  readonly stay: number
}

/** Maximum number of transactions on a node that bring back values at the same time. */
const atOnce = 2

/**
 * Returns a function that brings series of cold months from their files back into the table.
 * @throws AppError HUB-QRY-001, from that function, if they are too many, HUB-SRV-009 if a file
 *   cannot be read
 */
export function thawer(source: Source): (wanted: NeededValues) => Promise<void> {
  const limit = createLimit({ places: atOnce })
  return async (wanted) => {
    const { files, most, stay } = wanted
    // Repeat until nothing is due, because values that were present a moment ago may have left.
    for (let due; (due = await findDue(source.database, wanted)).length > 0;) {
      const away = due.filter(({ isAway }) => isAway)
      assertFew(away, most)
      await touch(source.database, due, stay)
      for (const file of files) {
        const ofFile = away.filter(({ month }) => month === file.month)
        for (const chunk of chunksOf(ofFile)) {
          await limit.run(() => thawChunk(source, file, { chunk, stay }))
        }
      }
    }
  }
}

/**
 * Values of a series in a month that are only in the file (`isAway`), or that have not been used
 * for a while.
 */
type Due = {
  readonly month: Month
  readonly series: number
  readonly firstRow: number
  readonly rows: number
  readonly isAway: boolean
}

async function findDue(
  database: Queryable,
  { files, isRolled = () => false, series, newest, stay }: NeededValues,
): Promise<readonly Due[]> {
  const monthsOf = (some: readonly ColdFile[]) => some.map(({ month }) => month)
  const rows = await database.texts(sql`
    select month, series_id, first_row, rows, used is null from cold_series
    where month = any(${monthsOf(files)}::text[]) and series_id in (${series})
      and (month <> all(${monthsOf(files.filter(isRolled))}::text[]) or ${isStale})
      and (used is null or used < now() + ${stay - 60}::integer * interval '1 second')
      and ${newest === undefined ? sql`true` : lacksNewer(newest)}
    order by month, series_id`)
  return rows.map(([month, id, firstRow, count, isAway]) => ({
    ...{ month: month ?? '', series: Number(id), firstRow: Number(firstRow), rows: Number(count) },
    isAway: isAway === 't',
  }))
}

const isStale = sql`exists (
  select from rollup_stale
  where rollup_stale.series_id = cold_series.series_id
    and to_char(day at time zone 'UTC', 'YYYY-MM') = month)`

/**
 * Returns a condition: whether the table has fewer than `count` values that are newer than those of
 * the file. Otherwise, those of the file are not among the newest.
 */
function lacksNewer(count: number): Sql {
  return sql`not exists (
    select from measurement
    where measurement.series_id = cold_series.series_id and valid_time > last_time
    offset ${count - 1}::bigint limit 1)`
}

function assertFew(away: readonly Due[], most: number): void {
  const count = away.reduce((sum, { rows }) => sum + rows, 0)
  if (count <= most) return
  const months = [...new Set(away.map(({ month }) => month))].join(', ')
  throw new AppError(
    'HUB-QRY-001',
    `This needs ${count.toLocaleString('en')} values of cold months (${months}), which are in files; one request can read ${most.toLocaleString('en')} of them.`,
    { hint: 'Request fewer series (data types, stations in where), or a shorter range.' },
  )
}

/**
 * Makes values that are in the table stay there. Series that have just left are found by the next
 * call of `findDue`.
 */
async function touch(database: Queryable, due: readonly Due[], stay: number): Promise<void> {
  const there = due.filter(({ isAway }) => !isAway)
  if (there.length === 0) return
  await database.execute(sql`
    update cold_series set used = now() + ${stay}::integer * interval '1 second'
    from (
      select series_id, month from cold_series
      where used is not null and (series_id, month) in (
        select * from unnest(
          ${there.map(({ series }) => series)}::integer[],
          ${there.map(({ month }) => month)}::text[]))
      order by series_id, month for update) as there
    where cold_series.series_id = there.series_id and cold_series.month = there.month`)
}

/** Yields groups of series that are close together in a file, to be brought back together. */
function* chunksOf(series: readonly Due[]): Generator<readonly Due[]> {
  let chunk: Due[] = []
  for (const one of series) {
    const start = chunk[0]?.firstRow ?? one.firstRow
    if (one.firstRow + one.rows - start > windowSize && chunk.length > 0) {
      yield chunk
      chunk = []
    }
    chunk.push(one)
  }
  if (chunk.length > 0) yield chunk
}

type Thawing = { readonly chunk: readonly Due[]; readonly stay: number }

/**
 * Brings back a group of series. Their values and the mark that they are present appear at once,
 * and only if the values equal those that were written.
 */
async function thawChunk(
  { database, read }: Source,
  file: ColdFile,
  { chunk, stay }: Thawing,
): Promise<void> {
  const { month } = file
  const [first, last] = [chunk[0], chunk.at(-1)]
  if (first === undefined || last === undefined) return
  await database.transaction(async (tx) => {
    const away = await tx.query<{ id: number }>(sql`
      select series_id as id from cold_series
      where month = ${month} and series_id = any(${chunk.map(({ series }) => series)}::integer[])
        and used is null
      order by series_id for update`)
    const ids = away.map(({ id }) => id)
    const end = last.firstRow + last.rows
    // No ids remain if another request has brought back the same series.
    for (let from = first.firstRow; from < end && ids.length > 0; from += windowSize) {
      const rows = await read(file, { from, to: Math.min(from + windowSize, end) })
      await tx.execute(sql`
        insert into measurement (${valueColumns})
        select ${valueColumns} from ${rows} where series_id = any(${ids}::integer[])`)
    }
    const whole = await tx.execute(sql`
      update cold_series set used = now() + ${stay}::integer * interval '1 second'
      from (${digestsOf(month, ids)}) as found where ${isSame(month)}`)
    if (whole < ids.length) throw unreadable(month)
  })
}

/**
 * Returns SQL for the count and digest of the values of series that the table has in a month, to be
 * joined as `found`.
 */
export function digestsOf(month: Month, ids: readonly number[]): Sql {
  return sql`
    select series_id as id, count(*) as count, ${digest} as digest from measurement
    where ${inMonth(month)} and series_id = any(${ids}::integer[]) group by series_id`
}

/** Returns the condition that `found` equals what the file has. */
export const isSame = (month: Month) => sql`
  cold_series.month = ${month} and cold_series.series_id = found.id
  and cold_series.rows = found.count and cold_series.digest = found.digest`

type Deps = { readonly database: Database; readonly store: ColdStore }

/** Removes a file if it is recorded as a leftover: then no month has it, or ever will. */
function removeLeftover({ database, store }: Deps, file: string): Promise<void> {
  return database.transaction(async (tx) => {
    const noted = await tx.execute(sql`delete from cold_leftover where file = ${file}`)
    if (noted > 0) await store.remove(file)
  })
}

/**
 * Removes files that killed processes left, and files of months that were attached again. This
 * waits for a day: by then, writers of files have finished, and no failover brings the month back
 * as it was. A file that cannot be removed is tried again by the next run.
 * @throws Error the first one, after all files were tried
 */
export async function removeLeftovers(deps: Deps): Promise<void> {
  const before = sql`now() - interval '24 hours'`
  const left = await deps.database.query<{ file: string }>(sql`
    select file from cold_leftover where since < ${before} order by file`)
  const errors: unknown[] = []
  for (const { file } of left) {
    await removeLeftover(deps, file).catch((error: unknown) => errors.push(error))
  }
  const [day] = await deps.database.query<{ before: number }>(sql`
    select extract(epoch from ${before})::float8 * 1000 as before`)
  if (day !== undefined) await deps.store.removeUnfinished(new Date(day.before))
  if (errors.length > 0) throw errors[0]
}

const unlimited = { statementTimeout: 0 }

/**
 * Writes a month to a file, reads it back, compares it with the table and makes the month cold. Its
 * values stay in the table until no read or write that started before can need them, and
 * `evictUnused` compares them once more, so nothing is lost wherever the process ends and whatever
 * is written meanwhile. Two nodes may do the same at once; one of them comes first.
 * @throws AppError HUB-OPR-001 if the file differs from the table
 */
export async function freezeMonth({ database, store }: Deps, month: Month): Promise<void> {
  const folder = await store.openWorkFolder()
  try {
    const path = join(folder, 'month.parquet')
    const { bytes, sha256 } = await writeMeasured(path, async (meter) => {
      const file = createWriteStream(path, { flush: true })
      await pipeline(printFile(pagesOf(database, month)), meter, file)
    })
    const checks = await checksOf(path)
    const series = await database.transaction((tx) => countSeries(tx, month), unlimited)
    const count = series.reduce((sum, { rows }) => sum + rows, 0)
    const name = `${month}-${randomBytes(6).toString('hex')}.parquet`
    const file = { month, file: name, bytes, sha256, checks, rows: count }
    // A leftover until the month has it. Recorded before it exists, so that it is not forgotten.
    await database.execute(sql`insert into cold_leftover (file) values (${name})`)
    await store.put(path, { name, format: 'parquet', bytes, sha256, count })
    try {
      const found = await countInFile({ database, store }, file)
      if (print(found) !== print(series)) throw differing(month)
      // A series that changes unrecorded from here on stays in the table, where a rebuild finds it.
      await refreshMonth(database, month)
      await database.transaction((tx) => register(tx, file, series))
    } finally {
      // If this fails, the run of the next day removes the file.
      await removeLeftover({ database, store }, name).catch(() => undefined)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function differing(month: Month): AppError {
  return new AppError(
    'HUB-OPR-001',
    `The file of ${month} does not hold what its table holds, so the month stays as it was. Values were written meanwhile, or the storage is faulty. Retire it again.`,
  )
}

/** Number of rows that one statement reads. */
const pageSize = 20_000

/**
 * Yields the values of a month in pages. Values that are written meanwhile may be missing; the file
 * then differs from the table.
 */
async function* pagesOf(database: Queryable, month: Month): AsyncGenerator<readonly TextRow[]> {
  let after = sql`true`
  for (;;) {
    const rows = await database.texts(sql`
      select ${fileColumns} from measurement where ${inMonth(month)} and ${after}
      order by measurement.series_id, measurement.valid_time limit ${pageSize}`)
    const [series, time] = rows.at(-1) ?? []
    if (series !== undefined) yield rows
    if (rows.length < pageSize) return
    after = sql`(series_id, valid_time) > (${series}::integer, ${instantOf(sql`${time}::bigint`)})`
  }
}

/** Count and digest of the values of a series in a table or a file. */
type Count = { readonly series: number; readonly rows: number; readonly digest: bigint }

type CountInTable = Count & { readonly first: string; readonly last: string }

function print(counts: readonly Count[]): string {
  return counts.map(({ series, rows, digest: sum }) => [series, rows, sum].join(' ')).join('\n')
}

async function countSeries(tx: Queryable, month: Month): Promise<readonly CountInTable[]> {
  const rows = await tx.texts(sql`
    select series_id, count(*), ${digest}, min(valid_time), max(valid_time)
    from measurement where ${inMonth(month)} group by series_id order by series_id`)
  return rows.map(([series, count, sum, first, last]) => ({
    ...{ series: Number(series), rows: Number(count), digest: BigInt(sum ?? 0) },
    ...{ first: first ?? '', last: last ?? '' },
  }))
}

type Written = ColdFile & { readonly sha256: string; readonly rows: number }

/** Counts the values of a file on their way back to the table: from the store to the database. */
async function countInFile({ database, store }: Deps, file: Written): Promise<readonly Count[]> {
  const read = rowReader(store)
  const counts = new Map<number, Count>()
  for (let from = 0; from < file.rows; from += windowSize) {
    const rows = await read(file, { from, to: Math.min(from + windowSize, file.rows) })
    const found = await database.texts(sql`
      select series_id, count(*), ${digest} from ${rows} group by series_id order by series_id`)
    for (const [id, count, sum] of found) {
      const series = Number(id)
      const known = counts.get(series)
      counts.set(series, {
        series,
        rows: (known?.rows ?? 0) + Number(count),
        digest: (known?.digest ?? 0n) + BigInt(sum ?? 0),
      })
    }
  }
  return [...counts.values()]
}

/** Makes the month cold, unless another process did so before. */
async function register(
  tx: Transaction,
  file: Written,
  series: readonly CountInTable[],
): Promise<void> {
  await lockMonthsSoon(tx)
  const found = (await listPartitions(tx)).find(({ month }) => month === file.month)
  if (found?.state !== 'attached') return
  const noted = await tx.execute(sql`
    delete from cold_leftover where file = ${file.file} and since > now() - interval '12 hours'`)
  if (noted === 0)
    throw new Error(`Making ${file.month} cold took so long that its file may be gone`)
  await tx.execute(sql`
    insert into cold_month (month, file, bytes, sha256, checks, rows)
    values (${file.month}, ${file.file}, ${file.bytes}, ${file.sha256},
      ${file.checks}::bigint[], ${file.rows})`)
  let row = 0
  const firsts = series.map(({ rows }) => (row += rows) - rows)
  await tx.execute(sql`
    insert into cold_series
      (month, series_id, first_row, rows, digest, first_time, last_time, used)
    select ${file.month}, found.*, now() from unnest(
      ${series.map((one) => one.series)}::integer[],
      ${firsts}::bigint[],
      ${series.map(({ rows }) => rows)}::integer[],
      ${series.map((one) => String(one.digest))}::numeric[],
      ${series.map(({ first }) => first)}::timestamptz[],
      ${series.map(({ last }) => last)}::timestamptz[]) as found`)
}
