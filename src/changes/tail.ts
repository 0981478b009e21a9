import type { Every } from '../access/index.ts'
import type { Queryable } from '../storage/index.ts'
import { changedSince } from './order.ts'

type Waiting = {
  readonly datasets: readonly string[]
  readonly since: bigint
  readonly wake: () => void
}

type Deps = {
  readonly database: Queryable
  readonly every: Every
  readonly onError: (error: unknown) => void
}

/** How often it is looked for changes while somebody waits for them, in milliseconds. */
const interval = 100

/** Wakes the readers of feeds: one small statement for all of them, and none while nobody waits. */
export class Tail {
  readonly #deps: Deps
  readonly #waiting = new Set<Waiting>()
  readonly #end: () => void
  #isLooking = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#end = deps.every(interval, () => void this.#look())
  }

  /** Ends all waiting, and the looking. */
  stop(): void {
    this.#end()
    for (const { wake } of this.#waiting) wake()
  }

  /** Resolves once one of the datasets has changes of later transactions, or at the end of the patience or signal. */
  async wait(
    { datasets, since }: Omit<Waiting, 'wake'>,
    { patience, signal }: { readonly patience: number; readonly signal: AbortSignal },
  ): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => {
      resolve()
    }
    const one = { datasets, since, wake }
    this.#waiting.add(one)
    const timer = setTimeout(wake, patience)
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    clearTimeout(timer)
    this.#waiting.delete(one)
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0 || this.#isLooking) return
    this.#isLooking = true
    try {
      const since = new Map<string, bigint>()
      for (const one of this.#waiting) {
        for (const name of one.datasets) {
          const known = since.get(name)
          since.set(name, known === undefined || one.since < known ? one.since : known)
        }
      }
      const changed = new Set(await changedSince(this.#deps.database, since))
      for (const { datasets, wake } of this.#waiting) {
        if (datasets.some((name) => changed.has(name))) wake()
      }
    } catch (error) {
      this.#deps.onError(error)
    } finally {
      this.#isLooking = false
    }
  }
}
