import type { Every } from '../access/index.ts'
import type { TrafficFeed } from './feed.ts'

type Deps = {
  readonly every: Every
  readonly now: () => Date
  /** Told when the documents could not be built; the next turn tries again. */
  readonly onError: (error: unknown) => void
}

/** How soon an event that any node has written is noticed, in ms. */
const pollInterval = 2000
/** Timers hold 24 days; an hour is far enough ahead. */
const longestWait = 3_600_000

/**
 * Builds the documents before somebody has to wait for them: at once, when an event was written, and on
 * time when one begins, ends or leaves. The returned function ends that.
 */
export function keepCurrent(feed: TrafficFeed, { every, now, onError }: Deps): () => void {
  let isStopped = false
  let cancelTimer = nothing
  const refresh = async () => {
    await feed.refresh(now())
    cancelTimer()
    const present = now()
    const boundary = feed.nextBoundary(present)
    if (boundary === undefined || isStopped) return
    const wait = Math.min(boundary.getTime() - present.getTime(), longestWait)
    cancelTimer = once(every, wait, run)
  }
  const run = () => {
    refresh().catch((error: unknown) => {
      if (!isStopped) onError(error)
    })
  }
  const stopPolling = every(pollInterval, run)
  run()
  return () => {
    isStopped = true
    stopPolling()
    cancelTimer()
  }
}

function once(every: Every, milliseconds: number, work: () => void): () => void {
  const cancel = every(milliseconds, () => {
    cancel()
    work()
  })
  return cancel
}

function nothing(): void {
  // There is no timer yet.
}
