import { fieldsOf } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { source } from '../entities/catalogues.ts'
import type { Entity } from '../entity.ts'
import { tableOf, toEntityId } from '../table.ts'
import { loadLookups } from './generated/index.ts'
import { toStored, withLowerTags } from './to-stored.ts'
import type { ContentRecord, StoredRecord } from './to-stored.ts'

/** Position of a record in the message that contained it. */
export type Origin = {
  readonly message: string
  /** Line of the message if it is NDJSON, counted from 1. */
  readonly line: number | undefined
  /** Position among the items of its object, counted from 0. */
  readonly item: number
  /**
   * The mapping that made the record from the message; undefined for a message in a canonical
   * format.
   */
  readonly mapping?: { readonly name: string; readonly version: string } | undefined
}

/** Stores the origins of records. Records without a known origin are skipped. */
async function storeOrigins(
  tx: Transaction,
  entity: Entity,
  origins: ReadonlyMap<string, Origin | undefined>,
): Promise<void> {
  const known = [...origins].flatMap(([id, origin]) =>
    origin === undefined ? [] : [{ id, origin }],
  )
  if (known.length === 0) return
  await tx.execute(sql`
    insert into content_origin (entity, id, message, line, item, mapping, mapping_version)
    select ${entity.type}::text, sent.* from unnest(
      ${known.map(({ id }) => id)}::text[],
      ${known.map(({ origin }) => origin.message)}::uuid[],
      ${known.map(({ origin }) => origin.line ?? null)}::integer[],
      ${known.map(({ origin }) => origin.item)}::integer[],
      ${known.map(({ origin }) => origin.mapping?.name ?? null)}::text[],
      ${known.map(({ origin }) => origin.mapping?.version ?? null)}::text[]) as sent
    on conflict (entity, id) do update
      set message = excluded.message, line = excluded.line, item = excluded.item,
        mapping = excluded.mapping, mapping_version = excluded.mapping_version`)
}

/**
 * SQL that deletes the origins of the records that `ids` selects: records that are deleted, and
 * records whose new state has no known origin. The old origin would show the source of an earlier
 * state.
 */
function forgetOrigins(entity: Entity, ids: Sql): Sql {
  return sql`delete from content_origin where entity = ${entity.type} and id in (${ids})`
}

type Write = { readonly entity: Pick<Entity, 'type'>; readonly received: Date }

/**
 * Source of the records that the hub itself registers. Only to these does it add further types that
 * come from a source.
 */
export const registrar = 'hub'

const sources = source()

/**
 * SQL for the sources of records that must be registered, so that the list of sources has every
 * value in use (decision D29). Usually there are none.
 */
function newSources({ type }: Pick<Entity, 'type'>, used: readonly string[]): Sql {
  return sql`
    select used from unnest(${used}::text[]) as used
    where not exists (
      select from ${tableOf(sources)}
      where id = used
        and (source is distinct from ${registrar} or data -> 'Types' ? ${type}::text))`
}

/**
 * Returns the sources that open records name. Closed records are left out, because their existence
 * must not be revealed here (decision D60).
 */
function usedSources({ name }: Entity, stored: readonly StoredRecord[]): readonly string[] {
  const open = name === sources.name ? [] : stored.filter(({ data }) => !isClosed(data))
  const used = new Set(open.map(({ data }) => sourceOf(data)))
  return [...used].filter((source) => source !== '').sort()
}

/**
 * Registers the source of records that are shown by this service but stored in another way:
 * mobility events.
 */
export async function noteSource(
  tx: Transaction,
  { entity, source, received }: Write & { readonly source: string },
): Promise<void> {
  const rows = await tx.texts(newSources(entity, [source.toLowerCase()]))
  await registerSources(
    tx,
    { entity, received },
    rows.flatMap(([name]) => name ?? []),
  )
}

