import type { Database, Log } from '../../storage/index.ts'
import type { Mappings, Pipeline } from '../pipeline.ts'
import { claimFresh, claimRetry } from './claim-messages.ts'
import type { Claim, Share } from './claim-messages.ts'
import { processMessages } from './process-messages.ts'
import type { Settled } from './process-messages.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
  readonly now: () => Date
  readonly patience?: number
  readonly log: Pick<Log, 'info' | 'error'>
  /** How many messages or groups of small ones are processed at a time; default: one. */
  readonly atOnce?: number
  /** Called with the outcome of each message. */
  readonly onSettled?: (settled: Settled) => void
}

const pollMilliseconds = 1000

/** Works off the message table, oldest first. Several workers, here or on other nodes, may run at once. */
export class PushWorker {
  readonly #deps: Deps
  #isStopping = false
  readonly #sleeping = new Set<Sleeper>()
  #running: Promise<unknown> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    // A large body is in memory several times while it is taken apart, so one loop takes them all.
    const loops = Array.from(
      { length: this.#deps.atOnce ?? 1 },
      (_, index) => this.#running ?? this.#run({ takesLarge: index === 0 }),
    )
    this.#running ??= Promise.all(loops)
  }

  /** Reports that a message has arrived; otherwise the worker finds it within a second. */
  wake(): void {
    for (const sleeper of this.#sleeping) sleeper.wake()
  }

  /** Finishes the messages in progress, puts back those whose mapping has not begun with them, and stops. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    await this.#running
    this.#running = undefined
    this.#isStopping = false
  }

  async #run(share: Share): Promise<void> {
    while (!this.#isStopping) {
      // Woken while it works, it does not sleep afterwards.
      const sleeper = toSleeper()
      this.#sleeping.add(sleeper)
      if (!(await this.#workOnce(share))) await sleeper.sleep()
      this.#sleeping.delete(sleeper)
    }
  }

  /** @returns whether there may be more to do */
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

/** Messages wake the worker all the time, so this makes no error for it, as an AbortSignal would. */
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
