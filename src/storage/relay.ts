import { EventEmitter } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../errors/index.ts'
import type { ErrorCode } from '../errors/index.ts'
import { Sql } from '../sql/index.ts'
import type { Database, Limits, Queryable, Row, TextRow, Transaction } from './database.ts'
import { addressFor } from './embedded/address.ts'
import { databaseUnreachable } from './pg-errors.ts'

/** One end of a channel between a thread or process that has the database and one that uses it. */
type Port<In, Out> = {
  readonly on: (listener: (message: In) => void) => void
  readonly onClose: (listener: () => void) => void
  readonly postMessage: (message: Out) => void
}

/** Wraps the end of a channel between threads. */
export function portOf<In, Out>(port: MessagePort): Port<In, Out> {
  return {
    on: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
    postMessage: (message) => {
      port.postMessage(message)
    },
  }
}

/** A request to the thread that has the database. `tx` identifies one of its transactions. */
type Request =
  | {
      readonly kind: 'query' | 'texts' | 'execute'
      readonly id: number
      readonly tx: number | undefined
      readonly parts: readonly string[]
      readonly values: readonly unknown[]
    }
  | { readonly kind: 'begin'; readonly id: number; readonly limits: Limits | undefined }
  | { readonly kind: 'commit' | 'rollback'; readonly id: number; readonly tx: number }
  | { readonly kind: 'ping'; readonly id: number }

type Reply =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }

/** An error in transit between threads, where classes are lost. */
type SentError =
  | {
      readonly kind: 'known'
      readonly code: ErrorCode
      readonly message: string
      readonly hint: string | undefined
      readonly headers: Readonly<Record<string, string>>
      readonly cause: string
    }
  /** `code` is the SQLSTATE of a database error. */
  | { readonly kind: 'other'; readonly message: string; readonly code: string | undefined }

function toSent(error: unknown): SentError {
  if (error instanceof AppError) {
    const { code, message, hint, headers, cause } = error
    return { kind: 'known', code, message, hint, headers, cause: String(cause) }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return { kind: 'other', message: String(error), code }
}

function fromSent(error: SentError): Error {
  if (error.kind === 'other') return Object.assign(new Error(error.message), { code: error.code })
  const { code, message, hint, headers, cause } = error
  return new AppError(code, message, { headers, cause, ...(hint === undefined ? {} : { hint }) })
}

/** A request without the `id`, which `ask` adds. */
type RequestWithoutId = Request extends infer Kind
  ? Kind extends Request
    ? Omit<Kind, 'id'>
    : never
  : never

/**
 * Uses the database of another thread or process, for an engine with a single connection. The other
 * end is `serveDatabase`. Lists are converted to text here, so that the other thread only passes
 * them on.
 */
export function relayedDatabase(port: Port<Reply, Request>, engine: Database['engine']): Database {
  const ask = asking(port)
  const write = queryableOn(ask, undefined)
  return {
    engine,
    ...write,
    read: write,
    heavy: () => write,
    transaction: async (work, limits) => {
      const tx = Number(await ask({ kind: 'begin', limits }))
      const transaction: Transaction = { kind: 'transaction', ...queryableOn(ask, tx) }
      let result
      try {
        result = await work(transaction)
      } catch (error) {
        await ask({ kind: 'rollback', tx }).catch(() => undefined)
        throw error
      }
      await ask({ kind: 'commit', tx })
      return result
    },
    ping: async () => {
      await ask({ kind: 'ping' })
    },
    close: () => Promise.resolve(),
  }
}

type Ask = (wish: RequestWithoutId) => Promise<unknown>

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

function asking(port: Port<Reply, Request>): Ask {
  const waiting = new Map<number, Waiting>()
  let last = 0
  port.on((reply) => {
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.kind === 'done') asked?.resolve(reply.value)
    else asked?.reject(fromSent(reply.error))
  })
  port.onClose(() => {
    const gone = databaseUnreachable(new Error('The hub that has the database ended'))
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  })
  return (wish) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++last
    waiting.set(id, { resolve, reject })
    port.postMessage({ ...wish, id })
    return promise
  }
}

function queryableOn(ask: Ask, tx: number | undefined): Queryable {
  const run = (kind: 'query' | 'texts' | 'execute', { parts, values }: Sql) =>
    ask({ kind, tx, parts, values: values.map(toText) })
  return {
    query: async <Shape extends Row>(statement: Sql) => {
      const rows: readonly Shape[] = toRows(await run('query', statement))
      return rows
    },
    texts: async (statement) => {
      const rows: readonly TextRow[] = toRows(await run('texts', statement))
      return rows
    },
    execute: async (statement) => Number(await run('execute', statement)),
  }
}

/** Converts lists of texts and numbers like the driver. Other values stay unchanged. */
function toText(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const list: readonly unknown[] = value
  const elements = list.map(toElement)
  return elements.includes(undefined) ? value : `{${elements.join(',')}}`
}

/** Writes an element of an array literal (PostgreSQL documentation, section 8.15.2). */
function toElement(element: unknown): string | undefined {
  if (element === null) return 'null'
  if (typeof element === 'string') return `"${element.replace(/["\\]/g, '\\$&')}"`
  return typeof element === 'number' ? String(element) : undefined
}

/**
 * Casts rows to their shape, for which the caller is responsible, as with every `Database`. Bytes
 * have lost their class.
 */
