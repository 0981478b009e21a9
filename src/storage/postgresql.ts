import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import type { Connections, Lease } from './connections.ts'
import type { Log } from './log.ts'
import { databaseUnreachable } from './pg-errors.ts'
import { deadline } from './deadline.ts'

type Options = {
  readonly url: string
  readonly connections: number
  /** Milliseconds after which the server stops a statement. */
  readonly statementTimeout: number
  /** Further options of the sessions, as the command line of PostgreSQL takes them. */
  readonly options?: string
  readonly log: Log
}

/** Longest wait for a free or new connection. */
const connectionTimeout = 10_000

/** A transaction that does nothing for so long was forgotten; it blocks others and vacuum. */
const idleInTransactionTimeout = 60_000

/** A server that has not stopped a statement so long after its time is taken for lost. */
const grace = 5_000

/** A pool of connections to PostgreSQL, made on demand: the server need not be up yet. */
export function openPool(options: Options): Connections {
  const { url, connections, statementTimeout, log } = options
  const pool = new Pool({
    connectionString: withSessionOptions(url, options.options),
    max: connections,
    connectionTimeoutMillis: connectionTimeout,
    // Connections are renewed, so nodes find their way back to a server that was down for a while.
    maxLifetimeSeconds: 1800,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: idleInTransactionTimeout,
    fallback_application_name: 'hub',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const report = (error: Error) => {
    log.warn({ err: error }, 'A connection to PostgreSQL was lost')
  }
  // Without listeners a lost connection would end the process: `pool` reports for the idle ones.
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', () => undefined))
  let closing: Promise<void> | undefined
  return {
    lease: async () => toLease(await pool.connect()),
    close: () => (closing ??= pool.end()),
  }
}

function toLease(client: PoolClient): Lease {
  return {
    send: (work, limit) =>
      limit === 0 ? work(client) : deadline(work(client), limit + grace, databaseUnreachable),
    end: (condition) => {
      client.release(condition === 'broken')
    },
  }
}

/**
 * Times are UTC and ISO 8601 in every session. Nothing is compiled: PostgreSQL takes seconds to compile a
 * statement that it expects to be long, such as one with many distances, and is done in milliseconds
 * without. What the URL says in `options` is kept, and wins.
 */
function withSessionOptions(url: string, further = ''): string {
  const [address = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  const given = parameters.get('options') ?? ''
  parameters.set(
    'options',
    `-c timezone=UTC -c datestyle=ISO -c jit=off ${further} ${given}`.trim(),
  )
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`
}
