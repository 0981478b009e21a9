import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { extname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { stableCompilers } from '../../../bin/node-options.js'
import { createLimit, deadline } from '../../async/index.ts'
import type { Limit } from '../../async/index.ts'
import type { Connections, Lease, PoolUse } from '../connections.ts'
import type { Log } from '../database.ts'
import { addressFor } from './address.ts'
import type { Address } from './address.ts'
import { databaseUnreachable, statementTimeout, stopping } from '../pg-errors.ts'

type Options = {
  /** Milliseconds that a caller waits for the connection before it is refused. */
  readonly patience: number
  readonly log: Log
}

/**
 * The single connection to the embedded database, leased to one caller at a time.
 *
 * PGlite ignores `statement_timeout` and cannot be interrupted, so a statement that exceeds its
 * limit is stopped by killing the process. A new one is ready a few seconds later.
 */
class SingleConnection {
  readonly #server: KeptServer
  readonly #options: Options
  readonly #limit: Limit
  #client: Client | undefined
  #isLeased = false
  #closing: Promise<void> | undefined

  constructor(server: KeptServer, options: Options) {
    this.#server = server
    this.#options = options
    this.#limit = createLimit({
      places: 1,
      patience: options.patience,
      refuse: databaseUnreachable,
    })
  }

  async lease(): Promise<Lease> {
    if (this.#closing !== undefined) throw stopping()
    const leave = await this.#limit.enter()
    this.#isLeased = true
    const endTurn = () => {
      this.#isLeased = false
      leave()
    }
    try {
      const client = (this.#client ??= await this.#connect())
      return {
        send: (work, limit) => this.#watch(work(client), limit),
        end: (condition) => {
          if (condition === 'usable') endTurn()
          else void this.#drop(client).finally(endTurn)
        },
      }
    } catch (error) {
      endTurn()
      throw databaseUnreachable(error)
    }
  }

  use(): PoolUse {
    const open = this.#client === undefined ? 0 : 1
    return { open, idle: this.#isLeased ? 0 : open, waiting: this.#limit.waiting(), most: 1 }
  }

  /** Waits for the running statement. Callers that wait for the connection are refused. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#limit.refuseAll(stopping)
    await this.#limit.enter({ refuse: stopping }).catch(() => undefined)
    if (this.#client !== undefined) await this.#drop(this.#client)
    await this.#server.close()
  }

  async #connect(): Promise<Client> {
    const client = await connectTo(this.#server)
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    return client
  }

  async #drop(client: Client): Promise<void> {
    if (this.#client === client) this.#client = undefined
    await deadline(client.end(), 2_000, () => new Error('does not end')).catch(() => undefined)
  }

  async #watch<Result>(statement: Promise<Result>, limit: number): Promise<Result> {
    if (limit === 0) return statement
    const overrun = new AbortController()
    const timer = setTimeout(() => {
      overrun.abort()
      this.#stopStatement(limit)
    }, limit)
    try {
      return await statement
    } catch (error) {
      throw overrun.signal.aborted ? statementTimeout(error) : error
    } finally {
      clearTimeout(timer)
    }
  }

  #stopStatement(limit: number): void {
    this.#options.log.warn(
      { limit },
      'A statement overran its time; restarting the embedded database',
    )
    this.#limit.refuseAll(databaseUnreachable)
    this.#server.kill().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'The embedded database could not be stopped')
    })
  }
}

/** How long it may take to learn that the process has died, in milliseconds. */
const newsTime = 1_000

/** Connects to the embedded database or, if its process has just died, to its replacement. */
async function connectTo(server: KeptServer): Promise<Client> {
  const current = await server.current()
  try {
    return await newSession(current.address)
  } catch (error) {
    await deadline(current.ended, newsTime, () => databaseUnreachable(error))
    const next = await server.current()
    return newSession(next.address)
  }
}

/**
 * Opens a session. The state of a PGlite session outlives its connection, so what the previous one
 * left is discarded.
 */
async function newSession(address: Address): Promise<Client> {
  const client = new Client({ ...route(address), ...login })
  // The statement on the connection, or the next one, reports its errors.
  client.on('error', () => undefined)
  await client.connect()
  for (const statement of beginning) await client.query(statement)
  return client
}

/** Sent one by one, because `discard all` cannot run together with other statements. */
const beginning = ['discard all', "set timezone = 'UTC'", "set datestyle = 'ISO'"]

const login = {
  user: 'postgres',
  database: 'postgres',
  application_name: 'hub',
  // Set explicitly, so that PGSSLMODE, PGOPTIONS and the like do not affect the embedded database.
  ssl: false,
  options: '',
  connectionTimeoutMillis: 10_000,
}

function route(address: Address): { readonly host: string; readonly port: number } {
  return address.kind === 'socket'
    ? { host: address.folder, port: 5432 }
    : { host: '127.0.0.1', port: address.port }
}

type EmbeddedOptions = {
  readonly dataDir: string
  /** Decides between a Unix socket and a port. */
  readonly platform: NodeJS.Platform
  /** Whether commits survive a power loss. */
  readonly sync: 'on' | 'off'
  /**
   * Milliseconds that a caller waits for the connection, or a server for another process to release
   * the data folder.
   */
  readonly patience: number
  readonly log: Log
}

/** Milliseconds that a second hub waits for the first to release the data folder. */
const handOver = 10_000

/**
 * Starts the embedded database.
 * @throws Error with the reason, if it cannot be started
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Connections> {
  const { patience, log } = options
  const server = new KeptServer({ ...options, patience: handOver })
  await server.current()
  const connection = new SingleConnection(server, { patience, log })
  return {
    lease: () => connection.lease(),
    use: () => connection.use(),
    close: () => connection.close(),
  }
}

type Server = {
  readonly address: Address
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>
  /** Flushes everything to disk and ends the process. */
  readonly stop: () => Promise<void>
  /** Kills the process, even in the middle of its work. Committed data is not lost. */
  readonly kill: () => Promise<void>
}

/** Milliseconds. The first start in a new folder takes 12 s on two idle cores. */
const startTime = 120_000

/** How long an orderly shutdown may take before the process is killed, in milliseconds. */
const stopTime = 10_000

/** Path of the program next to this file: `.ts` if Node strips types, `.js` once built. */
const program = fileURLToPath(
  new URL(`./server-process${extname(import.meta.url)}`, import.meta.url),
)

/**
 * Starts the process of the embedded database and waits until it accepts connections.
 * @throws Error with the reason, for example that the folder is in use
 */
export async function startServer(options: EmbeddedOptions): Promise<Server> {
  const { dataDir, platform, sync, patience, log } = options
  const folder = resolve(dataDir)
  const address = addressFor(folder, platform)
  const words = [`--data=${folder}`, `--patience=${String(patience)}`]
  if (sync === 'on') words.push('--sync')
  if (address.kind === 'socket') words.push(`--socket=${address.folder}`)
  const child = fork(program, words, {
    execArgv: stableCompilers,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  logOutput(child, log)
  const end = ending(child)
  try {
    const late = () => new Error(`The embedded database is not ready after ${String(startTime)} ms`)
    const port = await deadline(firstReply(child), startTime, late)
    return { address: address.kind === 'socket' ? address : { kind: 'port', port }, ...end }
  } catch (error) {
    await end.kill()
    throw error
  }
}

function ending(child: ChildProcess): Pick<Server, 'ended' | 'stop' | 'kill'> {
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<undefined>()
  child.once('exit', hasEnded)
  // Without a process id it never started, and there is no exit event.
  if (child.pid === undefined) hasEnded(undefined)
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  const stop = () => {
    if (child.connected) child.disconnect()
    return deadline(ended, stopTime, () => new Error('does not end')).catch(kill)
  }
  return { ended, stop, kill }
}

/** The single message from the database process to the hub. */
const reply = Type.Union([
  /** The port is 0 if it listens on a Unix socket. */
  Type.Object({ kind: Type.Literal('ready'), port: Type.Integer() }),
  Type.Object({ kind: Type.Literal('failed'), reason: Type.String() }),
])
export type Reply = Static<typeof reply>

/** @returns the port on which it listens */
function firstReply(child: ChildProcess): Promise<number> {
  return new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(new Error(`The embedded database ended while it started (${String(signal ?? code)})`))
    })
    child.once('message', (message) => {
      if (!Check(reply, message)) reject(new Error('The embedded database sent an unknown reply'))
      else if (message.kind === 'failed') reject(new Error(message.reason))
      else settle(message.port)
    })
  })
}

