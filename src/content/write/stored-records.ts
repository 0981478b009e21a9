import { sql } from '../../sql/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import { isClosed } from './store-records.ts'
import { sourceOf } from './to-stored.ts'
import type { ContentRecord } from './to-stored.ts'

/** The properties of a stored record that decide who may write it over HTTP push. */
type StoredRecord = {
  readonly id: string
  readonly origin: string | null
  readonly closed: boolean
}

/** Loads the records with these identifiers that exist. */
export function loadStoredRecords(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  return tx.query<StoredRecord>(sql`
    select id, source as origin, closed from ${tableOf(entity)} where id = any(${ids}::text[])`)
}

/** Loads the accommodations with these identifiers that exist. */
export function loadStoredAccommodations(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  return tx.query<StoredRecord>(sql`
    select id, source as origin, closed from content.accommodation where id = any(${ids}::text[])`)
}

/** Loads the rooms with these identifiers that exist, with the source of their accommodation. */
export function loadStoredRooms(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  return tx.query<StoredRecord>(sql`
    select room.accommodation || '/' || room.room as id, record.source as origin, false as closed
    from availability_room as room
    left join content.accommodation as record on record.id = room.accommodation
    where room.accommodation || '/' || room.room = any(${ids}::text[])
      and room.accommodation = any(
        array(select split_part(id, '/', 1) from unnest(${ids}::text[]) as id))`)
}

/** Returns what a record states about itself. The source is undefined if it names none. */
export function statedOf(record: ContentRecord): {
  readonly source: string | undefined
  readonly isClosed: boolean
} {
  return { source: sourceOf(record), isClosed: isClosed(record) }
}

const pageSize = 500

/**
 * Entities that other records name, in the order of import. A source must exist before a record of
 * it is imported, which would otherwise register it; tags and areas must exist before records that
 * get their names.
 */
const namedByOthers: readonly string[] = ['Source', 'Tag', 'Area']

/** Sorts entities into the order in which their exports are best imported. */
export function inImportOrder(entities: readonly Entity[]): readonly Entity[] {
  const named = namedByOthers.flatMap((name) => entities.filter((entity) => entity.name === name))
  return [...named, ...entities.filter((entity) => !named.includes(entity))]
}

/**
 * Exports all records of an entity as lines of the canonical push format, in the order of their
 * identifiers. They are read as keyset pages, so that memory stays flat and no statement is long.
 */
export async function* exportEntity(database: Queryable, entity: Entity): AsyncIterable<string> {
  let last = ''
  for (;;) {
    const rows = await database.texts(sql`
      select id, data from ${tableOf(entity)} where id > ${last} order by id limit ${pageSize}`)
    const end = rows.at(-1)?.[0]
    if (typeof end !== 'string') return
    last = end
    const items = rows.map(([, data]) => data ?? '{}').join(',')
    yield `{"kind":"content","entity":${JSON.stringify(entity.name)},"items":[${items}]}`
  }
}
