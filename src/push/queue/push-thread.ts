import type { Worker } from 'node:worker_threads'
import type { Entity } from '../../content/index.ts'
import { AppError } from '../../errors/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import type { Log } from '../../storage/index.ts'
import { tryOut } from '../try-out.ts'
import type { Trial, Tried } from '../try-out.ts'
import { claimFresh, claimRetry } from './claim-messages.ts'
import type { Claim, Share } from './claim-messages.ts'
import { processMessages } from './process-messages.ts'
import type { ProcessDeps, Settled } from './process-messages.ts'

type ToThread =
  | { readonly kind: 'wake' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'try'; readonly id: number; readonly trial: Trial }

type FromThread =
  | { readonly kind: 'settled'; readonly settled: Omit<Settled, 'error'> }
  | { readonly kind: 'tried'; readonly id: number; readonly outcome: Tried }
  | { readonly kind: 'not tried'; readonly id: number; readonly code: ErrorCode }

type ThreadDeps = {
  /** Starts the thread, which calls `runThread`. */
  readonly open: () => Worker
  readonly log: Log
  readonly onSettled: (settled: Omit<Settled, 'error'>) => void
}

type Waiting = {
  readonly thread: Worker
  readonly resolve: (outcome: Tried) => void
  readonly reject: (error: Error) => void
}

/**
 * Handle of the thread that processes pushed messages, for the thread that serves requests. It is
 * started when there is work for the first time. If it ends by itself, such as for a body that
 * takes all its memory, the next message restarts it, and the hub keeps running.
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

  /** Notifies the thread that there are messages to process. */
  wake(): void {
    if (!this.#isStopping) this.#send({ kind: 'wake' })
  }

  /**
   * Returns what a push of this body would do. Nothing of it stays stored.
   * @throws AppError HUB-SRV-002 and other errors of the database; HUB-SRV-001 if the thread failed
   */
  tryOut(trial: Trial): Promise<Tried> {
    const { promise, resolve, reject } = Promise.withResolvers<Tried>()
    const id = ++this.#lastTrial
    this.#trials.set(id, { thread: this.#current(), resolve, reject })
    this.#send({ kind: 'try', id, trial })
    return promise
  }

  /** Sends further messages to a new thread, and lets this one finish those in progress. */
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

type WorkDeps = WorkerDeps & {
  /** Channel to the thread that serves requests. */
  readonly port: {
    readonly postMessage: (message: FromThread) => void
    readonly on: (event: 'message', listener: (message: ToThread) => void) => unknown
  }
  /** Entities whose records are compared when a body is tried out. */
  readonly entities: readonly Entity[]
}

/**
 * Processes pushed messages in the calling thread, so that parsing bodies never blocks the thread
 * that serves requests.
 * @returns a promise that resolves once it has stopped on request
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

type WorkerDeps = ProcessDeps & {
  readonly log: Pick<Log, 'info' | 'error'>
  /** Number of messages, or groups of small ones, that are processed at a time. Default: 1. */
  readonly atOnce?: number
  /** Called with the outcome of each message. */
  readonly onSettled?: (settled: Settled) => void
}

const pollMilliseconds = 1000

/**
 * Processes the message table, oldest first. Several workers, here or on other nodes, may run at
 * once.
 */
export class PushWorker {
  readonly #deps: WorkerDeps
  #isStopping = false
  readonly #sleeping = new Set<Sleeper>()
  #running: Promise<unknown> | undefined

  constructor(deps: WorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    // A large body is in memory several times while it is parsed, so only one loop claims large
    // ones.
    const loops = Array.from(
      { length: this.#deps.atOnce ?? 1 },
      (_, index) => this.#running ?? this.#run({ takesLarge: index === 0 }),
    )
    this.#running ??= Promise.all(loops)
  }

  /**
   * Notifies the worker that a message has arrived. Otherwise it finds the message within a second.
   */
  wake(): void {
    for (const sleeper of this.#sleeping) sleeper.wake()
  }

  /**
   * Finishes the messages in progress, puts back those whose evaluation has not started, and stops.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    await this.#running
    this.#running = undefined
    this.#isStopping = false
  }

  async #run(share: Share): Promise<void> {
    while (!this.#isStopping) {
      // If it is woken while it works, it does not sleep afterwards.
      const sleeper = toSleeper()
      this.#sleeping.add(sleeper)
      if (!(await this.#workOnce(share))) await sleeper.sleep()
      this.#sleeping.delete(sleeper)
    }
  }

  /** Processes what is due now. Returns whether there may be more to do. */
  async #workOnce(share: Share): Promise<boolean> {
    const { database, now, log } = this.#deps
    try {
      const retry = await claimRetry(database, now(), share)
      if (retry !== undefined) await this.#workOnRetry(retry)
      const fresh = this.#isStopping ? [] : await claimFresh(database, now(), share)
      if (fresh.length > 0) await this.#workOn(fresh)
      return retry !== undefined || fresh.length > 0
    } catch (err) {
      log.error({ err }, 'The push worker could not work on the message table.')
      return false
    }
  }

  async #workOnRetry(claim: Claim & { readonly isDead: boolean }): Promise<void> {
    if (claim.isDead) this.#report({ ...claim, state: 'dead', stored: 0, rejected: 0, seconds: 0 })
    else await this.#workOn([claim])
  }

  async #workOn(claims: readonly Claim[]): Promise<void> {
    const messages = claims.map(({ id }) => id)
    this.#deps.log.info({ messages }, 'Working on pushed messages.')
    const isStopping = () => this.#isStopping
    for await (const settled of processMessages(this.#deps, claims, isStopping))
      this.#report(settled)
  }

  #report(settled: Settled): void {
    const { log, onSettled } = this.#deps
    const { id: message, error: err, ...what } = settled
    if (settled.state === 'dead' || settled.state === 'postponed') {
      log.error({ message, ...what, err }, 'A pushed message could not be stored.')
    } else log.info({ message, ...what }, 'A pushed message is done.')
    onSettled?.(settled)
  }
}

type Sleeper = { readonly sleep: () => Promise<void>; readonly wake: () => void }

/**
 * Creates a sleep that can be ended early. Messages wake the worker all the time, so this creates
 * no error for it, unlike an AbortSignal.
 */
function toSleeper(): Sleeper {
  const woken = Promise.withResolvers<undefined>()
  const wake = () => {
    woken.resolve(undefined)
  }
  return {
    wake,
    sleep: async () => {
      const timer = setTimeout(wake, pollMilliseconds)
      await woken.promise
      clearTimeout(timer)
    },
  }
}
