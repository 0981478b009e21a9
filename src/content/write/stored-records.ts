import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { tableOf } from '../table.ts'
import { isClosed } from './store-records.ts'
import { sourceOf } from './to-stored.ts'
import type { ContentRecord } from './to-stored.ts'

/** What decides about who may write a record over HTTP push. */
type StoredRecord = {
  readonly id: string
  readonly origin: string | null
  readonly closed: boolean
}

/** Those of the records that exist. */
export function loadStoredRecords(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  return tx.query<StoredRecord>(sql`
    select id, source as origin, closed from ${tableOf(entity)} where id = any(${ids}::text[])`)
}

/** Those of the accommodations that exist. */
export function loadStoredAccommodations(
  tx: Transaction,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  return tx.query<StoredRecord>(sql`
    select id, source as origin, closed from content.accommodation where id = any(${ids}::text[])`)
}

/** Those of the rooms that exist, under the source of their accommodation. */
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

/** What a record says of itself; the source is undefined when it names none. */
export function statedOf(record: ContentRecord): {
  readonly source: string | undefined
  readonly isClosed: boolean
} {
  return { source: sourceOf(record), isClosed: isClosed(record) }
}
