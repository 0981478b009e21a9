import type { Sql } from '../sql/index.ts'
import type { PoolUse } from './connections.ts'

type Write = (details: object, message: string) => void

/** The subset of a pino logger that storage uses. */
export type Log = { readonly info: Write; readonly warn: Write; readonly error: Write }

/** A row as an object, with fields by column name. json and jsonb columns stay text. */
export type Row = Readonly<Record<string, unknown>>

/** A row as printed by PostgreSQL: one text per column, in order, without any parsing. */
export type TextRow = readonly (string | null)[]

/** Runs statements: the database itself, or one of its transactions. */
export type Queryable = {
  /**
   * Returns rows as objects. `Shape` must match the columns of the statement; the caller is
   * responsible for that.
   */
  readonly query: <Shape extends Row>(statement: Sql) => Promise<readonly Shape[]>
  /** Returns rows as arrays of texts: the fast path for responses with unparsed JSON. */
  readonly texts: (statement: Sql) => Promise<readonly TextRow[]>
  /** Runs a statement and returns the number of affected rows. */
  readonly execute: (statement: Sql) => Promise<number>
}

/** Rows in a format of COPY. */
export type CopiedRows = string | Buffer | Generator<Buffer>

export type Transaction = Queryable & {
  readonly kind: 'transaction'
  /**
   * Runs `copy … from stdin` with rows in a COPY format (PostgreSQL documentation of COPY, file
   * formats): the fastest way to insert many rows. Rows of a generator are sent as they are
   * produced. Absent if the engine, or the path to it, does not support COPY.
   */
  readonly copy?: (statement: Sql, rows: CopiedRows) => Promise<void>
  /**
   * Runs `copy … to stdout` and returns the rows in text format, all in memory. Absent if the
   * database belongs to another process.
   */
  readonly copyOut?: (statement: Sql) => Promise<Buffer>
}

export type Limits = {
  /**
   * Time limit of each statement of the transaction in milliseconds, in place of
   * `HUB_STATEMENT_TIMEOUT`; 0 for no limit. For work that no caller waits for: migrations,
   * imports.
   */
  readonly statementTimeout: number
}

/**
 * The database: one pool for writes and, with `DATABASE_READ_URL`, one for reads.
 *
 * Every method throws `AppError` HUB-SRV-002 if the database does not respond, and HUB-SRV-003 if a
 * statement exceeds its time limit. Other errors are those of the driver; `pg-errors.ts` has
 * functions to recognize the ones that a caller may expect. A statement outside a transaction is a
 * transaction of its own.
 */
export type Database = Queryable & {
  /**
   * `embedded` has a single connection, so only `tx` may be used inside `transaction`. Requesting
   * another connection there throws on both engines, because it could wait forever.
   */
  readonly engine: 'postgresql' | 'embedded'
  /** Runs queries that a replica may serve. */
  readonly read: Queryable
  /**
   * Returns a `Queryable` for one request that may keep the database busy for seconds. Its
   * statements share a few places and have half the time limit, so that other statements do not
   * wait for them. Its statements throw `AppError` HUB-SRV-008 if too many are waiting.
   */
  readonly heavy: () => Queryable
  /**
   * Commits when `work` resolves and rolls back when it throws. Statements of a transaction run one
   * after the other, in the order in which they were requested.
   */
  readonly transaction: <Result>(
    work: (tx: Transaction) => Promise<Result>,
    limits?: Limits,
  ) => Promise<Result>
  /** Returns how busy the pools are. Absent if another process holds the connections. */
  readonly pools?: () => readonly (PoolUse & { readonly pool: 'write' | 'read' | 'heavy' })[]
  /** @throws AppError if the database does not respond */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}