function toRows<Shape>(value: unknown): readonly Shape[] {
  const rows: readonly Shape[] = Array.isArray(value) ? value : []
  return rows
}

/**
 * Lets another thread or process use the database of this one, through `relayedDatabase` at the
 * other end of the port.
 * @returns a function that rolls back every open transaction of the other thread, once that is gone
 */
export function serveDatabase(database: Database, port: Port<Request, Reply>): () => void {
  const open: OpenTransactions = new Map()
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
    // A transaction that still waits for its connection starts, although nobody needs it any more.
    for (const begun of open.values())
      begun.then(({ end }) => end('rollback')).catch(() => undefined)
    open.clear()
  }
}

async function answer(
  database: Database,
  open: OpenTransactions,
  request: Request,
): Promise<unknown> {
  switch (request.kind) {
    case 'ping':
      return database.ping()
    case 'begin': {
      const begun = begin(database, request.limits)
      open.set(request.id, begun)
      begun.catch(() => open.delete(request.id))
      await begun
      return request.id
    }
    case 'commit':
    case 'rollback': {
      const found = open.get(request.tx)
      open.delete(request.tx)
      return (await found)?.end(request.kind)
    }
    default: {
      const { kind, parts, values, tx } = request
      const target = tx === undefined ? database : (await open.get(tx))?.tx
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

/**
 * Transactions by the id of the request that began them, including those that have not started yet.
 */
type OpenTransactions = Map<number, Promise<OpenTransaction>>

/** Holds a transaction open until its end is requested. */
async function begin(database: Database, limits: Limits | undefined): Promise<OpenTransaction> {
  const started = Promise.withResolvers<Transaction>()
  const reported = Promise.withResolvers<End>()
  const rolledBack = new Error('The other thread requested a rollback')
  const over = database
    .transaction(async (tx) => {
      started.resolve(tx)
      if ((await reported.promise) === 'rollback') throw rolledBack
    }, limits)
    .catch((error: unknown) => {
      started.reject(error)
      if (error !== rolledBack) throw error
    })
  // The caller of `end` sees this error, and that of `begin` sees a failed start through `started`.
  over.catch(() => undefined)
  return {
    tx: await started.promise,
    end: (end) => {
      reported.resolve(end)
      return over
    },
  }
}

/** Data folder of an embedded database, and the operating system. */
type Place = { readonly dataDir: string; readonly platform: NodeJS.Platform }

/**
 * Lets commands use the embedded database of this running hub, through a socket next to that of the
 * database. Only this user can open it.
 * @returns a function that stops it
 */
export async function shareDatabase(database: Database, place: Place): Promise<() => void> {
  const path = socketOf(place)
  if (path === undefined) return () => undefined
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    const endTransactions = serveDatabase(database, portOn<Request, Reply>(socket))
    socket.on('close', () => {
      open.delete(socket)
      endTransactions()
    })
  })
  // Left behind by a hub that was killed: this one holds the lock of the data folder now.
  rmSync(path, { force: true })
  const listening = Promise.withResolvers<undefined>()
  server.once('error', listening.reject)
  server.listen(path, () => {
    listening.resolve(undefined)
  })
  await listening.promise
  server.unref()
  return () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
}

/** Connects to the embedded database of a running hub, if one uses this data folder. */
export async function joinDatabase(place: Place): Promise<Database | undefined> {
  const path = socketOf(place)
  if (path === undefined) return undefined
  const socket = connect(path)
  const isThere = await new Promise<boolean>((settle) => {
    socket.once('connect', () => {
      settle(true)
    })
    socket.once('error', () => {
      settle(false)
    })
  })
  if (!isThere) return undefined
  const database = relayedDatabase(portOn<Reply, Request>(socket), 'embedded')
  return {
    ...database,
    close: () => {
      socket.destroy()
      return Promise.resolve()
    },
  }
}

function socketOf({ dataDir, platform }: Place): string | undefined {
  const address = addressFor(resolve(dataDir), platform)
  return address.kind === 'socket' ? join(address.folder, 'hub.sock') : undefined
}

const lengthBytes = 4

/**
 * Sends messages over a socket as threads send them to each other. Each is preceded by its length.
 */
function portOn<In, Out>(socket: Socket): Port<In, Out> {
  // A lost connection is handled by `close`.
  socket.on('error', () => undefined)
  return {
    on: (listener) => {
      // Only programs of this user, and of this version, can be at the other end.
      const incoming = new EventEmitter().on('message', listener)
      // A large message arrives in many pieces, which are concatenated once.
      let pieces: Buffer[] = []
      let [size, needed] = [0, lengthBytes]
      socket.on('data', (piece: Buffer) => {
        pieces.push(piece)
        size += piece.length
        if (size < needed) return
        let left = Buffer.concat(pieces)
        while (left.length >= (needed = neededOf(left))) {
          incoming.emit('message', deserialize(left.subarray(lengthBytes, needed)))
          left = left.subarray(needed)
        }
        pieces = [left]
        size = left.length
      })
    },
    onClose: (listener) => {
      socket.on('close', listener)
    },
    postMessage: (message) => {
      const bytes = serialize(message)
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(bytes.length)
      socket.write(Buffer.concat([length, bytes]))
    },
  }
}

/** Returns the length of the message at the start of `left`; of its header if incomplete. */
function neededOf(left: Buffer): number {
  return left.length < lengthBytes ? lengthBytes : lengthBytes + left.readUInt32BE()
}
