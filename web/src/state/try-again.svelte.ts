import type { Failure } from '../api/index.ts'

const whileOffline = 5

/** Seconds after which it makes sense to ask again by oneself; undefined where it never does. */
function waitAfter(failure: Failure): number | undefined {
  if (failure.kind === 'offline') return whileOffline
  if (failure.kind === 'tooMany' || failure.kind === 'unavailable') return failure.retryAfter
  return undefined
}

/** Counts down to the next try of what failed, and tries; at once when the browser is online again. */
export function tryAgain(
  failure: () => Failure,
  retry: () => void,
): { readonly seconds: number | undefined } {
  let seconds = $state<number>()

  $effect(() => {
    const wait = waitAfter(failure())
    seconds = wait
    if (wait === undefined) return
    let left = wait
    const timer = setInterval(() => {
      left -= 1
      seconds = Math.max(0, left)
      if (left > 0) return
      clearInterval(timer)
      retry()
    }, 1000)
    window.addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retry)
    }
  })

  return {
    get seconds() {
      return seconds
    },
  }
}
