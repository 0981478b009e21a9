import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import { archive } from './archive.ts'
import { boundsOf, checkMonth } from './check-month.ts'
import { listPartitions } from './list-partitions.ts'
import type { Partition } from './list-partitions.ts'
import { lockMonths } from './lock-months.ts'
import { tableOf } from './months.ts'
import type { Month } from './months.ts'
import { noteMonthChanged } from './note-month-changed.ts'

/**
 * Puts a month that was detached or moved back among those that are read. Reads and writes go on
 * meanwhile; PostgreSQL looks through the table for what does not belong to the month, before anybody has
 * to wait for it.
 * @param firstKept from the settings; undefined where everything is kept
 * @throws Error for a month that is too old for these, is there already, or has no table
 */
export async function attachPartition(
  database: Database,
  month: Month,
  firstKept: Month | undefined,
): Promise<void> {
  if (firstKept !== undefined && month < firstKept) {
    throw new Error(
      `${month} is older than what is kept (since ${firstKept}) and would be retired again. Set HUB_MEASUREMENT_KEEP_MONTHS first, for the hub, too.`,
    )
  }
  await checkMonth(database, findFree(await listPartitions(database), month), month)
  const { from, to } = boundsOf(month)
  const work = async (tx: Transaction) => {
    await lockMonths(tx)
    const partition = findFree(await listPartitions(tx), month)
    const table = identifier(partition.name)
    if (partition.state === 'moved') await bringBack(tx, table)
    await dropOldKey(tx, partition.name)
    await tx.execute(sql`
      alter table measurement attach partition ${table} for values from (${from}) to (${to})`)
    await noteMonthChanged(tx, partition.name, 'upsert')
  }
  await database.transaction(work, { statementTimeout: 0 })
}

function findFree(partitions: readonly Partition[], month: Month): Partition {
  const found = partitions.filter((partition) => partition.name === tableOf(month))
  const free = found.find(({ state }) => state === 'detached' || state === 'moved')
  const taken = found.find(({ state }) => state === 'attached' || state === 'detaching')
  if (taken !== undefined) throw new Error(`${month} is ${taken.state} already.`)
  if (free !== undefined) return free
  const known = partitions.flatMap(({ month: other, state }) =>
    other !== null && (state === 'detached' || state === 'moved') ? [other] : [],
  )
  const hint = known.length === 0 ? 'No month is set aside.' : `Set aside are ${known.join(', ')}.`
  throw new Error(`There is no table of ${month}. ${hint}`)
}

async function bringBack(tx: Transaction, table: Sql): Promise<void> {
  const [home] = await tx.query<{ name: string }>(sql`
    select nspname::text as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = 'measurement'::regclass`)
  const schema = identifier(home?.name ?? 'public')
  await tx.execute(sql`alter table ${archive.identifier}.${table} set schema ${schema}`)
}

/**
 * A month that was set aside before the primary key of measurements changed has the old one, and a table
 * can't have two: PostgreSQL makes the present one as it attaches the month.
 */
async function dropOldKey(tx: Transaction, table: string): Promise<void> {
  const old = await tx.query<{ name: string }>(sql`
    select old.conname::text as name from pg_constraint as old, pg_constraint as present
    where old.conrelid = ${table}::regclass and old.contype = 'p'
      and present.conrelid = 'measurement'::regclass and present.contype = 'p'
      and pg_get_constraintdef(old.oid) <> pg_get_constraintdef(present.oid)`)
  for (const { name } of old)
    await tx.execute(sql`alter table ${identifier(table)} drop constraint ${identifier(name)}`)
}
