import type { Every } from '../async/index.ts'
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

/** Milliseconds between two checks for changes while readers wait. */
const interval = 100

export type Tail = {
  /**
   * Resolves when one of the datasets has changes of later transactions, when the patience
   * (milliseconds) is over, or when the signal aborts.
   */
  readonly wait: (
    what: Omit<Waiting, 'wake'>,
    until: { readonly patience: number; readonly signal: AbortSignal },
  ) => Promise<void>
  /** Wakes all readers, and stops checking. */
  readonly stop: () => void
}

/** Wakes waiting readers of feeds. One small statement serves all; none runs while nobody waits. */
export function createTail({ database, every, onError }: Deps): Tail {
  const waiting = new Set<Waiting>()
  const end = every(interval, async () => {
    if (waiting.size === 0) return
    try {
      const changed = new Set(await changedSince(database, earliestOf(waiting)))
      for (const { datasets, wake } of waiting) {
        if (datasets.some((name) => changed.has(name))) wake()
      }
    } catch (error) {
      onError(error)
    }
  })
  return {
    wait: (what, { patience, signal }) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve()
          return
        }
        const wake = () => {
          waiting.delete(one)
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const one = { ...what, wake }
        const timer = setTimeout(wake, patience)
        signal.addEventListener('abort', wake)
        waiting.add(one)
      }),
    stop: () => {
      end()
      for (const { wake } of waiting) wake()
    },
  }
}

/** Returns, for each dataset, the transaction after which it must be checked. */
function earliestOf(waiting: Iterable<Waiting>): ReadonlyMap<string, bigint> {
  const earliest = new Map<string, bigint>()
  for (const { datasets, since } of waiting) {
    for (const name of datasets) {
      const known = earliest.get(name)
      earliest.set(name, known === undefined || since < known ? since : known)
    }
  }
  return earliest
}
