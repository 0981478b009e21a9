import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Secrets, Transaction } from '../storage/index.ts'
import { changedDatasets } from './order.ts'

/** Common to all offsets that are valid at present. */
export type Epoch = {
  readonly epoch: string
  readonly secret: Buffer
  /** Changes of transactions that started before this time may have been deleted. */
  readonly prunedBefore: Date
}

/**
 * Reads the epoch. If the database is no longer in the place where the epoch was made (a restored
 * backup, a standby that took over), transaction ids may repeat: all earlier offsets become
 * invalid, and if a change has an id in the future, all are assigned to the current transaction.
 */
export async function loadEpoch(database: Database, secrets: Secrets): Promise<Epoch> {
  const place = await placeOf(database)
  const [known] = await database.texts(sql`select place from feed_epoch`)
  if (known?.[0] !== place) await moveTo(database, place)
  const [row] = await database.texts(sql`
    select epoch, secret, greatest(0, extract(epoch from pruned_before) * 1000)::bigint
    from feed_epoch`)
  const [epoch, secret, prunedBefore] = row ?? []
  return {
    epoch: epoch ?? '',
    secret: Buffer.from(secrets.open(secret ?? ''), 'hex'),
    prunedBefore: new Date(Number(prunedBefore)),
  }
}

async function moveTo(database: Database, place: string): Promise<void> {
  const work = async (tx: Transaction) => {
    const [row] = await tx.texts(sql`select place from feed_epoch for update`)
    const from = row?.[0] ?? null
    if (from === place) return
    await tx.execute(sql`update feed_epoch set place = ${place}`)
    if (from === null) return
    await tx.execute(beginEpoch)
    const [ahead] = await tx.texts(sql`
      select exists (
        select from change
        where change.dataset = datasets.dataset and xid >= pg_snapshot_xmax(pg_current_snapshot()))
      from (${changedDatasets}) as datasets order by 1 desc limit 1`)
    if (ahead?.[0] === 't') await tx.execute(sql`update change set xid = default`)
  }
  // May update every change, so it has no time limit. Only the start of the hub waits for it.
  await database.transaction(work, { statementTimeout: 0 })
}

/** Invalidates all earlier offsets. */
export const beginEpoch: Sql = sql`update feed_epoch set epoch = gen_random_uuid()`

async function placeOf(database: Database): Promise<string> {
  const [row] = await database.texts(sql`
    select left(pg_walfile_name(pg_current_wal_lsn()), 8), 'feed_epoch'::regclass::oid,
      (select oid from pg_database where datname = current_database()),
      has_function_privilege('pg_control_system()', 'execute')`)
  const [timeline, table, name, mayAsk] = row ?? []
  // Some hosting providers do not allow this function.
  const [server] =
    mayAsk === 't'
      ? await database.texts(sql`select system_identifier from pg_control_system()`)
      : []
  return [server?.[0] ?? '', timeline, name, table].join(' ')
}
