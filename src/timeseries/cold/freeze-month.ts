import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors/index.ts'
import { writeMeasured } from '../../exports/index.ts'
import { sql } from '../../sql/index.ts'
import type { Database, Queryable, TextRow, Transaction } from '../../storage/index.ts'
import { listPartitions, lockMonthsSoon } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'
import {
  checksOf,
  digest,
  fileColumns,
  inMonth,
  instantOf,
  printFile,
  rowReader,
  windowSize,
} from './cold-rows.ts'
import type { ColdFile, ColdStore } from './cold-rows.ts'

type Deps = { readonly database: Database; readonly store: ColdStore }

const unlimited = { statementTimeout: 0 }

/**
 * Writes a month to a file, reads it back, compares it with the table and makes the month cold. Its values stay in the
 * table until no read or write that began before can need them, and `evictUnused` compares them once more: so whatever
 * ends this, and whoever writes meanwhile, nothing is lost. Two nodes may do the same; one of them comes first.
 * @throws AppError HUB-OPR-001 where the file differs from the table
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
    await store.put(path, { name, format: 'parquet', bytes, sha256, count })
    try {
      const found = await countInFile({ database, store }, file)
      if (print(found) !== print(series)) throw differing(month)
    } catch (error) {
      await store.remove(name)
      throw error
    }
    if (!(await database.transaction((tx) => register(tx, file, series)))) await store.remove(name)
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

/** Rows that one statement reads. */
const pageSize = 20_000

/** What is written meanwhile may be missing: then the file differs from the table. */
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

/** What a table or a file has of a series. */
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

/** Counts by the way that the values come back to the table, from the store to the database. */
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

/** @returns whether nobody else did it before */
async function register(
  tx: Transaction,
  file: Written,
  series: readonly CountInTable[],
): Promise<boolean> {
  await lockMonthsSoon(tx)
  const found = (await listPartitions(tx)).find(({ month }) => month === file.month)
  if (found?.state !== 'attached') return false
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
  return true
}
