import type { ClientBase } from 'pg'
import type { Sql } from '../sql/index.ts'

/** What an error leaves behind: a connection that can serve again, or one to throw away. */
export type Condition = 'usable' | 'broken'

/** Sends one statement on a connection. */
export type Send<Result> = (client: ClientBase) => Promise<Result>

/** One connection, held by one caller from `lease` to `end`. */
export type Lease = {
  /**
   * Sends one statement. `limit` is in milliseconds, 0 for none, and is counted from here: waiting
   * for the connection is not the statement's time. After a rejection by the limit the connection
   * is broken.
   */
  readonly send: <Result>(send: Send<Result>, limit: number) => Promise<Result>
  readonly end: (condition: Condition) => void
}

/** How busy connections are. */
export type PoolUse = {
  /** Connections that exist. */
  readonly open: number
  /** Those of them that nobody uses. */
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
  /** As many as there can be. */
  readonly most: number
}

/** Where connections come from: a pool of PostgreSQL, or the one of the embedded engine. */
export type Connections = {
  readonly lease: () => Promise<Lease>
  readonly use: () => PoolUse
  readonly close: () => Promise<void>
}

/** Finds a connection, has `send` use it, and translates what goes wrong. */
export type Perform = <Result>(statement: Sql, send: Send<Result>) => Promise<Result>
