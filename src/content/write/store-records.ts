import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
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
  const { records, deletions } = write
  for (let from = 0; from < records.length; from += atOnce) {
    const [some, origins] = [records.slice(from, from + atOnce), originsOf(write, from)]
    await save(tx, { ...write, ...origins, records: some, deletions: [] }, sql`id`)
  }
  if (deletions.length > 0) await save(tx, { ...write, records: [] }, sql`id`)
  return records.length + deletions.length
}

/** Records of one statement: on their way to the database they are in memory several times. */
const atOnce = 250

function originsOf({ origins }: ContentWrite, from: number): Pick<ContentWrite, 'origins'> {
  return origins === undefined ? {} : { origins: origins.slice(from, from + atOnce) }
}

/** A record as it is stored now. */
export type SavedRecord = {
  readonly id: string
  /** JSON. */
  readonly data: string
  /** Changes with every save. */
  readonly revision: string
}

/** The same, for few records. @returns those that were written */
export function saveRecords(tx: Transaction, write: ContentWrite): Promise<readonly SavedRecord[]> {
  return save<SavedRecord>(tx, write, sql`id, data, xmin::text as revision`)
}

async function save<Saved extends { readonly id: string }>(
  tx: Transaction,
  write: ContentWrite,
  returned: Sql,
): Promise<readonly Saved[]> {
  const saved = write.records.length === 0 ? [] : await upsert<Saved>(tx, write, returned)
  const deleted = write.deletions.length === 0 ? [] : await remove(tx, write)
  const dataset = { area: 'content', dataset: write.entity.name } as const
  await recordChanges(tx, { ...dataset, kind: 'upsert', ids: saved.map(({ id }) => id) })
  await recordChanges(tx, { ...dataset, kind: 'delete', ids: deleted })
  return saved
}

async function upsert<Saved extends { readonly id: string }>(
  tx: Transaction,
  write: ContentWrite,
  returned: Sql,
): Promise<readonly Saved[]> {
  const lookups = await loadLookups(tx, write.entity, write.records)
  const saving = { ...write, lookups }
  const stored = write.records.map((record) => toStored(write.entity, record, saving))
  const received = write.received.toISOString()
  const rows = await tx.query<Saved>(sql`
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
    returning ${returned}`)
  const taken = new Set(rows.map(({ id }) => id))
  const origins = stored.map(({ id }, index) => [id, write.origins?.[index]] as const)
  await storeOrigins(tx, write.entity, new Map(origins.filter(([id]) => taken.has(id))))
  await registerSources(
    tx,
    write,
    stored.filter(({ id }) => taken.has(id)),
  )
  return rows
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
