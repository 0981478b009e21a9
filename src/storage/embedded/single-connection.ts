import { Client } from 'pg'
import type { Limit } from '../../async/index.ts'
import { createLimit, deadline } from '../../async/index.ts'
import type { Connections, Lease } from '../connections.ts'
import type { Log } from '../database.ts'
import { databaseUnreachable, statementTimeout, stopping } from '../pg-errors.ts'
import type { Address } from './address.ts'
import { KeptServer } from './kept-server.ts'

type Options = {
  /** Milliseconds that a caller waits for the connection before it is refused. */
  readonly patience: number
  readonly log: Log
}

/**
 * The one connection to the embedded database, given to one caller at a time.
 *
 * PGlite ignores `statement_timeout` and cannot be interrupted, so a statement that overruns its
 * limit is stopped by killing the process. A new one is ready a few seconds later.
 */
class SingleConnection {
  readonly #server: KeptServer
  readonly #options: Options
  readonly #limit: Limit
  #client: Client | undefined
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
    const endTurn = await this.#limit.enter()
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

  /** Waits for the statement that is running; whoever waits for the connection is refused. */
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

/** How long the news of a death may take, in milliseconds. */
const newsTime = 1_000

/** Connects to the embedded database; when that has just died, to the one that follows it. */
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

/** A session of PGlite outlives its connection: what the last one left in it is discarded. */
async function newSession(address: Address): Promise<Client> {
  const client = new Client({ ...route(address), ...login })
  // What happens to the connection is seen by the statement on it, or by the next one.
  client.on('error', () => undefined)
  await client.connect()
  for (const statement of beginning) await client.query(statement)
  return client
}

/** One by one, because `discard all` refuses to run together with others. */
const beginning = ['discard all', "set timezone = 'UTC'", "set datestyle = 'ISO'"]

const login = {
  user: 'postgres',
  database: 'postgres',
  application_name: 'hub',
  // Given, so that variables such as PGSSLMODE and PGOPTIONS do not reach the embedded database.
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
  /** Milliseconds that a caller waits for the one connection before it is refused. */
  readonly patience: number
  readonly log: Log
}

/** Milliseconds that a second hub waits for the first to leave the data folder. */
const handOver = 10_000

/**
 * Starts the embedded database.
 * @throws Error when it cannot be started, with the reason
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Connections> {
  const { dataDir, platform, patience, log } = options
  const server = new KeptServer({ dataDir, platform, log, patience: handOver })
  await server.current()
  const connection = new SingleConnection(server, { patience, log })
  return { lease: () => connection.lease(), close: () => connection.close() }
}
