import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Lease } from './connections.ts'
import type { Transaction } from './database.ts'
import { HeldConnection } from './held-connection.ts'
import type { PreparedNames } from './prepared-names.ts'
import { toQueryable } from './statements.ts'

type Settings = {
  /** Milliseconds for each statement, 0 for no limit. */
  readonly limit: number
  /** `own` when the limit is not the one of the session, so the server has to be told. */
  readonly limitOf: 'session' | 'own'
  readonly names: PreparedNames
}

/** Runs `work` between `begin` and `commit` on the leased connection, and ends the lease. */
export async function runTransaction<Result>(
  lease: Lease,
  work: (tx: Transaction) => Promise<Result>,
  { limit, limitOf, names }: Settings,
): Promise<Result> {
  const held = new HeldConnection(lease, limit)
  const tx: Transaction = { kind: 'transaction', ...toQueryable(held.perform, names) }
  try {
    await command(held, sql`begin`)
    if (limitOf === 'own') {
      await tx.query(sql`select set_config('statement_timeout', ${String(limit)}, true)`)
    }
    const result = await work(tx)
    await commit(held)
    return result
  } catch (error) {
    // A rollback that fails marks the connection as broken; what counts is why it was needed.
    await command(held, sql`rollback`).catch(() => undefined)
    throw error
  } finally {
    held.end()
  }
}

/** After a failed statement PostgreSQL answers COMMIT with the tag ROLLBACK and without an error. */
async function commit(held: HeldConnection): Promise<void> {
  const tag = await command(held, sql`commit`)
  if (tag === 'COMMIT') return
  throw new Error(
    'Nothing was committed: a statement of this transaction had failed and its error was swallowed',
  )
}

function command(held: HeldConnection, statement: Sql): Promise<string> {
  return held.perform(statement, async (client) => (await client.query(statement.text)).command)
}
