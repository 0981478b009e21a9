import { startServer } from './start-server.ts'
import type { Server, ServerOptions } from './start-server.ts'

/** Keeps the process of the embedded database running: one that dies is started again at once. */
export class KeptServer {
  readonly #options: ServerOptions
  #running: Promise<Server> | undefined
  #closed = false

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** The running process. When there is none, this starts it, or waits for the start under way. */
  current(): Promise<Server> {
    if (this.#closed) return Promise.reject(new Error('The embedded database was closed'))
    this.#running ??= this.#start()
    return this.#running
  }

  /** Ends the process in the middle of its work; a new one starts. */
  async kill(): Promise<void> {
    const server = await this.#running
    await server?.kill()
  }

  /** Writes everything out and ends the process for good. */
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
      // The next one who asks tries again.
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
