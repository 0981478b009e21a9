import { AsyncLocalStorage } from 'node:async_hooks'
import { createLimit } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Condition, Connections, Lease, Send } from './connections.ts'
import type { Database, Queryable, Transaction } from './database.ts'
import {
  conditionAfter,
  databaseUnreachable,
  isStalePreparation,
  translateError,
} from './pg-errors.ts'
import { copyRows, preparedNames, toQueryable } from './to-queryable.ts'
import type { Perform, PreparedNames } from './to-queryable.ts'

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
      return guard.inside(() => runTransaction(lease, work, { engine, limit, limitOf, names }))
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

type Settings = {
  /** PGlite loses its connection by COPY from it. */
  readonly engine: Database['engine']
  /** Milliseconds for each statement, 0 for no limit. */
  readonly limit: number
  /** `own` when the limit is not the one of the session, so the server has to be told. */
  readonly limitOf: 'session' | 'own'
  readonly names: PreparedNames
}

/** Runs `work` between `begin` and `commit` on the leased connection, and ends the lease. */
async function runTransaction<Result>(
  lease: Lease,
  work: (tx: Transaction) => Promise<Result>,
  { engine, limit, limitOf, names }: Settings,
): Promise<Result> {
  const held = new HeldConnection(lease, limit)
  const copy: NonNullable<Transaction['copy']> = (statement, rows) =>
    held.perform(statement, (client) => copyRows(client, statement, rows))
  const tx: Transaction = {
    kind: 'transaction',
    ...toQueryable(held.perform, names),
    ...(engine === 'postgresql' ? { copy } : {}),
  }
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

/** One connection for the time of a transaction: one statement after the other, until `end`. */
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

  /** Returns the connection; a broken one is thrown away, which rolls back what was not committed. */
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

/** Runs the statement by calling `work`, once, and hands on what comes of it. */
export type AroundStatement = <Result>(
  statement: Sql,
  work: () => Promise<Result>,
) => Promise<Result>

/** The same database, with something around every statement, such as a clock; not around begin and commit. */
export function watchStatements(database: Database, around: AroundStatement): Database {
  return {
    ...database,
    ...watchQueryable(database, around),
    read: watchQueryable(database.read, around),
    heavy: () => watchQueryable(database.heavy(), around),
    transaction: (work, limits) =>
      database.transaction((tx) => work({ ...tx, ...watchQueryable(tx, around) }), limits),
  }
}

function watchQueryable(queryable: Queryable, around: AroundStatement): Queryable {
  return {
    query: (statement) => around(statement, () => queryable.query(statement)),
    texts: (statement) => around(statement, () => queryable.texts(statement)),
    execute: (statement) => around(statement, () => queryable.execute(statement)),
  }
}

type Line = {
  /** Statements that run at once. */
  readonly places: number
  /** Milliseconds that a statement waits for its place. */
  readonly patience: number
}

/** Requests that may wait for their first statement. */
const mostWaiting = 16

/**
 * Connections for requests that may keep the database busy for seconds: few of their statements run at once, so
 * that those of others hardly wait for them (decision D70). Each request gets its own from the function: its first
 * statement is refused while many wait, and those that follow are not, so an answer that has begun continues.
 * @throws AppError HUB-SRV-008 from `lease`, when too many wait or one has waited too long
 */
function heavyLine(connections: Connections, { places, patience }: Line): () => Connections {
  const limit = createLimit({ places, patience, refuse: tooManyHeavy })
  return () => {
    let isAdmitted = false
    return {
      lease: async () => {
        if (!isAdmitted && limit.waiting() >= mostWaiting) throw tooManyHeavy()
        isAdmitted = true
        const leave = await limit.enter()
        try {
          const lease = await connections.lease()
          return {
            send: lease.send,
            end: (condition) => {
              lease.end(condition)
              leave()
            },
          }
        } catch (error) {
          leave()
          throw error
        }
      },
      close: () => connections.close(),
    }
  }
}

function tooManyHeavy(): AppError {
  return new AppError('HUB-SRV-008', 'Too many requests that take long wait for the database.', {
    hint: 'Try again after the time in Retry-After, or request less: a shorter range, a smaller circle, fewer conditions.',
    headers: { 'Retry-After': '10' },
  })
}

/** How often the clocks are compared, in milliseconds. */
const interval = 60_000

type Clocks = {
  readonly database: Pick<Queryable, 'query'>
  readonly now: () => Date
  readonly every: (milliseconds: number, work: () => void) => unknown
  /** What is compared with the database's clock: `now` may be moved by a test. */
  readonly machine: () => Date
}

/**
 * The time of the database, which all nodes of a hub share: what a node with a wrong clock stores is neither older
 * nor younger than what the others do (decision D53), and what it holds for a time is held that long. It is right to
 * within the time that the database takes to answer.
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
  // One that fails is made good by the next one.
  every(interval, () => void compare().catch(() => undefined))
  return () => new Date(now().getTime() + ahead)
}
