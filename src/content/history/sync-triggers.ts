import { literal, sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { lockTables } from '../sync-tables.ts'
import { tableOf } from '../table.ts'

/**
 * Has the tables keep their former states, whoever writes: `content_keep_versions` in
 * `migrations/0015-content-history.sql` says how. Does nothing where it is so already, and is safe
 * against two starters at once.
 */
export async function syncHistoryTriggers(
  database: Database,
  entities: readonly Entity[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockTables(tx)
    const kept = await tx.query<{ entity: string }>(sql`
      select relname as entity from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname = 'keep_deleted'`)
    const known = new Set(kept.map(({ entity }) => entity))
    for (const entity of entities.filter(({ type }) => !known.has(type))) {
      const keep = sql`for each statement execute function content_keep_versions(${literal(entity.type)})`
      await tx.execute(sql`
        create or replace trigger keep_replaced after update on ${tableOf(entity)}
        referencing old table as replaced new table as written ${keep}`)
      await tx.execute(sql`
        create or replace trigger keep_deleted after delete on ${tableOf(entity)}
        referencing old table as replaced ${keep}`)
    }
  })
}
