import type { ClientBase } from 'pg'
import type { Sql } from '../sql/index.ts'

/** State of a connection after an error: it can be used again, or must be discarded. */
export type Condition = 'usable' | 'broken'

/** Sends one statement on a connection. */
export type Send<Result> = (client: ClientBase) => Promise<Result>

/** One connection, held by one caller from `lease` to `end`. */
export type Lease = {
  /**
   * Sends one statement. `limit` is in milliseconds, 0 for none, and does not include the time
   * spent waiting for the connection. If the limit is exceeded, the connection is broken.
   */
  readonly send: <Result>(send: Send<Result>, limit: number) => Promise<Result>
  readonly end: (condition: Condition) => void
}

/** How busy a set of connections is. */
export type PoolUse = {
  /** Existing connections. */
  readonly open: number
  /** Existing connections that are not in use. */
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  /** Maximum number of connections. */
  readonly most: number
}

/** Source of connections: a PostgreSQL pool, or the single connection of the embedded engine. */
export type Connections = {
  readonly lease: () => Promise<Lease>
  readonly use: () => PoolUse
  readonly close: () => Promise<void>
}

/** Obtains a connection, lets `send` use it, and translates its errors. */
export type Perform = <Result>(statement: Sql, send: Send<Result>) => Promise<Result>