/** Registers sources. Fields that an editor or a provider has set are not changed. */
async function registerSources(
  tx: Transaction,
  { entity, received }: Write,
  news: readonly string[],
): Promise<void> {
  if (news.length === 0) return
  const saved = received.toISOString()
  const records = news.map((id) => toRecord({ id, type: entity.type, saved }))
  await tx.execute(sql`
    insert into ${tableOf(sources)} as known (id, data, received)
    select data ->> 'Id', data, ${saved}::timestamptz
    from (
      select written::jsonb as data
      from unnest(${records.map((record) => JSON.stringify(record))}::text[]) as written) as sent
    on conflict (id) do update
      set data = jsonb_set(known.data, '{Types}',
        coalesce(known.data -> 'Types', '[]') || (excluded.data -> 'Types'))
      where known.source = ${registrar}
        and not coalesce(known.data -> 'Types', '[]') @> (excluded.data -> 'Types')`)
}

function sourceOf({ _Meta: meta }: StoredRecord['data']): string {
  const { Source } = fieldsOf(meta)
  return typeof Source === 'string' ? Source : ''
}

export function isClosed({ LicenseInfo: licence }: Readonly<Record<string, unknown>>): boolean {
  // As `content_flag` reads it (decision D66).
  return /^\s*(true|1)\s*$/i.test(String(fieldsOf(licence)['ClosedData']))
}

type New = { readonly id: string; readonly type: string; readonly saved: string }

function toRecord({ id, type, saved }: New) {
  return {
    Id: id,
    Key: id,
    Shortname: id,
    Types: [type],
    HasLanguage: [],
    FirstImport: saved,
    LastChange: saved,
    _Meta: {
      Id: id,
      Type: sources.type,
      Source: registrar,
      LastUpdate: saved,
      LastChange: saved,
      Reduced: false,
    },
  }
}

/** A set of records of one entity from one message. No identifier occurs twice. */
export type ContentWrite = {
  readonly entity: Entity
  readonly records: readonly ContentRecord[]
  readonly deletions: readonly string[]
  /**
   * When the message was received. An older message never overwrites a newer one (decision D53).
   */
  readonly received: Date
  /** Provider of the stream: the source of records that name none. */
  readonly provider: string
  /** Origin of each of the records, in their order; undefined if origins are not kept. */
  readonly origins?: readonly Origin[]
  /** Public URL of the hub, if the writer has it. */
  readonly publicUrl?: string
}

/**
 * Upserts and deletes records set-wise.
 * @returns the number of accepted records, including those that changed nothing because the hub had
 *   a newer state
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

/**
 * Records per statement. Limited, because records are in memory several times on their way to the
 * database.
 */
const atOnce = 250

function originsOf({ origins }: ContentWrite, from: number): Pick<ContentWrite, 'origins'> {
  return origins === undefined ? {} : { origins: origins.slice(from, from + atOnce) }
}

type SavedRecord = {
  readonly id: string
  /** JSON text of the record. */
  readonly data: string
  /** Changes with every save. */
  readonly revision: string
}

/**
 * Upserts and deletes few records.
 * @returns the records that were written
 */
export function saveRecords(tx: Transaction, write: ContentWrite): Promise<readonly SavedRecord[]> {
  return save<SavedRecord>(tx, write, sql`id, data, xmin::text as revision`)
}

async function save<Row extends { readonly id: string }>(
  tx: Transaction,
  write: ContentWrite,
  returned: Sql,
): Promise<readonly Row[]> {
  const saved = write.records.length === 0 ? [] : await upsert<Row>(tx, write, returned)
  if (write.deletions.length > 0) await remove(tx, write)
  return saved
}

async function upsert<Row extends { readonly id: string }>(
  tx: Transaction,
  write: ContentWrite,
  returned: Sql,
): Promise<readonly Row[]> {
  const { entity, origins } = write
  const records = write.records.map((record) => withLowerTags(entity, record).record)
  const lookups = await loadLookups(tx, entity, records)
  const saving = { ...write, lookups }
  const stored = records.map((record) => toStored(entity, record, saving))
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

/**
 * SQL for everything that belongs to a save, in one statement, because each further statement is a
 * round trip to the database.
 */
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
    forgotten as (${forgetOrigins(entity, savedUntraced)})
    select saved.*, array(${newSources(entity, usedSources(entity, stored))}) as news from saved`
}

async function remove(tx: Transaction, write: ContentWrite): Promise<void> {
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
}
