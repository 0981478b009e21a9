import { untrack } from 'svelte'
import { isEmbedded } from './embedded.ts'
import { isOfPage, fragmentOf } from './match.ts'
import type { Codec } from './codecs.ts'

/** How a change enters the history: as a further step, or in place of the present one. */
export type How = 'push' | 'replace'

let url = $state.raw(new URL(location.href))

/** Where the page is. Whoever reads it is told of changes; `go` and `change` are the ways to make them. */
export const address = {
  get url(): URL {
    return url
  },
  get path(): string {
    return url.pathname
  },
  get search(): URLSearchParams {
    return url.searchParams
  },
}

let mayLeave = (): boolean => true

/**
 * Has a view asked before another takes its place, by a link or a step of the history.
 * @returns what ends that
 */
export function guardLeaving(may: () => boolean): () => void {
  mayLeave = may
  return () => {
    mayLeave = () => true
  }
}

/** Follows a link: within the page without loading it anew, anywhere else as browsers do. */
export function go(href: string, how: How = 'push'): void {
  const target = new URL(href, url)
  if (target.origin === url.origin) keepLanguage(target)
  if (leavesFrame(target)) return
  if (target.origin !== url.origin || !isOfPage(target.pathname)) {
    location.assign(target)
    return
  }
  if (isEmbedded) target.searchParams.set('embed', 'true')
  const isOtherView = target.pathname !== url.pathname
  if (isOtherView && !mayLeave()) return
  if (how === 'replace' && isOtherView) forgetPlace()
  else keepPlace()
  enter(target, how)
  if (isOtherView) scrollTo({ top: undefined, hash: target.hash })
}

/** The language that is chosen in the address stays chosen. */
function keepLanguage({ pathname, searchParams }: URL): void {
  const language = url.searchParams.get('lang')
  if (language === null || searchParams.has('lang') || !isOfPage(pathname)) return
  searchParams.set('lang', language)
}

/** From a frame, other views and websites open in a page of their own. */
function leavesFrame(target: URL): boolean {
  const isHere = target.origin === url.origin && target.pathname === url.pathname
  if (!isEmbedded || isHere || !target.protocol.startsWith('http')) return false
  window.open(target, '_blank', 'noopener')
  return true
}

/** Changes the parameters of the address and nothing else of it. */
export function change(edit: (search: URLSearchParams) => void, how: How = 'replace'): void {
  const target = new URL(url)
  edit(target.searchParams)
  if (target.href === url.href) return
  if (how === 'push') keepPlace()
  enter(target, how)
}

/** Has links of the page followed without loading it anew, and back and forward work. */
export function startAddress(): () => void {
  history.scrollRestoration = 'manual'
  const stopKeeping = keepScroll()
  const onPop = (event: PopStateEvent) => {
    forgetPlace()
    const target = new URL(location.href)
    if (target.pathname !== url.pathname && !mayLeave()) {
      // The step is made already: what stays becomes one more.
      history.pushState(null, '', url)
      return
    }
    url = target
    scrollTo({ top: topOf(event.state), hash: url.hash })
  }
  // Browsers leave it to the page now, also when it is loaded again or opened at a place of it.
  const top = topOf(history.state)
  if (top !== undefined || url.hash !== '') scrollTo({ top, hash: url.hash })
  document.addEventListener('click', follow)
  window.addEventListener('popstate', onPop)
  return () => {
    stopKeeping()
    document.removeEventListener('click', follow)
    window.removeEventListener('popstate', onPop)
  }
}

function enter(target: URL, how: How): void {
  if (how === 'push') history.pushState(null, '', target)
  else history.replaceState(history.state, '', target)
  url = target
}

/** A plain click on a link of this page; with a key held, browsers open tabs and windows. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.href === '')
    return
  const target = new URL(link.href)
  if (isEmbedded && target.origin === url.origin) keepLanguage(target)
  if (leavesFrame(target)) {
    event.preventDefault()
    return
  }
  if (target.origin !== url.origin || !isOfPage(target.pathname)) return
  // A place within this view: the browser goes there.
  if (target.hash !== '' && target.pathname === url.pathname && target.search === url.search) {
    keepPlace()
    return
  }
  event.preventDefault()
  go(target.href)
}

const longestWait = 5000

/** Where a step of the history was left; undefined where nobody has been yet. */
type Place = { readonly top: number | undefined; readonly hash: string }

let timer: ReturnType<typeof setTimeout> | undefined
let restoring: AbortController | undefined

/** Remembers in the history how far down each step was. */
function keepScroll(): () => void {
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
function keepPlace(): void {
  clearTimeout(timer)
  history.replaceState({ top: window.scrollY }, '', location.href)
}

/** What was about to be remembered is of a step that has been left. */
function forgetPlace(): void {
  clearTimeout(timer)
}

/** Where a step of the history was left, by what `keepPlace` wrote into it. */
function topOf(state: unknown): number | undefined {
  const isKept = typeof state === 'object' && state !== null && 'top' in state
  return isKept && typeof state.top === 'number' ? state.top : undefined
}

/**
 * Goes to a place of a view whose data may still be loading: as soon as the page is long enough, unless
 * somebody scrolls himself, or goes on, meanwhile. Where one was before counts more than the hash.
 */
function scrollTo(place: Place): void {
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

/**
 * After a step to another view: whoever reads by ear or keyboard begins at its heading, as soon as it is
 * there, since views are loaded when they are needed. Who has moved on meanwhile stays where he is.
 * @returns what ends the wait
 */
export function focusHeading(): () => void {
  const main = document.querySelector('main')
  if (main === null) return () => undefined
  const from = document.activeElement
  const attempt = () => {
    const heading = main.querySelector('h1')
    if (heading === null) return
    observer.disconnect()
    const present = document.activeElement
    if (present !== null && present !== document.body && present !== from) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(attempt)
  observer.observe(main, { childList: true, subtree: true })
  attempt()
  return () => {
    observer.disconnect()
  }
}

/** One choice of a person, kept in the address. `bind:value={parameter.value}` works. */
export type Parameter<Value> = {
  /** Setting it replaces the present step of the history; `set(value, 'push')` adds one. */
  value: Value
  readonly set: (value: Value, how?: How) => void
  /** Whether it is anything but the fallback. */
  readonly isSet: boolean
  /** Puts the value into parameters that become an address: for `href`s and for several at once. */
  readonly write: (search: URLSearchParams, value: Value) => void
}

/**
 * Binds a parameter of the address: `const search = parameter('q', text())`.
 * Several change at once by `change((search) => { a.write(search, 1); b.write(search, 2) }, 'push')`.
 */
export function parameter<Value>(name: string, codec: Codec<Value>): Parameter<Value> {
  // Reading anew gives a new object each time: those who depend on it hear only of another text.
  const written = $derived(JSON.stringify(address.search.getAll(name)))
  const value = $derived(
    codec.read(written === '[]' ? [] : untrack(() => address.search.getAll(name))),
  )
  const write = (search: URLSearchParams, next: Value) => {
    search.delete(name)
    for (const word of codec.write(next)) search.append(name, word)
  }
  const set = (next: Value, how: How = 'replace') => {
    change((search) => {
      write(search, next)
    }, how)
  }
  return {
    get value() {
      return value
    },
    set value(next) {
      set(next)
    },
    get isSet() {
      return codec.write(value).length > 0
    },
    set,
    write,
  }
}
