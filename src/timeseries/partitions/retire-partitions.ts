import { identifier, sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { archive } from './archive.ts'
import { detachPartition } from './detach-partition.ts'
import type { Progress } from './detach-partition.ts'
import { listPartitions } from './list-partitions.ts'
import type { Partition } from './list-partitions.ts'
import { lockMonthsSoon } from './lock-months.ts'
import { startOf } from './months.ts'
import type { Month } from './months.ts'
import { findUntold, noteMonthChanged } from './note-month-changed.ts'

/** What becomes of old months: tables beside `measurement`, tables in the archive, or nothing. */
export const retirements = ['detach', 'move', 'drop'] as const
export type Retirement = (typeof retirements)[number]

export type Policy = {
  /** Older months are retired; undefined keeps all. */
  readonly firstKept: Month | undefined
  readonly retirement: Retirement
}

/** `waiting`, `busy`: not yet, see `Progress`; the next run goes on. */
export type Retired = {
  readonly name: string
  readonly outcome: Retirement | Exclude<Progress, 'free'>
}

/** What a run would retire now: first what was begun, then the oldest. */
export async function planRetirement(
  database: Queryable,
  policy: Policy,
): Promise<readonly Partition[]> {
  const partitions = await listPartitions(database)
  const untold = await findUntold(database)
  // A run ended between its steps: its month is gone from answers, and nobody was told.
  const isLeftUntold = ({ name, state }: Partition) => state === 'detached' && untold.has(name)
  const due = partitions.filter((one) => isDue(one, policy) || isLeftUntold(one))
  const isBegun = ({ state }: Partition) => state === 'detaching'
  return [...due.filter(isBegun), ...due.filter((one) => !isBegun(one))]
}

/**
 * Takes the months that are too old out of `measurement`, the oldest first, and finishes what an earlier
 * run could not. Reads and writes go on meanwhile: PostgreSQL detaches in two steps and waits in between,
 * without a lock, for those that began before. It lets one month go at a time, so where one is held up, the
 * others that are attached are too. Values for these months are refused from now on, so that none is lost
 * unseen. `latest` keeps what it has. Runs that meet do each step once.
 */
export async function retirePartitions(
  database: Database,
  policy: Policy,
): Promise<readonly Retired[]> {
  await keepFrom(database, policy.firstKept)
  const retired: Retired[] = []
  let progress: Progress = 'free'
  for (const partition of await planRetirement(database, policy)) {
    const { name, state } = partition
    if (progress === 'free') progress = await detachPartition(database, partition)
    if (progress === 'free' || state === 'detached') {
      await settle(database, partition, policy)
      retired.push({ name, outcome: outcomeOf(partition, policy) })
    } else retired.push({ name, outcome: progress })
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

/** What is left to do with a table that is free, all at once; and readers are told of it. */
async function settle(database: Database, partition: Partition, policy: Policy): Promise<void> {
  const { name } = partition
  await database.transaction(async (tx) => {
    await lockMonthsSoon(tx)
    const found = (await listPartitions(tx)).find((one) => one.name === name)
    if (found === undefined || found.state === 'moved') return
    if (found.state !== 'detached') {
      await tx.execute(sql`alter table measurement detach partition ${identifier(name)}`)
    }
    const isNews = partition.state !== 'detached' || (await findUntold(tx)).has(name)
    if (isNews) await noteMonthChanged(tx, name, 'delete')
    await putAway(tx, name, outcomeOf(partition, policy))
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
