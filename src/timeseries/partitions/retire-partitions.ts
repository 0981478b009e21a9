import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../errors/index.ts'
import type { ColdMonths } from '../cold/cold-months.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { isDistributed } from './distribute.ts'
import {
  archive,
  boundsOf,
  checkMonth,
  describeSpan,
  findUnnotified,
  listPartitions,
  loadSpan,
  lockMonths,
  lockMonthsSoon,
  markUnnotified,
  noteMonthChanged,
  outsideOf,
  startOf,
  tableOf,
} from './months.ts'
import type { Month, Partition } from './months.ts'
import { markMonthStale } from '../rollups/rollup-tables.ts'
import { noteMonths } from './note-months.ts'
import type { Operator } from './note-months.ts'

/**
 * Progress of detaching a month. `free`: nobody reads the table any more. `waiting`: reads that
 * started before still use it, or another month is being detached, because PostgreSQL detaches one
 * at a time. `busy`: nothing was started, because something else is working on the tables, such as
 * a vacuum.
 */
type Progress = 'free' | 'waiting' | 'busy'

/**
 * Detaches a month from `measurement` as far as possible now, without a lock that blocks reads or
 * writes. Readers lose it at the first step and are notified at once, not only when the table is
 * free.
 */
async function detachPartition(database: Database, partition: Partition): Promise<Progress> {
  if (partition.state === 'detached') return 'free'
  // `settle` detaches in its transaction: on a single session nobody reads meanwhile, and Citus
  // supports no other way.
  if (database.engine === 'embedded' || (await isDistributed(database))) return 'free'
  const { name } = partition
  const end = attempt(database, partition).then(
    () => ({ isFree: true }) as const,
    (error: unknown) => ({ isFree: false, error }) as const,
  )
  // If this fails, the mark stays: readers are notified below, or by the next run.
  await notifyMeanwhile(database, name, end).catch(() => undefined)
  const outcome = await end
  if (outcome.isFree) return 'free'
  const progress = await lookAfter(database, name, outcome.error)
  if (progress === 'waiting') await notifyIfGone(database, name)
  return progress
}

async function attempt(database: Database, { name, month, state }: Partition): Promise<void> {
  const table = identifier(name)
  if (state === 'detaching') {
    await database.execute(sql`alter table measurement detach partition ${table} finalize`)
    return
  }
  await markUnnotified(database, name)
  // This takes a while if there are many series.
  await database.transaction((tx) => markStaleIn(tx, month), { statementTimeout: 0 })
  await database.execute(sql`alter table measurement detach partition ${table} concurrently`)
}

/**
 * Marks the rollups of a month that leaves or returns as stale. If it leaves, they are rebuilt
 * after that: whoever sees these marks also sees the earlier one that the month leaves.
 */
async function markStaleIn(database: Queryable, month: Month | null): Promise<void> {
  if (month !== null) await markMonthStale(database, startOf(month))
}

/**
 * Finds out how far a failed attempt got. It exceeded the statement timeout, or another node has
 * done the same, or is doing it.
 * @throws the error if it has another cause
 */
async function lookAfter(database: Database, name: string, error: unknown): Promise<Progress> {
  const partitions = await listPartitions(database)
  const partition = partitions.find((one) => one.name === name)
  if (partition?.state === 'detaching') return 'waiting'
  if (partition?.state !== 'attached') return 'free'
  if (partitions.some(({ state }) => state === 'detaching')) return 'waiting'
  if (error instanceof AppError && error.code === 'HUB-SRV-003') return 'busy'
  throw error
}

/** Milliseconds between checks of a month that is leaving. */
const pause = 200

/**
 * Notifies readers as soon as the month is gone. PostgreSQL may wait long for reads that started
 * before, but for new reads the month is gone already.
 */
async function notifyMeanwhile(
  database: Database,
  name: string,
  end: Promise<unknown>,
): Promise<void> {
  for (;;) {
    const isOver = await Promise.race([end.then(() => true), setTimeout(pause, false)])
    if (isOver || (await notifyIfGone(database, name))) return
  }
}

/**
 * Notifies readers of a month that is no longer attached, unless this was done before.
 * @returns whether the month is gone from responses and readers are notified
 */
async function notifyIfGone(database: Database, name: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockMonthsSoon(tx)
    const found = (await listPartitions(tx)).find((one) => one.name === name)
    if (found?.state === 'attached') return false
    const isUnnotified = (await findUnnotified(tx)).has(name)
    if (isUnnotified) await noteMonthChanged(tx, name, 'delete')
    return true
  })
}

/**
 * What old months become: tables beside `measurement`, tables in the archive, nothing, or files
 * that are still read (`ColdMonths`).
 */
