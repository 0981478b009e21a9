import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { area, measurementsOf, pastOf, stationsOf } from '../datasets.ts'
import type { Provenance } from './items.ts'

/** Why an item cannot be accepted. */
export type Fault = {
  readonly reason: string
  /** JSON pointer to the invalid field inside the item. */
  readonly pointer: string
}

/** An item that was not accepted. */
export type Rejection = Fault & {
  /** Position in the submitted items. */
  readonly index: number
}

/** The result for the items of a message: each is stored or rejected. */
export type Outcome = {
  /**
   * Number of accepted items, including those that changed nothing because the hub already had
   * newer data.
   */
  readonly stored: number
  readonly rejected: readonly Rejection[]
  /** Items that were stored, but are most likely wrong. */
  readonly warnings?: readonly Rejection[]
  /** Whether some items were rejected only because what they refer to does not exist yet. */
  readonly awaits?: true
}

/** What every write needs besides its items. */
export type Saving = {
  /**
   * When the hub received the message, or the time that an ADMIN specified as `recorded`. It
   * becomes the transaction or version time, and an older message never overwrites a younger one
   * (decision D53).
   */
  readonly received: Date
}

/** An item with its position in the message. */
export type Sent<Item> = { readonly index: number; readonly item: Item }

/** The accepted and the rejected items of a check. */
type Sifted<Item> = {
  readonly taken: readonly Sent<Item>[]
  readonly rejected: readonly Rejection[]
}

/** Separates the items with a fault from those without one. */
export function sift<Item>(
  sent: readonly Sent<Item>[],
  faultOf: (sent: Sent<Item>) => Fault | undefined,
): Sifted<Item> {
  const taken: Sent<Item>[] = []
  const rejected: Rejection[] = []
  for (const one of sent) {
    const fault = faultOf(one)
    if (fault === undefined) taken.push(one)
    else rejected.push({ index: one.index, ...fault })
  }
  return { taken, rejected }
}

/**
 * Keeps the last of several items with the same text in the field `key`. Earlier items are rejected
 * with a reason, not dropped silently.
 */
export function keepLast<Key extends string, Item extends Readonly<Record<Key, string>>>(
  items: readonly Item[],
  key: Key,
): Sifted<Item> {
  const lastAt = new Map(items.map((item, index) => [item[key], index]))
  const sent = items.map((item, index) => ({ index, item }))
  return sift(sent, ({ index, item }) =>
    lastAt.get(item[key]) === index ? undefined : { pointer: `/${key}`, reason: repeated },
  )
}

const repeated = 'is repeated later in this message, and only the last one counts'

/** Records that items of a dataset have changed. */
export async function recordUpserts(
  tx: Transaction,
  dataset: string,
  ids: readonly string[],
): Promise<void> {
  await recordChanges(tx, { area, dataset, kind: 'upsert', ids })
}

/**
 * Records that stations have changed, and with them the stations and edges whose responses show
 * them: children show their parent, edges their ends.
 * @param ids of the rows of `station`
 */
export async function recordStationChanges(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const concerned = sql`(id = any(${ids}::integer[])
    or parent_id = any(${ids}::integer[])
    or id in (
      select station_id from edge
      where from_id = any(${ids}::integer[]) or to_id = any(${ids}::integer[])))`
  await lockHidden(tx, concerned)
  await tx.execute(sql`
    insert into change (area, dataset, id, kind, before, after)
    select ${area}, ${stationsOf('')} || type, code, 'upsert', rights_of(station), rights_of(station)
    from station where ${concerned} order by type, code`)
}

/**
 * Makes a transaction that opens a station at the same time wait for this one, or this one for it.
 * Otherwise it would be recorded that nobody saw the change, although the other transaction has
 * reported an older state.
 */
async function lockHidden(tx: Transaction, condition: Sql): Promise<void> {
  await tx.execute(sql`
    select from station where ${condition} and (closed or available is not true)
    order by id for key share`)
}

/** Records that values of series of a station type have changed, and who can see them. */
export async function recordValueChanges(
  tx: Transaction,
  stationType: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await lockHidden(tx, sql`id in (select station_id from series where id = any(${ids}::integer[]))`)
  await tx.execute(sql`
    insert into change (area, dataset, id, kind, before, after)
    select ${area}, ${measurementsOf(stationType)}, id, 'upsert', rights, rights
    from (
      select series.id, rights_of(station) as rights
      from unnest(${ids}::integer[]) with ordinality as ids (id, place)
      join series on series.id = ids.id
      join station on station.id = series.station_id
      order by place) as written`)
}

/** Records that values of a station type that are older than a day have changed (`pastOf`). */
export function recordPastChange(tx: Transaction, stationType: string): Promise<void> {
  return recordChanges(tx, { area, dataset: pastOf(stationType), kind: 'upsert', ids: ['values'] })
}

/** Returns the id of a provenance, which is created if it is new; null for none. */
export async function storeProvenance(
  tx: Transaction,
  provenance: Provenance | null | undefined,
): Promise<number | null> {
  if (provenance === null || provenance === undefined) return null
  const known = await findProvenance(tx, provenance)
  if (known !== null) return known
  const { name, version = null, lineage } = provenance
  await tx.execute(sql`
    insert into provenance (name, version, lineage) values (${name}, ${version}, ${lineage})
    on conflict do nothing`)
  return findProvenance(tx, provenance)
}

async function findProvenance(tx: Transaction, provenance: Provenance): Promise<number | null> {
  const { name, version = null, lineage } = provenance
  const [row] = await tx.query<{ id: number }>(sql`
    select id from provenance
    where name = ${name} and version is not distinct from ${version} and lineage = ${lineage}`)
  return row?.id ?? null
}

/** The stored fields that decide who may write an item over push. */
type StoredItem = { readonly id: string; readonly origin: string | null; readonly closed: boolean }

/** Loads the existing stations (or edges) of a type by their codes. */
export function loadStoredStations(
  tx: Transaction,
  type: string,
  codes: readonly string[],
): Promise<readonly StoredItem[]> {
  return tx.query<StoredItem>(sql`
    select code as id, origin, closed from station
    where type = ${type} and code = any(${codes}::text[])`)
}

/** Loads the existing states of events by their uuids. */
export function loadStoredEvents(
  tx: Transaction,
  uuids: readonly string[],
): Promise<readonly StoredItem[]> {
  return tx.query<StoredItem>(sql`
    select uuid as id, origin, closed from mobility_event where uuid = any(${uuids}::text[])`)
}

/** Loads the existing data types by their names. They have no origin, and are never closed. */
export function loadStoredDataTypes(
  tx: Transaction,
  names: readonly string[],
): Promise<readonly StoredItem[]> {
  return tx.query<StoredItem>(sql`
    select name as id, null::text as origin, false as closed from data_type
    where name = any(${names}::text[])`)
}
