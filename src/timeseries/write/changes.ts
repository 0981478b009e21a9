import { sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { area, stationsOf } from '../datasets.ts'

type StationRow = { readonly type: string; readonly code: string }

/** Notes that records of a dataset changed. */
export async function recordUpserts(
  tx: Transaction,
  dataset: string,
  ids: readonly string[],
): Promise<void> {
  await recordChanges(tx, { area, dataset, kind: 'upsert', ids })
}

/**
 * Notes that stations changed, and with them the stations and edges whose answers show them: children
 * show their parent, edges their ends.
 * @param ids of the rows of `station`
 */
export async function recordStationChanges(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.query<StationRow>(sql`
    select type, code from station
    where id = any(${ids}::integer[])
      or parent_id = any(${ids}::integer[])
      or id in (
        select station_id from edge
        where from_id = any(${ids}::integer[]) or to_id = any(${ids}::integer[]))
    order by type, code`)
  for (const [type, codes] of Map.groupBy(rows, ({ type }) => type)) {
    await recordUpserts(
      tx,
      stationsOf(type),
      codes.map(({ code }) => code),
    )
  }
}
