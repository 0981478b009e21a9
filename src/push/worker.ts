import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../errors/index.ts'
import type { Database } from '../storage/index.ts'
import { claimMessage, mostAttempts, postponeMessage } from './messages.ts'
import type { Claim } from './messages.ts'
import type { Pipeline } from './pipeline.ts'
import { processMessage } from './process-message.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly now: () => Date
  readonly log: { readonly error: (context: object, message: string) => void }
}

const pollMilliseconds = 1000

/** Works off the message table, oldest first. Several workers, here or on other nodes, may run at once. */
export class PushWorker {
  readonly #deps: Deps
  #stopping = new AbortController()
  #sleeping = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Says that a message has come; without it the worker finds it within a second. */
  wake(): void {
    this.#sleeping.abort()
  }

  /** Finishes the message in hand and stops. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#running
    this.#running = undefined
    this.#stopping = new AbortController()
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#sleeping = new AbortController()
      if (!(await this.#workOnce())) await this.#sleep()
    }
  }

  /** @returns whether there may be more to do */
  async #workOnce(): Promise<boolean> {
    try {
      const claim = await claimMessage(this.#deps.database, this.#deps.now())
      if (claim === undefined) return false
      if (!claim.isDead) await this.#workOn(claim)
      return true
    } catch (error) {
      this.#deps.log.error({ err: error }, 'The push worker could not reach the message table.')
      return false
    }
  }

  async #workOn(claim: Claim): Promise<void> {
    try {
      await processMessage(this.#deps, claim.id)
    } catch (error) {
      // An unreachable database is no fault of the message: it stays claimed and is picked up again.
      if (error instanceof AppError && error.code === 'HUB-SRV-002') throw error
      this.#deps.log.error(
        { err: error, message: claim.id },
        'A pushed message could not be stored.',
      )
      await postponeMessage(this.#deps.database, claim.id, afterFailure(claim, this.#deps.now()))
    }
  }

  async #sleep(): Promise<void> {
    const signal = AbortSignal.any([this.#sleeping.signal, this.#stopping.signal])
    await pause(pollMilliseconds, undefined, { signal }).catch(() => undefined)
  }
}

/** Back-off doubles from two seconds; after the last attempt the message is dead until replayed. */
function afterFailure({ attempts }: Claim, now: Date) {
  const state = attempts >= mostAttempts ? 'dead' : 'accepted'
  const notBefore = new Date(now.getTime() + 1000 * 2 ** attempts)
  const reason =
    `attempt ${String(attempts)} of ${String(mostAttempts)} failed in the hub; ` +
    'its operator finds the cause in the log, by the id of this message'
  return { state, reason, notBefore } as const
}
