import { literal, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Condition, Lease, Perform, Send } from './connections.ts'
import type { Transaction } from './database.ts'
import { conditionAfter, databaseUnreachable, translateError } from './pg-errors.ts'

type Settings = {
  /** Time limit of each statement in milliseconds, 0 for none. */
  readonly limit: number
  /** `own` if the limit differs from that of the session and must be sent to the server. */
  readonly limitOf: 'session' | 'own'
  /** Makes a `Transaction` that runs its statements with `perform`. */
  readonly on: (perform: Perform) => Omit<Transaction, 'kind'>
}

/** Runs `work` between `begin` and `commit` on the leased connection, and ends the lease. */
export async function runTransaction<Result>(
  lease: Lease,
  work: (tx: Transaction) => Promise<Result>,
  { limit, limitOf, on }: Settings,
): Promise<Result> {
  const held = new HeldConnection(lease, limit)
  const tx: Transaction = { kind: 'transaction', ...on(held.perform) }
  try {
    await command(held, sql`begin`)
    if (limitOf === 'own') {
      // `set` is not a query, so `work` can still choose the isolation level and lock tables before
      // a snapshot is taken.
      await tx.execute(sql`set local statement_timeout = ${literal(String(limit))}`)
    }
    const result = await work(tx)
    await commit(held)
    return result
  } catch (error) {
    // A failed rollback marks the connection as broken. The caller gets the original error.
    await command(held, sql`rollback`).catch(() => undefined)
    throw error
  } finally {
    held.end()
  }
}

/** Commits. After a failed statement PostgreSQL responds with the tag ROLLBACK, not an error. */
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

/**
 * Holds one connection for a transaction and runs its statements one after the other, until `end`.
 */
class HeldConnection {
  readonly #lease: Lease
  readonly #limit: number
  #last: Promise<unknown> = Promise.resolve()
  #condition: Condition = 'usable'
  #ended = false

  /** @param limit milliseconds that each statement may take, 0 for no limit */
  constructor(lease: Lease, limit: number) {
    this.#lease = lease
    this.#limit = limit
  }

  readonly perform: Perform = async (statement, send) => {
    if (this.#ended) throw new Error('This transaction is over: its `tx` was used after its end')
    const turn = this.#last.then(() => this.#send(statement.text, send))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Returns the connection. A broken one is discarded, which rolls back what was not committed. */
  end(): void {
    this.#ended = true
    this.#lease.end(this.#condition)
  }

  async #send<Result>(text: string, send: Send<Result>): Promise<Result> {
    try {
      if (this.#condition === 'broken') throw databaseUnreachable()
      return await this.#lease.send(send, this.#limit)
    } catch (error) {
      if (conditionAfter(error) === 'broken') this.#condition = 'broken'
      throw translateError(error, text)
    }
  }
}
