import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import { Query, TypeOverrides, types } from 'pg'
import type { ClientBase, CustomTypesConfig } from 'pg'
import type { Every } from '../async/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Connections, Lease, Perform } from './connections.ts'
import type { CopiedRows, Database, Queryable, Row, Transaction } from './database.ts'
import { conditionAfter, isStalePreparation, translateError } from './pg-errors.ts'
import { runTransaction } from './transaction.ts'

type Parts = {
  readonly engine: Database['engine']
  readonly connections: Connections
  /** Connections for queries; the same as `connections` without replicas. */
  readonly readConnections: Connections
  /** Connections for the queries of a heavy request. */
  readonly heavy: () => Connections
  /** Behind a pooler nothing is prepared: each statement may run on another server connection. */
  readonly pooler?: 'none' | 'transaction'
  /** In milliseconds. */
  readonly statementTimeout: number
}

/** Returns the time limit of a heavy statement in milliseconds, given that of other statements. */
export function heavyTimeout(statementTimeout: number): number {
  return Math.ceil(statementTimeout / 2)
}

/** Implements `Database` with connections of either engine. */
export function toDatabase(parts: Parts): Database {
  const { engine, connections, readConnections, heavy, statementTimeout } = parts
  const guard = nestingGuard()
  const names = parts.pooler === 'transaction' ? noNames : preparedNames()
  const on = (source: Connections, limit = statementTimeout) =>
    toQueryable(performOn({ connections: guardedBy(guard, source), names }, limit), names)
  const copyOn = (perform: Perform): Pick<Transaction, 'copy' | 'copyOut'> => ({
    copyOut: (statement) => perform(statement, (client) => copyOut(client, statement)),
    // PGlite loses its connection on COPY from a client.
    ...(engine === 'postgresql' && {
      copy: (statement, rows) => perform(statement, (client) => copyIn(client, statement, rows)),
    }),
  })
  const inTransaction = (perform: Perform) => ({
    ...toQueryable(perform, names),
    ...copyOn(perform),
  })
  const write = on(connections)
  return {
    engine,
    ...write,
    read: readConnections === connections ? write : on(readConnections),
    heavy: () => on(heavy(), heavyTimeout(statementTimeout)),
    transaction: async (work, limits) => {
      const lease = await leaseFrom(guardedBy(guard, connections))
      const limit = limits?.statementTimeout ?? statementTimeout
      const limitOf = limits === undefined ? 'session' : 'own'
      return guard.inside(() => runTransaction(lease, work, { limit, limitOf, on: inTransaction }))
    },
    pools: () => poolsOf(parts),
    ping: async () => {
      await write.query(sql`select 1`)
    },
    close: async () => {
      await Promise.all([connections, readConnections, heavy()].map((each) => each.close()))
    },
  }
}

function poolsOf({ engine, connections, readConnections, heavy }: Parts) {
  const write = { pool: 'write' as const, ...connections.use() }
  // The embedded database has a single connection for everything.
  if (engine === 'embedded') return [write]
  const read = { pool: 'read' as const, ...readConnections.use() }
  const others = [{ pool: 'heavy' as const, ...heavy().use() }]
  return [write, ...(readConnections === connections ? [] : [read]), ...others]
}

type Source = { readonly connections: Connections; readonly names: PreparedNames }

