import { sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import { loadLookups } from './generated/index.ts'
import { registerSources } from './register-sources.ts'
import { forgetOrigins, storeOrigins } from './store-origins.ts'
import type { Origin } from './store-origins.ts'
import { toStored } from './to-stored.ts'
import type { ContentRecord } from './to-stored.ts'

/** A set of records of one entity from one message. No Id comes twice. */
export type ContentWrite = {
  readonly entity: Entity
  readonly records: readonly ContentRecord[]
  readonly deletions: readonly string[]
  /** When the message was received: an older message never overwrites a younger one (decision D53). */
  readonly received: Date
  /** Provider of the stream: the source of records that name none. */
  readonly provider: string
  /** Where each of the records comes from, in their order; absent when that is not kept. */
  readonly origins?: readonly Origin[]
}

/**
 * Upserts and deletes set-wise.
 * @returns how many records were taken, also those that changed nothing because the hub knew better
 */
export async function storeRecords(tx: Transaction, write: ContentWrite): Promise<number> {
  const upserted = write.records.length === 0 ? [] : await upsert(tx, write)
  const deleted = write.deletions.length === 0 ? [] : await remove(tx, write)
  const dataset = { area: 'content', dataset: write.entity.name } as const
  await recordChanges(tx, { ...dataset, kind: 'upsert', ids: upserted })
  await recordChanges(tx, { ...dataset, kind: 'delete', ids: deleted })
  return write.records.length + write.deletions.length
}

async function upsert(tx: Transaction, write: ContentWrite): Promise<readonly string[]> {
  const lookups = await loadLookups(tx, write.entity, write.records)
  const saving = { ...write, lookups }
  const stored = write.records.map((record) => toStored(write.entity, record, saving))
  const received = write.received.toISOString()
  const rows = await tx.query<{ id: string }>(sql`
    insert into ${tableOf(write.entity)} as known (id, data, received)
    select id, data::jsonb, ${received}::timestamptz
    from unnest(
      ${stored.map(({ id }) => id)}::text[],
      ${stored.map(({ data }) => JSON.stringify(data))}::text[]) as sent (id, data)
    where not exists (
      select from content_tombstone
      where entity = ${write.entity.type} and content_tombstone.id = sent.id
        and content_tombstone.received > ${received})
    on conflict (id) do update
      set data = content_merge(known.data, excluded.data, ${received}), received = excluded.received
      where known.received <= excluded.received
    returning id`)
  const taken = new Set(rows.map(({ id }) => id))
  const origins = stored.map(({ id }, index) => [id, write.origins?.[index]] as const)
  await storeOrigins(tx, write.entity, new Map(origins.filter(([id]) => taken.has(id))))
  await registerSources(
    tx,
    write,
    stored.filter(({ id }) => taken.has(id)),
  )
  return [...taken]
}

async function remove(tx: Transaction, write: ContentWrite): Promise<readonly string[]> {
  const ids = [...new Set(write.deletions.map((id) => toEntityId(write.entity, id)))]
  const received = write.received.toISOString()
  await tx.execute(sql`
    insert into content_tombstone (entity, id, received)
    select ${write.entity.type}, id, ${received} from unnest(${ids}::text[]) as id
    on conflict (entity, id) do update
      set received = greatest(content_tombstone.received, excluded.received)`)
  const rows = await tx.query<{ id: string }>(sql`
    delete from ${tableOf(write.entity)}
    where id = any(${ids}) and received <= ${received}
    returning id`)
  const removed = rows.map(({ id }) => id)
  await forgetOrigins(tx, write.entity, removed)
  return removed
}
