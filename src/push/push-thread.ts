import type { Worker } from 'node:worker_threads'
import { AppError } from '../errors/index.ts'
import type { ErrorCode } from '../errors/index.ts'
import type { Database, Log } from '../storage/index.ts'
import type { Mappings, Pipeline, Stored } from './pipeline.ts'
import type { Settled } from './queue/process-messages.ts'
import { PushWorker } from './queue/worker.ts'
import { tryOut } from './try-out.ts'
import type { Trial } from './try-out.ts'

type ToThread =
  | { readonly kind: 'wake' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'try'; readonly id: number; readonly trial: Trial }

type FromThread =
  | { readonly kind: 'settled'; readonly settled: Omit<Settled, 'error'> }
  | { readonly kind: 'tried'; readonly id: number; readonly outcome: Stored }
  | { readonly kind: 'not tried'; readonly id: number; readonly code: ErrorCode }

type ThreadDeps = {
  /** Starts the thread; it calls `runThread`. */
  readonly open: () => Worker
  readonly log: Log
  readonly onSettled: (settled: Omit<Settled, 'error'>) => void
}

type Waiting = {
  /** Who tries it. */
  readonly thread: Worker
  readonly resolve: (outcome: Stored) => void
  readonly reject: (error: Error) => void
}

/**
 * The thread that processes pushed messages, seen from the thread that answers requests. It is started when
 * there is work for the first time. If it ends by itself (a body that takes all its memory), the next
 * message starts it again, and the hub continues.
 */
export class PushThread {
  readonly #deps: ThreadDeps
  readonly #trials = new Map<number, Waiting>()
  #thread: Worker | undefined
  #isStopping = false
  #lastTrial = 0

  constructor(deps: ThreadDeps) {
    this.#deps = deps
  }

  /** Reports that there are messages to process. */
  wake(): void {
    if (!this.#isStopping) this.#send({ kind: 'wake' })
  }

  /**
   * What a push of this body would do, of which nothing stays.
   * @throws AppError HUB-SRV-002 and others of the database; HUB-SRV-001 when the thread failed
   */
  tryOut(trial: Trial): Promise<Stored> {
    const { promise, resolve, reject } = Promise.withResolvers<Stored>()
    const id = ++this.#lastTrial
    this.#trials.set(id, { thread: this.#current(), resolve, reject })
    this.#send({ kind: 'try', id, trial })
    return promise
  }

  /** Further messages go to a new thread; this one finishes those in progress. */
  renew(): void {
    const stop: ToThread = { kind: 'stop' }
    this.#thread?.postMessage(stop)
    this.#thread = undefined
  }

  /** Finishes the messages in progress and ends the thread. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const thread = this.#thread
    if (thread === undefined) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    thread.once('exit', () => {
      resolve(undefined)
    })
    this.#send({ kind: 'stop' })
    await promise
  }

  #send(message: ToThread): void {
    this.#current().postMessage(message)
  }

  #current(): Worker {
    return (this.#thread ??= this.#start())
  }

  #start(): Worker {
    const { open, log } = this.#deps
    const thread = open()
    thread.on('message', (message: FromThread) => {
      this.#receive(message)
    })
    thread.on('error', (err: unknown) => {
      log.error({ err }, 'The thread that works on pushed messages failed.')
    })
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      for (const [id, trial] of this.#trials) {
        if (trial.thread !== thread) continue
        trial.reject(failed('HUB-SRV-001'))
        this.#trials.delete(id)
      }
    })
    return thread
  }

  #receive(message: FromThread): void {
    if (message.kind === 'settled') {
      this.#deps.onSettled(message.settled)
      return
    }
    const waiting = this.#trials.get(message.id)
    this.#trials.delete(message.id)
    if (message.kind === 'tried') waiting?.resolve(message.outcome)
    else waiting?.reject(failed(message.code))
  }
}

function failed(code: ErrorCode): AppError {
  return new AppError(code, 'The body could not be tried out.', {
    hint: 'Nothing was stored. Send it again, with dryrun=true or without.',
    ...(code === 'HUB-SRV-001' ? {} : { headers: { 'retry-after': '5' } }),
  })
}

type WorkDeps = {
  /** To the thread that answers requests. */
  readonly port: {
    readonly postMessage: (message: FromThread) => void
    readonly on: (event: 'message', listener: (message: ToThread) => void) => unknown
  }
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
  readonly now: () => Date
  readonly patience: number
  readonly log: Pick<Log, 'info' | 'error'>
  readonly atOnce: number
}

/**
 * Works on pushed messages in the thread that calls this, so that taking bodies apart never keeps the
 * thread that answers requests from answering.
 * @returns resolves when it has stopped on request
 */
export async function runThread(deps: WorkDeps): Promise<void> {
  const { port } = deps
  const stopped = Promise.withResolvers<undefined>()
  const onSettled = ({ error: _inTheLog, ...settled }: Settled) => {
    port.postMessage({ kind: 'settled', settled })
  }
  const worker = new PushWorker({ ...deps, onSettled })
  port.on('message', (message) => {
    if (message.kind === 'wake') worker.wake()
    else if (message.kind === 'stop') stopped.resolve(undefined)
    else void answer(deps, message.id, message.trial)
  })
  worker.start()
  await stopped.promise
  await worker.stop()
  await deps.mappings?.close()
}

async function answer({ port, log, ...deps }: WorkDeps, id: number, trial: Trial): Promise<void> {
  try {
    port.postMessage({ kind: 'tried', id, outcome: await tryOut(deps, trial) })
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error }, 'A body could not be tried out.')
    const code = error instanceof AppError ? error.code : 'HUB-SRV-001'
    port.postMessage({ kind: 'not tried', id, code })
  }
}
