import type { Client } from 'pg'
import type { Lease } from '../connections.ts'
import { deadline } from '../deadline.ts'
import type { Log } from '../log.ts'
import { databaseUnreachable, statementTimeout, stopping } from '../pg-errors.ts'
import { connectTo } from './connect.ts'
import type { KeptServer } from './kept-server.ts'
import { Turns } from '../turns.ts'

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
export class SingleConnection {
  readonly #server: KeptServer
  readonly #options: Options
  readonly #turns = new Turns()
  #client: Client | undefined
  #closing: Promise<void> | undefined

  constructor(server: KeptServer, options: Options) {
    this.#server = server
    this.#options = options
  }

  async lease(): Promise<Lease> {
    if (this.#closing !== undefined) throw stopping()
    const endTurn = await this.#turns.take(this.#options.patience, databaseUnreachable)
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
    this.#turns.refuseAll(stopping)
    await this.#turns.take(this.#options.patience, stopping).catch(() => undefined)
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
    this.#turns.refuseAll(databaseUnreachable)
    this.#server.kill().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'The embedded database could not be stopped')
    })
  }
}
