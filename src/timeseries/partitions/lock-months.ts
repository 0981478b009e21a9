import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'

/** Who makes, puts away or attaches months does so alone, until the end of the transaction. */
export async function lockMonths(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('measurement partitions'))`)
}

/** Milliseconds to wait for a lock on a table that nobody should use any more. */
const lockTimeout = '5000'

/** The same, for short work that gives up where others are in its way. */
export async function lockMonthsSoon(tx: Transaction): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${lockTimeout}, true)`)
  await lockMonths(tx)
}
