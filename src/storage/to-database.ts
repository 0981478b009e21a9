import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from '../sql/index.ts'
import type { Connections, Lease } from './connections.ts'
import type { Database } from './database.ts'
import { heavyLine } from './heavy-line.ts'
import { conditionAfter, isStalePreparation, translateError } from './pg-errors.ts'
import { runTransaction } from './run-transaction.ts'
import { preparedNames, toQueryable } from './statements.ts'
import type { Perform, PreparedNames } from './statements.ts'

type Parts = {
  readonly engine: Database['engine']
  readonly connections: Connections
  /** Where reads go; the same connections when there are no replicas. */
  readonly readConnections: Connections
  /** Where heavy reads go, and how many at once. */
  readonly heavy: { readonly connections: Connections; readonly places: number }
  /** Milliseconds. */
  readonly statementTimeout: number
}

/** Milliseconds that a heavy statement may take, of those that any other may. */
export function heavyTimeout(statementTimeout: number): number {
  return Math.ceil(statementTimeout / 2)
}

/** The `Database` over connections of either engine. */
export function toDatabase(parts: Parts): Database {
  const { engine, connections, readConnections, heavy, statementTimeout } = parts
  const guard = nestingGuard()
  const names = preparedNames()
  const on = (source: Connections, limit = statementTimeout) =>
    toQueryable(performOn({ connections: guardedBy(guard, source), names }, limit), names)
  const write = on(connections)
  const line = heavyLine(heavy.connections, { ...heavy, patience: statementTimeout })
  return {
    engine,
    ...write,
    read: readConnections === connections ? write : on(readConnections),
    heavy: () => on(line(), heavyTimeout(statementTimeout)),
    transaction: async (work, limits) => {
      const lease = await leaseFrom(guardedBy(guard, connections))
      const limit = limits?.statementTimeout ?? statementTimeout
      const limitOf = limits === undefined ? 'session' : 'own'
      return guard.inside(() => runTransaction(lease, work, { limit, limitOf, names }))
    },
    ping: async () => {
      await write.query(sql`select 1`)
    },
    close: async () => {
      const distinct = new Set([connections, readConnections, heavy.connections])
      await Promise.all([...distinct].map((each) => each.close()))
    },
  }
}

type Source = { readonly connections: Connections; readonly names: PreparedNames }

/** Each statement on a connection of its own, returned at once. */
function performOn({ connections, names }: Source, limit: number): Perform {
  const once: Perform = async (statement, send) => {
    const lease = await leaseFrom(connections)
    try {
      const { result, isFull } = await lease.send(
        async (client) => ({ result: await send(client), isFull: names.isFull(client) }),
        limit,
      )
      // A new connection has nothing prepared.
      lease.end(isFull ? 'broken' : 'usable')
      return result
    } catch (error) {
      lease.end(conditionAfter(error))
      throw translateError(error, statement.text)
    }
  }
  return (statement, send) =>
    once(statement, send).catch((error: unknown) => {
      if (isStalePreparation(error)) return once(statement, send)
      throw error
    })
}

async function leaseFrom(connections: Connections): Promise<Lease> {
  try {
    return await connections.lease()
  } catch (error) {
    throw translateError(error)
  }
}

function guardedBy(guard: ReturnType<typeof nestingGuard>, connections: Connections): Connections {
  return {
    ...connections,
    lease: async () => {
      guard.check()
      return connections.lease()
    },
  }
}

/**
 * Knows whether the running code is inside a transaction. A second connection asked for there waits
 * for ever on the embedded engine, and on PostgreSQL as soon as every connection is held like this.
 */
function nestingGuard() {
  const transactions = new AsyncLocalStorage<{ open: boolean }>()
  return {
    check: () => {
      if (transactions.getStore()?.open !== true) return
      throw new Error(
        'The database was asked for a second connection inside a transaction. Use the `tx` that ' +
          '`transaction` passes to its work, or do this after the commit.',
      )
    },
    inside: <Result>(work: () => Promise<Result>): Promise<Result> => {
      const transaction = { open: true }
      const end = () => {
        transaction.open = false
      }
      return transactions.run(transaction, () => work().finally(end))
    },
  }
}
