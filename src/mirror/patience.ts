/** What came of an attempt: a value, or a reason to try again. */
export type Attempt<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | {
      readonly kind: 'later'
      readonly reason: string
      /** Milliseconds that the other side wants to be left alone. */
      readonly after?: number
    }

type Deps = {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  readonly report: (text: string) => void
}

export type Patience = {
  /** Attempts it until it is done, with longer and longer pauses. @throws what the work or the signal does */
  readonly attempt: <Value>(work: () => Promise<Attempt<Value>>) => Promise<Value>
  /** Waits as before an attempt that follows so many failures. */
  readonly pause: (failures: number, after?: number) => Promise<void>
}

/** Milliseconds. */
const shortest = 500
const longest = 60_000
const longestRequested = 3_600_000

/** Failures in a row that are worth a line. */
const notable = 3

/** Between half and all of the time, so that many who wait do not return together. */
export function delayBefore(failures: number, random: number, after = 0): number {
  const doubled = Math.min(longest, shortest * 2 ** (failures - 1))
  return Math.min(after, longestRequested) + doubled * (0.5 + random / 2)
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
