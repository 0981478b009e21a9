import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../errors/index.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { listPartitions } from './list-partitions.ts'
import type { Partition } from './list-partitions.ts'
import { lockMonthsSoon } from './lock-months.ts'
import { findUntold, markUntold, noteMonthChanged } from './note-month-changed.ts'

/**
 * `free`: nobody reads the table any more. `waiting`: reads that began before still use it, or another
 * month that leaves: PostgreSQL lets one go at a time. `busy`: nothing was begun, because something else
 * works on the tables, such as a vacuum.
 */
export type Progress = 'free' | 'waiting' | 'busy'

/**
 * Takes a month out of `measurement` as far as that goes now, without a lock that stops reads or writes.
 * Readers lose it at the first step and are told of that at once, not only when the table is free.
 */
export async function detachPartition(database: Database, partition: Partition): Promise<Progress> {
  if (partition.state === 'detached') return 'free'
  // One session: nobody reads while it works, and who settles detaches in the same transaction.
  if (database.engine === 'embedded') return 'free'
  const { name } = partition
  const end = attempt(database, partition).then(
    () => ({ isFree: true }) as const,
    (error: unknown) => ({ isFree: false, error }) as const,
  )
  // If that fails, the mark stays: readers are told below, or by the next run.
  await tellMeanwhile(database, name, end).catch(() => undefined)
  const outcome = await end
  if (outcome.isFree) return 'free'
  const progress = await lookAfter(database, name, outcome.error)
  if (progress === 'waiting') await tellIfGone(database, name)
  return progress
}

async function attempt(database: Database, { name, state }: Partition): Promise<void> {
  const table = identifier(name)
  if (state === 'detaching') {
    await database.execute(sql`alter table measurement detach partition ${table} finalize`)
    return
  }
  await markUntold(database, name)
  await database.execute(sql`alter table measurement detach partition ${table} concurrently`)
}

/**
 * What an attempt that failed left behind: it overran the time of a statement, or another node has just
 * done, or is doing, the same.
 * @throws the error, if it is none of this
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

/** Milliseconds between looks at a month that leaves. */
const pause = 200

/** While PostgreSQL waits for reads, which may take long, the month is gone for new ones already. */
async function tellMeanwhile(
  database: Database,
  name: string,
  end: Promise<unknown>,
): Promise<void> {
  for (;;) {
    const isOver = await Promise.race([end.then(() => true), setTimeout(pause, false)])
    if (isOver || (await tellIfGone(database, name))) return
  }
}

/** @returns whether the month is gone from answers, and readers are told */
async function tellIfGone(database: Database, name: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockMonthsSoon(tx)
    const found = (await listPartitions(tx)).find((one) => one.name === name)
    if (found?.state === 'attached') return false
    const isUntold = (await findUntold(tx)).has(name)
    if (isUntold) await noteMonthChanged(tx, name, 'delete')
    return true
  })
}
