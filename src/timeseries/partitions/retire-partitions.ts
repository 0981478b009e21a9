import { AppError } from '../../errors/index.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { archive } from './archive.ts'
import { listPartitions } from './list-partitions.ts'
import type { Partition } from './list-partitions.ts'
import { startOf } from './months.ts'
import type { Month } from './months.ts'
import { noteMonthChanged } from './note-month-changed.ts'

/** What becomes of old months: tables beside `measurement`, tables in the archive, or nothing. */
export const retirements = ['detach', 'move', 'drop'] as const
export type Retirement = (typeof retirements)[number]

export type Policy = {
  /** Older months are retired; undefined keeps all. */
  readonly firstKept: Month | undefined
  readonly retirement: Retirement
}

/** `waiting`: reads that began before still use it; the next run goes on. */
export type Retired = { readonly name: string; readonly outcome: Retirement | 'waiting' }

/** What a run would retire now. */
export async function planRetirement(
  database: Queryable,
  policy: Policy,
): Promise<readonly Partition[]> {
  return (await listPartitions(database)).filter((partition) => isDue(partition, policy))
}

/**
 * Takes the months that are too old out of `measurement`, the oldest first, and finishes what an earlier
 * run could not. Reads and writes go on meanwhile: PostgreSQL detaches in two steps and waits in between,
 * without a lock, for those that began before. Values for these months are refused from now on, so that
 * none is lost unseen. `latest` keeps what it has. Runs that meet do each step once.
 */
export async function retirePartitions(
  database: Database,
  policy: Policy,
): Promise<readonly Retired[]> {
  await keepFrom(database, policy.firstKept)
  const retired: Retired[] = []
  for (const partition of await planRetirement(database, policy)) {
    const { name } = partition
    const isFree = await detach(database, partition)
    if (isFree) await settle(database, partition, policy)
    retired.push({ name, outcome: isFree ? outcomeOf(partition, policy) : 'waiting' })
  }
  return retired
}

/** A detachment that was begun is finished, whatever the policy says today. */
function isDue({ month, state }: Partition, { firstKept, retirement }: Policy): boolean {
  if (state === 'detaching') return true
  if (month === null || firstKept === undefined || month >= firstKept) return false
  return state === 'attached' || (state === 'detached' && retirement !== 'detach')
}

function outcomeOf({ month }: Partition, { firstKept, retirement }: Policy): Retirement {
  const isOld = month !== null && firstKept !== undefined && month < firstKept
  return isOld ? retirement : 'detach'
}

async function keepFrom(database: Queryable, month: Month | undefined): Promise<void> {
  if (month === undefined) await database.execute(sql`delete from measurement_retention`)
  else {
    await database.execute(sql`
      insert into measurement_retention (kept_from) values (${startOf(month)}::timestamptz)
      on conflict (only_row) do update set kept_from = excluded.kept_from
      where measurement_retention.kept_from <> excluded.kept_from`)
  }
}

/** @returns whether the table is free; false while it is still read */
async function detach(database: Database, { name, state }: Partition): Promise<boolean> {
  if (state === 'detached') return true
  // One session: nobody reads while it works, and `settle` detaches in the transaction that it needs.
  if (database.engine === 'embedded') return true
  const table = identifier(name)
  try {
    await database.execute(
      state === 'detaching'
        ? sql`alter table measurement detach partition ${table} finalize`
        : sql`alter table measurement detach partition ${table} concurrently`,
    )
    return true
  } catch (error) {
    // The wait overran the time of a statement; what was begun stays begun.
    if (error instanceof AppError && error.code === 'HUB-SRV-003') return false
    return isDoneByOther(database, name, error)
  }
}

/** @throws the error, unless another node has just done, or is doing, the same */
async function isDoneByOther(database: Database, name: string, error: unknown): Promise<boolean> {
  const partition = (await listPartitions(database)).find((one) => one.name === name)
  if (partition?.state === 'attached') throw error
  return partition?.state !== 'detaching'
}

/** Milliseconds to wait for a lock on a table that nobody should use any more. */
const lockTimeout = '5000'

/** What is left to do with a table that is free, all at once; and readers are told of it. */
async function settle(database: Database, partition: Partition, policy: Policy): Promise<void> {
  const { name } = partition
  await database.transaction(async (tx) => {
    await tx.query(sql`select set_config('lock_timeout', ${lockTimeout}, true)`)
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('measurement partitions'))`)
    const found = (await listPartitions(tx)).find((one) => one.name === name)
    if (found === undefined || found.state === 'moved') return
    if (found.state !== 'detached') {
      await tx.execute(sql`alter table measurement detach partition ${identifier(name)}`)
    }
    await putAway(tx, name, outcomeOf(partition, policy))
    if (partition.state !== 'detached') await noteMonthChanged(tx, name, 'delete')
  })
}

async function putAway(tx: Transaction, name: string, retirement: Retirement): Promise<void> {
  const table = identifier(name)
  switch (retirement) {
    case 'detach':
      return
    case 'drop':
      await tx.execute(sql`drop table ${table}`)
      return
    case 'move': {
      const schemas = await tx.query(sql`select from pg_namespace where nspname = ${archive.name}`)
      if (schemas.length === 0) await tx.execute(sql`create schema ${archive.identifier}`)
      await tx.execute(sql`alter table ${table} set schema ${archive.identifier}`)
    }
  }
}
