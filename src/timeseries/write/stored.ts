import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'

/** What decides about who may write an item over push. */
type StoredItem = { readonly id: string; readonly origin: string | null; readonly closed: boolean }

/** Those of the stations (or edges) of a type that exist, by their codes. */
export function loadStoredStations(
  tx: Transaction,
  type: string,
  codes: readonly string[],
): Promise<readonly StoredItem[]> {
  return tx.query<StoredItem>(sql`
    select code as id, origin, closed from station
    where type = ${type} and code = any(${codes}::text[])`)
}

/** Those of the states of events that exist, by their uuids. */
export function loadStoredEvents(
  tx: Transaction,
  uuids: readonly string[],
): Promise<readonly StoredItem[]> {
  return tx.query<StoredItem>(sql`
    select uuid as id, origin, closed from mobility_event where uuid = any(${uuids}::text[])`)
}

/** Those of the data types that exist, by their names. They have no origin, and are never closed. */
export function loadStoredDataTypes(
  tx: Transaction,
  names: readonly string[],
): Promise<readonly StoredItem[]> {
  return tx.query<StoredItem>(sql`
    select name as id, null::text as origin, false as closed from data_type
    where name = any(${names}::text[])`)
}
