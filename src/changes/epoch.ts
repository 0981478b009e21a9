import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'

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
export async function loadEpoch(database: Database): Promise<Epoch> {
  const place = await placeOf(database)
  return database.transaction(async (tx) => {
    const moved = await tx.execute(sql`
      update feed_epoch set place = ${place}, epoch = case when place is null then epoch else gen_random_uuid() end
      where place is distinct from ${place}`)
    if (moved > 0) {
      await tx.execute(sql`
        update change set xid = default where exists (
          select from change where xid >= pg_snapshot_xmax(pg_current_snapshot()))`)
    }
    const [row] = await tx.texts(sql`
      select epoch, encode(secret, 'hex'), greatest(0, extract(epoch from pruned_before) * 1000)::bigint
      from feed_epoch`)
    const [epoch, secret, prunedBefore] = row ?? []
    return {
      epoch: epoch ?? '',
      secret: Buffer.from(secret ?? '', 'hex'),
      prunedBefore: new Date(Number(prunedBefore)),
    }
  })
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
