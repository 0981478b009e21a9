import { sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { area, measurementsOf } from '../datasets.ts'

/** Notes that a month came or went, in every dataset that has values: their answers are others now. */
export async function noteMonthChanged(
  tx: Transaction,
  table: string,
  kind: 'upsert' | 'delete',
): Promise<void> {
  const types = await tx.query<{ type: string }>(sql`select type from station_types() as type`)
  for (const { type } of types) {
    await recordChanges(tx, { area, dataset: measurementsOf(type), kind, ids: [table] })
  }
}
