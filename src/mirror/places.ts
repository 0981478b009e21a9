type Deps = {
  readonly places: number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Feeds that may wait at the hub for changes. The others are polled one after the other; the first one that is polled
 * when a place is free takes it.
 */
export type Places = {
  /** @returns whether there was a place */
  readonly enter: () => boolean
  readonly leave: () => void
  /** Whether feeds are polled because they have no place. */
  readonly isScarce: () => boolean
  /** Waits until it is the turn of a feed to be polled. */
  readonly turn: () => Promise<void>
}

/** Milliseconds between two that are polled: a hub has a limit of requests. */
const interval = 250

/** Milliseconds that a feed rests at least before it is polled again. */
const rest = 2000

export function createPlaces({ places, sleep, signal }: Deps): Places {
  let [used, polled] = [0, 0]
  let last: Promise<void> = Promise.resolve()
  return {
    enter: () => {
      if (used === places) return false
      used += 1
      return true
    },
    leave: () => {
      used -= 1
    },
    isScarce: () => polled > 0,
    turn: async () => {
      polled += 1
      try {
        await sleep(rest, signal)
        const before = last
        last = before.then(() => sleep(interval, signal))
        // Whoever waits behind a turn that was aborted is aborted, too.
        last.catch(() => undefined)
        await before
      } finally {
        polled -= 1
      }
    },
  }
}
