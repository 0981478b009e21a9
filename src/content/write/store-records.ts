import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { noteChanges, recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import { loadLookups } from './generated/index.ts'
import { newSources, registerSources, usedSources } from './register-sources.ts'
import { forgetOrigins, storeOrigins } from './store-origins.ts'
import type { Origin } from './store-origins.ts'
import { toStored } from './to-stored.ts'
import type { ContentRecord, StoredRecord } from './to-stored.ts'

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

async function save<Row extends { readonly id: string }>(
  tx: Transaction,
  write: ContentWrite,
  returned: Sql,
): Promise<readonly Row[]> {
  const saved = write.records.length === 0 ? [] : await upsert<Row>(tx, write, returned)
  const deleted = write.deletions.length === 0 ? [] : await remove(tx, write)
  await recordChanges(tx, { ...datasetOf(write), kind: 'delete', ids: deleted })
  return saved
}

function datasetOf({ entity }: ContentWrite) {
  return { area: 'content', dataset: entity.name } as const
}

async function upsert<Row extends { readonly id: string }>(
  tx: Transaction,
  write: ContentWrite,
  returned: Sql,
): Promise<readonly Row[]> {
  const { entity, origins } = write
  const lookups = await loadLookups(tx, entity, write.records)
  const saving = { ...write, lookups }
  const stored = write.records.map((record) => toStored(entity, record, saving))
  const statement = saveStatement(write, stored, returned)
  const rows = await tx.query<Row & { readonly news: readonly string[] }>(statement)
  const ids = new Set(rows.map(({ id }) => id))
  const traced = stored.map(({ id }, index) => [id, origins?.[index]] as const)
  await storeOrigins(tx, entity, new Map(traced.filter(([id]) => ids.has(id))))
  const news = new Set(rows[0]?.news)
  const taken = stored.filter(({ id }) => news.size > 0 && ids.has(id))
  const unregistered = usedSources(entity, taken).filter((source) => news.has(source))
  await registerSources(tx, write, unregistered)
  return rows
}

/** All that belongs to a save, in one statement: each further one is a round trip to the database. */
function saveStatement(write: ContentWrite, stored: readonly StoredRecord[], returned: Sql): Sql {
  const { entity, origins } = write
  const received = write.received.toISOString()
  const untraced = stored.flatMap(({ id }, index) => (origins?.[index] === undefined ? [id] : []))
  const savedUntraced = sql`select id from saved where id = any(${untraced}::text[])`
  return sql`
    with saved as (
      insert into ${tableOf(entity)} as known (id, data, received)
      select id, data::jsonb, ${received}::timestamptz
      from unnest(
        ${stored.map(({ id }) => id)}::text[],
        ${stored.map(({ data }) => JSON.stringify(data))}::text[]) as sent (id, data)
      where not exists (
        select from content_tombstone
        where entity = ${entity.type} and content_tombstone.id = sent.id
          and content_tombstone.received > ${received})
      on conflict (id) do update
        set data = content_merge(known.data, excluded.data, ${received}), received = excluded.received
        where known.received <= excluded.received
      returning ${returned}),
    noted as (${noteChanges({ ...datasetOf(write), kind: 'upsert' }, sql`saved`)}),
    forgotten as (${forgetOrigins(entity, savedUntraced)})
    select saved.*, array(${newSources(entity, usedSources(entity, stored))}) as news from saved`
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
  await tx.execute(forgetOrigins(write.entity, sql`select unnest(${removed}::text[])`))
  return removed
}