/** Turns PGlite's output, plain-text warnings of PostgreSQL, into log entries. */
function logOutput({ stdout, stderr }: ChildProcess, log: Log): void {
  for (const output of [stdout, stderr]) {
    if (output === null) continue
    createInterface(output).on('line', (line) => {
      log.warn({ line }, 'Message of the embedded database')
    })
  }
}

/** Keeps the process of the embedded database running: if it dies, it is restarted at once. */
class KeptServer {
  readonly #options: EmbeddedOptions
  #running: Promise<Server> | undefined
  #closed = false

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  /**
   * Returns the running process. If there is none, starts it or waits for the start in progress.
   */
  current(): Promise<Server> {
    if (this.#closed) return Promise.reject(new Error('The embedded database was closed'))
    this.#running ??= this.#start()
    return this.#running
  }

  /** Kills the process in the middle of its work. A new one starts. */
  async kill(): Promise<void> {
    const server = await this.#running
    await server?.kill()
  }

  /** Flushes everything to disk and ends the process for good. */
  async close(): Promise<void> {
    this.#closed = true
    const server = await this.#running?.catch(() => undefined)
    await server?.stop()
  }

  async #start(): Promise<Server> {
    try {
      const server = await startServer(this.#options)
      void server.ended.then(() => {
        this.#startAgain()
      })
      return server
    } catch (error) {
      // The next request tries again.
      this.#running = undefined
      throw error
    }
  }

  #startAgain(): void {
    this.#running = undefined
    if (this.#closed) return
    const { log } = this.#options
    log.error({}, 'The process of the embedded database ended; starting it again')
    this.current().catch((error: unknown) => {
      log.error({ err: error }, 'The embedded database could not be started again')
    })
  }
}
