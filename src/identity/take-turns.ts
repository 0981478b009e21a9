import { tokenError } from './token-error.ts'

/** Runs work when there is room for it. */
export type TakeTurns = <Result>(work: () => Promise<Result>) => Promise<Result>

type Limits = {
  /** How much runs at a time. */
  readonly parallel: number
  /** How much may wait; what comes then is refused. */
  readonly waiting: number
}

/**
 * Makes a gate for work that costs memory and a thread, such as hashing a password. First come, first
 * served. @throws token error 503 from the returned function when too much waits already
 */
export function takeTurns({ parallel, waiting }: Limits): TakeTurns {
  const queue: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= parallel) {
      if (queue.length >= waiting) {
        throw tokenError(503, 'temporarily_unavailable', 'Too many logins at once; try again soon')
      }
      await new Promise<void>((resolve) => {
        queue.push(resolve)
      })
    } else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
