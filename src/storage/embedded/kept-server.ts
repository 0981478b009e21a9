import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { extname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Check } from 'typebox/value'
import { stableCompilers } from '../../../bin/node-options.js'
import type { Log } from '../database.ts'
import { deadline } from '../../async/index.ts'
import { addressFor, reply } from './address.ts'
import type { Address, StartMessage } from './address.ts'

type ServerOptions = {
  readonly dataDir: string
  /** Decides between a Unix socket and a port. */
  readonly platform: NodeJS.Platform
  /** Milliseconds to wait for another process to leave the data folder. */
  readonly patience: number
  readonly log: Log
}

type Server = {
  readonly address: Address
  /** Resolves when the process is gone, for whatever reason. */
  readonly ended: Promise<void>
  /** Writes everything out and ends the process. */
  readonly stop: () => Promise<void>
  /** Ends the process at once, whatever it is doing. What was committed is not lost. */
  readonly kill: () => Promise<void>
}

/** The first start in a new folder takes 12 s on two quiet cores. */
const startTime = 120_000

/** How long an orderly end may take before it becomes a hard one, in milliseconds. */
const stopTime = 10_000

/** Beside this file; `.ts` when Node strips the types, `.js` in the built package. */
const program = fileURLToPath(
  new URL(`./server-process${extname(import.meta.url)}`, import.meta.url),
)

/**
 * Starts the process of the embedded database and waits until it takes connections.
 * @throws Error with the reason, for example that the folder is in use
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { dataDir, platform, patience, log } = options
  const folder = resolve(dataDir)
  const address = addressFor(folder, platform)
  const message: StartMessage = { kind: 'start', dataDir: folder, address, patience }
  const child = fork(program, {
    execArgv: stableCompilers,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  logOutput(child, log)
  const end = ending(child)
  // A process that ended before it read the message is reported by its exit.
  child.send(message, () => undefined)
  try {
    const late = () => new Error(`The embedded database is not ready after ${String(startTime)} ms`)
    return { address: await deadline(firstReply(child), startTime, late), ...end }
  } catch (error) {
    await end.kill()
    throw error
  }
}

function ending(child: ChildProcess): Pick<Server, 'ended' | 'stop' | 'kill'> {
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<undefined>()
  child.once('exit', hasEnded)
  // Without a process id it never started, and then there is no exit.
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

function firstReply(child: ChildProcess): Promise<Address> {
  return new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(new Error(`The embedded database ended while it started (${String(signal ?? code)})`))
    })
    child.once('message', (message) => {
      if (!Check(reply, message)) reject(new Error('The embedded database sent an unknown reply'))
      else if (message.kind === 'failed') reject(new Error(message.reason))
      else settle(message.address)
    })
  })
}

/** PGlite writes warnings of PostgreSQL as plain text; in the log they become entries. */
function logOutput({ stdout, stderr }: ChildProcess, log: Log): void {
  for (const output of [stdout, stderr]) {
    if (output === null) continue
    createInterface(output).on('line', (line) => {
      log.warn({ line }, 'The embedded database says something')
    })
  }
}

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
