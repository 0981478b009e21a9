import { identifier, literal, sql } from '../../sql/index.ts'
import { recordChanges } from '../../storage/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'
import { area, measurementsOf } from '../datasets.ts'

/**
 * The comment on a table that is about to leave `measurement`, until readers are told. It is written
 * before the first step, because the month is gone from answers when that commits: whatever ends the
 * process afterwards, a later run finds who was not told.
 */
const untold = literal('hub.leaves.untold')

/** Keeps in mind that readers have to be told of a month that is about to leave. */
export async function markUntold(database: Queryable, table: string): Promise<void> {
  await database.execute(sql`comment on table ${identifier(table)} is ${untold}`)
}

/** The tables that bear the mark. Those that are attached have not left yet. */
export async function findUntold(database: Queryable): Promise<ReadonlySet<string>> {
  const tables = await database.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relkind = 'r' and obj_description(pg_class.oid, 'pg_class') = ${untold}
      and relname like 'measurement\\_%'
      and relnamespace = (select relnamespace from pg_class where oid = 'measurement'::regclass)`)
  return new Set(tables.map(({ name }) => name))
}

/**
 * Notes that a month came or went, in every dataset that has values: their answers are others now.
 * To note it twice does no harm.
 */
export async function noteMonthChanged(
  tx: Transaction,
  table: string,
  kind: 'upsert' | 'delete',
): Promise<void> {
  const types = await tx.query<{ type: string }>(sql`select type from station_types() as type`)
  for (const { type } of types) {
    await recordChanges(tx, { area, dataset: measurementsOf(type), kind, ids: [table] })
  }
  const isMarked = (await findUntold(tx)).has(table)
  if (isMarked) await tx.execute(sql`comment on table ${identifier(table)} is null`)
}
