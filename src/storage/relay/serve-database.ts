import { Sql } from '../../sql/index.ts'
import type { Database, Limits, Transaction } from '../database.ts'
import { toSent } from './protocol.ts'
import type { Port, Reply, Request } from './protocol.ts'

/**
 * Lets another thread or process use the database of this one, through `relayedDatabase` at the other end of the
 * port.
 * @returns ends every open transaction of the other thread without a commit: it is gone
 */
export function serveDatabase(database: Database, port: Port<Request, Reply>): () => void {
  const open = new Map<number, OpenTransaction>()
  port.on((request) => {
    const { id } = request
    const post = (reply: Reply) => {
      port.postMessage(reply)
    }
    answer(database, open, request).then(
      (value) => {
        post({ kind: 'done', id, value })
      },
      (error: unknown) => {
        post({ kind: 'failed', id, error: toSent(error) })
      },
    )
  })
  return () => {
    for (const { end } of open.values()) end('rollback').catch(() => undefined)
    open.clear()
  }
}

async function answer(
  database: Database,
  open: Map<number, OpenTransaction>,
  request: Request,
): Promise<unknown> {
  switch (request.kind) {
    case 'ping':
      return database.ping()
    case 'begin': {
      open.set(request.id, await begin(database, request.limits))
      return request.id
    }
    case 'commit':
    case 'rollback': {
      const found = open.get(request.tx)
      open.delete(request.tx)
      return found?.end(request.kind)
    }
    default: {
      const { kind, parts, values, tx } = request
      const target = tx === undefined ? database : open.get(tx)?.tx
      if (target === undefined) throw new Error('There is no such transaction')
      return target[kind](Sql.fromTemplate(parts, values))
    }
  }
}

type End = 'commit' | 'rollback'

type OpenTransaction = {
  readonly tx: Transaction
  /** Resolves when the transaction is over. */
  readonly end: (end: End) => Promise<void>
}

/** Holds a transaction open until its end is told. */
async function begin(database: Database, limits: Limits | undefined): Promise<OpenTransaction> {
  const started = Promise.withResolvers<Transaction>()
  const told = Promise.withResolvers<End>()
  const rolledBack = new Error('The other thread wants no commit')
  const over = database
    .transaction(async (tx) => {
      started.resolve(tx)
      if ((await told.promise) === 'rollback') throw rolledBack
    }, limits)
    .catch((error: unknown) => {
      started.reject(error)
      if (error !== rolledBack) throw error
    })
  // Seen by who ends it; a failure to begin is told by `started`.
  over.catch(() => undefined)
  return {
    tx: await started.promise,
    end: (end) => {
      told.resolve(end)
      return over
    },
  }
}
