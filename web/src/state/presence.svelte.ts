import { createSubscriber } from 'svelte/reactivity'

const subscribe = createSubscriber((update) => {
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('visibilitychange', update, { signal })
  for (const kind of ['online', 'offline']) window.addEventListener(kind, update, { signal })
  return () => {
    stop.abort()
  }
})

/** Whether anybody sees the page, and whether the browser is online; whoever reads it hears of changes. */
export const presence = {
  get isHidden(): boolean {
    subscribe()
    return document.hidden
  },
  get isOffline(): boolean {
    subscribe()
    return !navigator.onLine
  },
}