export const retirements = ['detach', 'move', 'drop', 'parquet'] as const
export type Retirement = (typeof retirements)[number]

export type Policy = {
  /** Months before this one are retired; undefined keeps all. */
  readonly firstKept: Month | undefined
  readonly retirement: Retirement
  readonly cold: ColdMonths
}

/** The part of a policy that determines what is due. */
type Due = Omit<Policy, 'cold'>

/** Result for a month. `waiting`, `busy`: not yet (see `Progress`); the next run continues. */
export type Retired = {
  readonly name: string
  readonly outcome: Retirement | Exclude<Progress, 'free'>
}

/** Lists what a run would retire now: first what was started before, then the oldest. */
export async function planRetirement(
  database: Queryable,
  policy: Due,
): Promise<readonly Partition[]> {
  const partitions = await listPartitions(database)
  const unnotified = await findUnnotified(database)
  // A previous run ended between its steps: the month is gone, but nobody was notified.
  const isLeftUnnotified = ({ name, state }: Partition) =>
    state === 'detached' && unnotified.has(name)
  const due = partitions.filter((one) => isDue(one, policy) || isLeftUnnotified(one))
  const isBegun = ({ state }: Partition) => state === 'detaching'
  return [...due.filter(isBegun), ...due.filter((one) => !isBegun(one))]
}

/**
 * Retires the months that are too old, the oldest first, and finishes what an earlier run could
 * not. Reads and writes continue meanwhile: PostgreSQL detaches in two steps and waits in between,
 * without a lock, for those that started before. It detaches one month at a time, so if one is held
 * up, the other attached months are, too. Values for these months are rejected from now on, so that
 * none is lost unnoticed. `latest` keeps its values. Runs at the same time do each step only once.
 */
export async function retirePartitions(
  database: Database,
  policy: Policy,
): Promise<readonly Retired[]> {
  await keepFrom(database, policy.firstKept)
  const retired: Retired[] = []
  let progress: Progress = 'free'
  for (const partition of await planRetirement(database, policy)) {
    const { name, month, state } = partition
    if (state === 'attached' && month !== null && policy.retirement === 'parquet') {
      await policy.cold.freeze(month)
      retired.push({ name, outcome: 'parquet' })
      continue
    }
    if (progress === 'free') progress = await detachPartition(database, partition)
    if (progress === 'free' || state === 'detached') {
      await settle(database, partition, policy)
      retired.push({ name, outcome: outcomeOf(partition, policy) })
    } else retired.push({ name, outcome: progress })
  }
  return retired
}

/**
 * Lists all months, each with what the next run does with it: `stays`, or the kind of retirement.
 */
export async function listWithPlan(database: Queryable, policy: Due) {
  const due = await planRetirement(database, policy)
  const names = new Set(due.map(({ name }) => name))
  return (await listPartitions(database)).map((partition) => ({
    ...partition,
    next: names.has(partition.name) ? policy.retirement : ('stays' as const),
  }))
}

/**
 * Retires months for an operator. The audit log records each month before the first step, so that
 * none leaves unnoticed.
 */
export async function retireBy(
  database: Database,
  policy: Policy,
  by: Operator,
): Promise<readonly Retired[]> {
  const tables = (await planRetirement(database, policy)).map(({ name }) => name)
  await noteMonths(database, { by, operation: 'Delete', tables, how: policy.retirement })
  return retirePartitions(database, policy)
}

/**
 * Reports whether a month is due. A detachment that was started is finished, regardless of the
 * current policy.
 */
function isDue({ month, state }: Partition, { firstKept, retirement }: Due): boolean {
  if (state === 'detaching') return true
  if (month === null || firstKept === undefined || month >= firstKept) return false
  return state === 'attached' || (state === 'detached' && !staying.includes(retirement))
}

/** Retirements that leave a detached table where it is. */
const staying: readonly Retirement[] = ['detach', 'parquet']

