import { fragmentOf } from './fragment.ts'

const longestWait = 5000

/** Where a step of the history was left; undefined where nobody has been yet. */
type Place = { readonly top: number | undefined; readonly hash: string }

let timer: ReturnType<typeof setTimeout> | undefined
let restoring: AbortController | undefined

/** Remembers in the history how far down each step was. */
export function keepScroll(): () => void {
  const keep = () => {
    clearTimeout(timer)
    timer = setTimeout(keepPlace, 150)
  }
  window.addEventListener('scroll', keep, { passive: true })
  window.addEventListener('pagehide', keepPlace)
  return () => {
    forgetPlace()
    window.removeEventListener('scroll', keep)
    window.removeEventListener('pagehide', keepPlace)
  }
}

/** Remembers it at once: before a step is left. */
export function keepPlace(): void {
  clearTimeout(timer)
  history.replaceState({ top: window.scrollY }, '', location.href)
}

/** What was about to be remembered is of a step that has been left. */
export function forgetPlace(): void {
  clearTimeout(timer)
}

/** Where a step of the history was left, by what `keepPlace` wrote into it. */
export function topOf(state: unknown): number | undefined {
  const isKept = typeof state === 'object' && state !== null && 'top' in state
  return isKept && typeof state.top === 'number' ? state.top : undefined
}

/**
 * Goes to a place of a view whose data may still be loading: as soon as the page is long enough, unless
 * somebody scrolls himself, or goes on, meanwhile. Where one was before counts more than the hash.
 */
export function scrollTo(place: Place): void {
  restoring?.abort()
  const stop = new AbortController()
  restoring = stop
  const began = performance.now()
  const cancel = () => {
    stop.abort()
  }
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(kind, cancel, { once: true, passive: true, signal: stop.signal })
  }
  const attempt = () => {
    if (stop.signal.aborted) return
    if (isReached(place) || performance.now() - began > longestWait) cancel()
    else requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
}

function isReached({ top, hash }: Place): boolean {
  if (top === undefined && hash !== '') {
    const target = document.getElementById(fragmentOf(hash))
    target?.scrollIntoView()
    return target !== null
  }
  window.scrollTo({ top: top ?? 0, behavior: 'instant' })
  return Math.abs(window.scrollY - (top ?? 0)) < 2
}
