const longestWait = 2000

type Place = { readonly top: number; readonly hash: string }

/** Remembers in the history how far down each step was. */
export function keepScroll(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      history.replaceState({ top: window.scrollY }, '', location.href)
    }, 150)
  }
  window.addEventListener('scroll', keep, { passive: true })
  return () => {
    clearTimeout(timer)
    window.removeEventListener('scroll', keep)
  }
}

/**
 * Goes to a place of a view whose data may still be loading: as soon as the page is long enough, unless
 * somebody scrolls himself meanwhile.
 */
export function scrollTo({ top, hash }: Place): void {
  const began = performance.now()
  const stop = new AbortController()
  const cancel = () => {
    stop.abort()
  }
  for (const kind of ['wheel', 'touchstart', 'keydown']) {
    window.addEventListener(kind, cancel, { once: true, passive: true, signal: stop.signal })
  }
  const attempt = () => {
    if (stop.signal.aborted) return
    if (isReached({ top, hash }) || performance.now() - began > longestWait) cancel()
    else requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
}

function isReached({ top, hash }: Place): boolean {
  const target = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
  if (target !== null) {
    target.scrollIntoView()
    return true
  }
  window.scrollTo({ top, behavior: 'instant' })
  return hash === '' && Math.abs(window.scrollY - top) < 2
}
