import { identifier, sql } from '../../sql/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import { tableOf } from '../partitions/months.ts'
import type { Month } from '../partitions/months.ts'
import { inMonth } from './cold-rows.ts'
import { digestsOf, isSame } from './thaw-series.ts'

/** Seconds for which values stay in the table after they were needed: statements and transactions are far shorter. */
const usualHold = 600

/** Series that leave the table in one transaction. */
const evictedAtOnce = 100

/**
 * Removes values of cold months from the tables that nobody has needed for a while: first of all those of a month that
 * has become cold. They leave only if they are those of the file; a series that somebody has written to since then
 * belongs to the table again. Other nodes may do the same.
 */
export async function evictUnused(database: Database, hold = usualHold): Promise<void> {
  // Whoever found that the month takes values may still write them.
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
    // PostgreSQL does so by itself.
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
