import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'

/**
 * Fixes the name prefix with the first start and refuses another one later: stored documents carry
 * the prefix in their member names (decision D10).
 */
export async function assertPrefix(database: Database, prefix: string): Promise<void> {
  await database.execute(
    sql`insert into deployment (name, value) values ('prefix', ${prefix}) on conflict do nothing`,
  )
  const [row] = await database.query<{ value: string }>(
    sql`select value from deployment where name = 'prefix'`,
  )
  if (row !== undefined && row.value !== prefix) {
    throw new Error(
      `This database was set up with HUB_PREFIX=${row.value}; it cannot be opened with HUB_PREFIX=${prefix}.`,
    )
  }
}