/** Runs each statement on a connection of its own, which is returned at once. */
function performOn({ connections, names }: Source, limit: number): Perform {
  const once: Perform = async (statement, send) => {
    const lease = await leaseFrom(connections)
    try {
      const { result, isFull } = await lease.send(
        async (client) => ({ result: await send(client), isFull: names.isFull(client) }),
        limit,
      )
      // A new connection has no prepared statements.
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
 * Detects code that runs inside a transaction. A second connection requested there would wait
 * forever on the embedded engine, and on PostgreSQL as soon as every connection is held like this.
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

/** Interval at which the clocks are compared, in milliseconds. */
const interval = 60_000

type Clocks = {
  readonly database: Pick<Queryable, 'query'>
  readonly now: () => Date
  readonly every: Every
  /** Clock that is compared with the database's, because a test may set `now`. */
  readonly machine: () => Date
}

/**
 * Returns the clock of the database, which all nodes of a hub share. A node with a wrong clock
 * therefore stores neither older nor newer times than other nodes (decision D53), and keeps things
 * for the right time. Its error is at most the response time of the database.
 */
export async function sharedClock(clocks: Clocks): Promise<() => Date> {
  const { database, now, every, machine } = clocks
  let ahead = 0
  const compare = async () => {
    const before = machine().getTime()
    const [row] = await database.query<{ at: Date }>(sql`select clock_timestamp() as at`)
    if (row !== undefined) ahead = row.at.getTime() - (before + machine().getTime()) / 2
  }
  await compare()
  // The next comparison makes up for a failed one.
  every(interval, () => compare().catch(() => undefined))
  return () => new Date(now().getTime() + ahead)
}

/** Texts remembered as seen once, per text that can have a name. */
const candidates = 4

/** Maximum number of prepared statements of a connection, per text that can have a name. */
const perConnection = 2

type PreparedNames = {
  /** Returns the name under which a connection prepares a statement; undefined: not prepared. */
  readonly nameOf: (statement: Sql, connection: object) => string | undefined
  /** Reports whether a connection is to be replaced, because it has the maximum of statements. */
  readonly isFull: (connection: object) => boolean
}

const noNames: PreparedNames = { nameOf: () => undefined, isFull: () => false }

/**
 * Assigns names to statements worth preparing: prepared, they run 1.4 times as fast on PostgreSQL.
 * A text gets a name when it is seen for the second time, and keeps it while it is among the
 * `limit` most recently used ones. No name is reused, and a connection keeps its prepared
 * statements until it ends. A statement without values gets no name: it may be a script of several
 * statements (a migration), which cannot be prepared.
 */
export function preparedNames(limit = 500): PreparedNames {
  const names = new LRUCache<string, string>({ max: limit })
  const seenOnce = new LRUCache<string, true>({ max: candidates * limit })
  const held = new WeakMap<object, Set<string>>()
  let given = 0
  const nameFor = (text: string) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (!seenOnce.delete(text)) {
      seenOnce.set(text, true)
      return undefined
    }
    given += 1
    const name = `hub_${String(given)}`
    names.set(text, name)
    return name
  }
  const isFull = (connection: object) => (held.get(connection)?.size ?? 0) >= perConnection * limit
  return {
    isFull,
    nameOf: ({ text, values }, connection) => {
      const name = values.length === 0 ? undefined : nameFor(text)
      if (name === undefined) return undefined
      const prepared = held.get(connection) ?? new Set()
      if (isFull(connection) && !prepared.has(name)) return undefined
      held.set(connection, prepared.add(name))
      return name
    },
  }
}

/** Implements the three ways to run a statement, with the connection of `perform`. */
function toQueryable(perform: Perform, { nameOf }: Pick<PreparedNames, 'nameOf'>): Queryable {
  const prepare = (statement: Sql, client: ClientBase) => {
    const name = nameOf(statement, client)
    const values = [...statement.values]
    return { text: statement.text, values, ...(name === undefined ? {} : { name }) }
  }
  return {
    query: <Shape extends Row>(statement: Sql) =>
      perform(statement, async (client) => {
        const result = await client.query<Shape>({
          ...prepare(statement, client),
          types: parseValues,
        })
        return result.rows
      }),
    texts: (statement) =>
      perform(statement, (client) => readTexts(client, statement, nameOf(statement, client))),
    execute: (statement) =>
      perform(statement, async (client) => {
        const result = await client.query(prepare(statement, client))
        return result.rowCount ?? 0
      }),
  }
}

const asWritten = (text: string) => text

const { JSON, JSONB, DATE, TIMESTAMP, INTERVAL } = types.builtins

/**
 * Parsers for rows as objects: booleans, small numbers, `timestamptz` and arrays of them become
 * JavaScript values. json stays text. So do dates and times without a time zone, because they are
 * not points in time and a `Date` cannot represent them.
 */
const parseValues: CustomTypesConfig = withoutParsers([JSON, JSONB, DATE, TIMESTAMP, INTERVAL])

function withoutParsers(ids: readonly (typeof JSON)[]): TypeOverrides {
  const overrides = new TypeOverrides()
  for (const id of ids) overrides.setTypeParser(id, asWritten)
  return overrides
}

/**
 * Collects rows as received. The driver's own query copies its settings, looks up a parser for each
 * column and emits an event for each row, which took a tenth of the time of a single record
 * (measured).
 */
class TextsQuery extends Query {
  readonly found: (readonly (string | null)[])[] = []
  readonly name: string | undefined

  constructor({ text, values }: Sql, name: string | undefined, done: Done) {
    super(text, [...values], done)
    this.name = name
  }

  handleRowDescription(): void {
    // Texts need no description.
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.found.push(fields)
  }

  handleCommandComplete(): void {
    // The command is already known.
  }
}

async function readTexts(client: ClientBase, statement: Sql, name: string | undefined) {
  const { found } = await run(client, (done) => new TextsQuery(statement, name, done))
  return found
}

/** Sends rows when the server is ready for them. */
class CopyInQuery extends Query {
  readonly #rows: CopiedRows

  constructor(statement: Sql, rows: CopiedRows, done: Done) {
    super(statement.text, done)
    this.#rows = rows
  }

  handleCopyInResponse(connection: CopyTarget): void {
    const isWhole = typeof this.#rows === 'string' || Buffer.isBuffer(this.#rows)
    const pieces = isWhole ? [Buffer.from(this.#rows)] : this.#rows
    for (const rows of pieces) connection.sendCopyFromChunk(rows)
    connection.endCopyFrom()
  }
}

/** Methods of the driver's connection that its types omit. */
type CopyTarget = {
  readonly sendCopyFromChunk: (bytes: Uint8Array) => void
  readonly endCopyFrom: () => void
}

/** Runs `copy … from stdin` with these rows. */
async function copyIn(client: ClientBase, statement: Sql, rows: CopiedRows): Promise<void> {
  await run(client, (done) => new CopyInQuery(statement, rows, done))
}

/** Collects rows as the server sends them. */
class CopyOutQuery extends Query {
  readonly rows: Buffer[] = []

  constructor(statement: Sql, done: Done) {
    super(statement.text, done)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The driver reuses its buffer.
    this.rows.push(Buffer.from(chunk))
  }
}

/** Runs `copy … to stdout`. */
async function copyOut(client: ClientBase, statement: Sql): Promise<Buffer> {
  const { rows } = await run(client, (done) => new CopyOutQuery(statement, done))
  return Buffer.concat(rows)
}

type Done = (error?: Error) => void

/** Runs one of the queries above on a connection. @returns the query, with its collected results */
async function run<Own extends Query>(client: ClientBase, make: (done: Done) => Own): Promise<Own> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const query = make((error) => {
    if (error) reject(error)
    else resolve(undefined)
  })
  client.query(query)
  try {
    await promise
  } catch (error) {
    // The stack then shows the caller that sent the statement, not the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
  return query
}
