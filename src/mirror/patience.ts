/** The result of an attempt: a value, or a reason to try again. */
export type Attempt<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | {
      readonly kind: 'later'
      readonly reason: string
      /** Milliseconds that the other side requests to wait. */
      readonly after?: number
    }

type Deps = {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  readonly report: (text: string) => void
}

export type Patience = {
  /**
   * Repeats the work until it is done, with increasing pauses.
   * @throws whatever the work or the signal throws
   */
  readonly attempt: <Value>(work: () => Promise<Attempt<Value>>) => Promise<Value>
  /** Waits as long as before an attempt that follows this number of failures. */
  readonly pause: (failures: number, after?: number) => Promise<void>
}

/**
 * Milliseconds of the first pause, of the longest pause, and of the longest pause that the other
 * side may request.
 */
const shortest = 500
const longest = 60_000
const maxRequestedWait = 3_600_000

/** Number of failures in a row after which the failure is reported. */
const notable = 3

/**
 * Returns the milliseconds to wait after failures: between half and all of the doubled pause, so
 * that many waiting clients do not return together.
 */
export function delayBefore(failures: number, random: number, after = 0): number {
  const doubled = Math.min(longest, shortest * 2 ** (failures - 1))
  return Math.min(after, maxRequestedWait) + doubled * (0.5 + random / 2)
}

export function createPatience({ sleep, random, signal, report }: Deps): Patience {
  let isDown = false
  const pause = (failures: number, after?: number) =>
    sleep(delayBefore(failures, random(), after), signal)
  return {
    pause,
    attempt: async (work) => {
      for (let failures = 1; ; failures++) {
        signal.throwIfAborted()
        const attempt = await work()
        if (attempt.kind === 'done') {
          if (isDown) report('It works again.')
          isDown = false
          return attempt.value
        }
        if (failures === notable && !isDown) {
          isDown = true
          report(`${attempt.reason} The mirror tries again until it works.`)
        }
        await pause(failures, attempt.after)
      }
    },
  }
}
