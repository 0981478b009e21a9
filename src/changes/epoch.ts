import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Secrets, Transaction } from '../storage/index.ts'
import { changedDatasets } from './order.ts'

/** What all offsets that are valid have in common. */
export type Epoch = {
  readonly epoch: string
  readonly secret: Buffer
  /** Changes of transactions that began before may be gone. */
  readonly prunedBefore: Date
}

/**
 * Reads the epoch. In another place than the one it was made in (a restored backup, a server that took
 * over from another one) transactions may be numbered again: all offsets given so far become void, and
 * changes that seem to be of transactions still to come are counted as of now.
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
  // As many changes as there are; nobody waits for it but the start.
  await database.transaction(work, { statementTimeout: 0 })
}

/** Makes all offsets given so far void. */
export const beginEpoch: Sql = sql`update feed_epoch set epoch = gen_random_uuid()`

async function placeOf(database: Database): Promise<string> {
  const [row] = await database.texts(sql`
    select left(pg_walfile_name(pg_current_wal_lsn()), 8), 'feed_epoch'::regclass::oid,
      (select oid from pg_database where datname = current_database()),
      has_function_privilege('pg_control_system()', 'execute')`)
  const [timeline, table, name, mayAsk] = row ?? []
  // Some providers of databases keep it to themselves.
  const [server] =
    mayAsk === 't'
      ? await database.texts(sql`select system_identifier from pg_control_system()`)
      : []
  return [server?.[0] ?? '', timeline, name, table].join(' ')
}