function outcomeOf({ month }: Partition, { firstKept, retirement }: Due): Retirement {
  const isOld = month !== null && firstKept !== undefined && month < firstKept
  return isOld && !staying.includes(retirement) ? retirement : 'detach'
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

/** Completes the retirement of a table that is free, in one transaction, and notifies readers. */
async function settle(database: Database, partition: Partition, policy: Policy): Promise<void> {
  const { name } = partition
  await database.transaction(async (tx) => {
    await lockMonthsSoon(tx)
    const found = (await listPartitions(tx)).find((one) => one.name === name)
    if (found === undefined || found.state === 'moved') return
    if (found.state !== 'detached') {
      await markStaleIn(tx, found.month)
      await tx.execute(sql`alter table measurement detach partition ${identifier(name)}`)
    }
    const isNews = partition.state !== 'detached' || (await findUnnotified(tx)).has(name)
    if (isNews) await noteMonthChanged(tx, name, 'delete')
    await putAway(tx, name, outcomeOf(partition, policy))
  })
}

async function putAway(tx: Transaction, name: string, retirement: Retirement): Promise<void> {
  const table = identifier(name)
  switch (retirement) {
    case 'detach':
    case 'parquet':
      return
    case 'drop':
      await tx.execute(sql`drop table ${table}`)
      return
    case 'move':
      await moveToArchive(tx, name)
  }
}

/** Moves a table that is not attached into the archive. */
export async function moveToArchive(tx: Transaction, name: string): Promise<void> {
  const schemas = await tx.query(sql`select from pg_namespace where nspname = ${archive.name}`)
  if (schemas.length === 0) await tx.execute(sql`create schema ${archive.identifier}`)
  await tx.execute(sql`alter table ${identifier(name)} set schema ${archive.identifier}`)
}

/**
 * Attaches a month that was detached or moved, or brings the values of a cold month back into its
 * table. Reads and writes continue meanwhile: PostgreSQL checks whether all values of the table
 * belong to the month before anybody has to wait for it. The audit log records who did it.
 * @param firstKept from the settings; undefined if everything is kept
 * @throws AppError HUB-OPR-001 for a month that is too old for these, outside of the span or
 *   already attached, HUB-RTE-003 if it has no table
 */
export async function attachPartition(
  database: Database,
  month: Month,
  { firstKept, cold, by }: Omit<Policy, 'retirement'> & { readonly by: Operator },
): Promise<void> {
  if (firstKept !== undefined && month < firstKept) {
    throw new AppError(
      'HUB-OPR-001',
      `${month} is older than what is kept (since ${firstKept}) and would be retired again. Set HUB_MEASUREMENT_KEEP_MONTHS first, for the hub, too.`,
    )
  }
  const settleWith = async (tx: Transaction) => {
    // Otherwise, after a retirement that went further than the settings, values of this month would
    // still be rejected.
    await keepFrom(tx, firstKept)
    await noteMonths(tx, { by, operation: 'Create', tables: [tableOf(month)], how: 'attach' })
  }
  const partitions = await listPartitions(database)
  if (partitions.some((one) => one.month === month && one.state === 'cold')) {
    await cold.attach(month, settleWith)
    return
  }
  await checkMonth(database, findFree(partitions, month), month)
  const { from, to } = boundsOf(month)
  const work = async (tx: Transaction) => {
    await lockMonths(tx)
    const span = await loadSpan(tx)
    if (month < span.first || month >= span.end) throw outsideOf(describeSpan(span))
    const partition = findFree(await listPartitions(tx), month)
    const table = identifier(partition.name)
    if (partition.state === 'moved') await bringBack(tx, table)
    await dropOldKey(tx, partition.name)
    await tx.execute(sql`
      alter table measurement attach partition ${table} for values from (${from}) to (${to})`)
    await markStaleIn(tx, month)
    await noteMonthChanged(tx, partition.name, 'upsert')
    await settleWith(tx)
  }
  await database.transaction(work, { statementTimeout: 0 })
}

function findFree(partitions: readonly Partition[], month: Month): Partition {
  const found = partitions.filter((partition) => partition.name === tableOf(month))
  const free = found.find(({ state }) => state === 'detached' || state === 'moved')
  const taken = found.find(({ state }) => state === 'attached' || state === 'detaching')
  if (taken !== undefined) throw new AppError('HUB-OPR-001', `${month} is ${taken.state} already.`)
  if (free !== undefined) return free
  const known = partitions.flatMap(({ month: other, state }) =>
    other !== null && isSetAside(state) ? [other] : [],
  )
  const hint =
    known.length === 0
      ? 'No month is detached, moved or cold.'
      : `Detached, moved or cold: ${known.join(', ')}.`
  throw new AppError('HUB-RTE-003', `There is no table of ${month}. ${hint}`)
}

function isSetAside(state: Partition['state']): boolean {
  return state === 'cold' || state === 'detached' || state === 'moved'
}

async function bringBack(tx: Transaction, table: Sql): Promise<void> {
  const [home] = await tx.query<{ name: string }>(sql`
    select nspname::text as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = 'measurement'::regclass`)
  const schema = identifier(home?.name ?? 'public')
  await tx.execute(sql`alter table ${archive.identifier}.${table} set schema ${schema}`)
}

/**
 * Drops the primary key of a month that was set aside before the primary key of measurements
 * changed. A table can't have two: PostgreSQL creates the current one as it attaches the month.
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
