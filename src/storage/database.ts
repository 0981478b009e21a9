import type { Sql } from '../sql/index.ts'
import type { PoolUse } from './connections.ts'

type Write = (details: object, message: string) => void

/** The part of a pino logger that storage writes to. */
export type Log = { readonly info: Write; readonly warn: Write; readonly error: Write }

/** A row as the driver makes it: fields by column name. json and jsonb columns stay text. */
export type Row = Readonly<Record<string, unknown>>

/** A row as PostgreSQL wrote it: one text per column, in order; nothing is parsed. */
export type TextRow = readonly (string | null)[]

/** What can run statements: the database itself, or a transaction of it. */
export type Queryable = {
  /** Rows as objects. `Shape` is what the statement selects; the caller vouches for it. */
  readonly query: <Shape extends Row>(statement: Sql) => Promise<readonly Shape[]>
  /** Rows as arrays of texts: the fast path for answers that pass JSON through (no parsing at all). */
  readonly texts: (statement: Sql) => Promise<readonly TextRow[]>
  /** Runs a statement for its effect and says how many rows it touched. */
  readonly execute: (statement: Sql) => Promise<number>
}

/** Rows in a format of COPY. */
export type CopiedRows = string | Buffer | Generator<Buffer>

export type Transaction = Queryable & {
  readonly kind: 'transaction'
  /**
   * Runs `copy … from stdin` with these rows, as PostgreSQL reads them (documentation of COPY, file formats): the
   * fastest way to many new rows. Those of a generator are sent as they are made. Absent where the engine or the way to
   * it has no COPY.
   */
  readonly copy?: (statement: Sql, rows: CopiedRows) => Promise<void>
  /**
   * Runs `copy … to stdout` and returns the rows in its text format, all in memory. Absent where the database belongs to
   * another process.
   */
  readonly copyOut?: (statement: Sql) => Promise<Buffer>
}

export type Limits = {
  /**
   * Milliseconds that each statement of the transaction may take, in place of
   * `HUB_STATEMENT_TIMEOUT`; 0 for no limit. For work that no caller waits for: migrations, imports.
   */
  readonly statementTimeout: number
}

/**
 * The whole store: one pool for writes and, with `DATABASE_READ_URL`, one for reads.
 *
 * Every method throws `AppError` HUB-SRV-002 when the database does not answer and HUB-SRV-003 when
 * a statement overruns its time. Other faults stay errors of the driver; `pg-errors.ts` names those
 * that a caller may expect. A statement outside a transaction is its own transaction.
 */
export type Database = Queryable & {
  /**
   * `embedded` has one connection. So inside `transaction` only its `tx` may be used: asking the
   * database itself for a connection there throws on both engines, before it could wait for ever.
   */
  readonly engine: 'postgresql' | 'embedded'
  /** Reads that may come from a replica. */
  readonly read: Queryable
  /**
   * The same for one request that may keep the database busy for seconds: its statements wait for a place among
   * few and have half the time, so that others do not wait for them. Throws `AppError` HUB-SRV-008 when too many wait.
   */
  readonly heavy: () => Queryable
  /**
   * Commits when `work` resolves, rolls back when it throws. Statements of one transaction run one
   * after the other, in the order in which they were requested.
   */
  readonly transaction: <Result>(
    work: (tx: Transaction) => Promise<Result>,
    limits?: Limits,
  ) => Promise<Result>
  /** How busy its connections are, by what they are for; absent where another process has them. */
  readonly pools?: () => readonly (PoolUse & { readonly pool: 'write' | 'read' | 'heavy' })[]
  /** Throws the translated error when the database does not answer. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}
