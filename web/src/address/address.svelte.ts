import { untrack } from 'svelte'
import { isEmbedded } from './embedded.ts'
import { isOfPage, fragmentOf } from './match.ts'
import type { Codec } from './codecs.ts'

/** How a change enters the browser history: as a new entry, or in place of the current one. */
export type How = 'push' | 'replace'

let url = $state.raw(new URL(location.href))

/**
 * The URL of the page. Readers are notified of changes; `go` and `change` are the ways to make
 * them.
 */
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
 * Registers a check that can veto a move to another view, by a link or by the browser history.
 * @returns a function that removes the check
 */
export function guardLeaving(may: () => boolean): () => void {
  mayLeave = may
  return () => {
    mayLeave = () => true
  }
}

/**
 * Follows a link: views of the page open without a reload, any other URL is left to the browser.
 */
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

/** Carries a language that was chosen in the URL over to the target. */
function keepLanguage({ pathname, searchParams }: URL): void {
  const language = url.searchParams.get('lang')
  if (language === null || searchParams.has('lang') || !isOfPage(pathname)) return
  searchParams.set('lang', language)
}

/**
 * Opens other views and websites in a new tab if the page is embedded, and reports whether it did.
 */
function leavesFrame(target: URL): boolean {
  const isHere = target.origin === url.origin && target.pathname === url.pathname
  if (!isEmbedded || isHere || !target.protocol.startsWith('http')) return false
  window.open(target, '_blank', 'noopener')
  return true
}

/** Changes only the query parameters of the URL. */
export function change(edit: (search: URLSearchParams) => void, how: How = 'replace'): void {
  const target = new URL(url)
  edit(target.searchParams)
  if (target.href === url.href) return
  if (how === 'push') keepPlace()
  enter(target, how)
}

/**
 * Starts client-side navigation: links of the page open without a reload, and back and forward
 * work.
 */
export function startAddress(): () => void {
  history.scrollRestoration = 'manual'
  const stopKeeping = keepScroll()
  const onPop = (event: PopStateEvent) => {
    forgetPlace()
    const target = new URL(location.href)
    if (target.pathname !== url.pathname && !mayLeave()) {
      // The browser has already moved: staying requires another history entry.
      history.pushState(null, '', url)
      return
    }
    url = target
    scrollTo({ top: topOf(event.state), hash: url.hash })
  }
  // Scroll restoration is manual from here on, so a reload or a URL with a hash must be scrolled
  // here.
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

/**
 * Follows a plain click on a link of this page. With a modifier key, browsers open tabs and
 * windows.
 */
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
  // A hash within this view: the browser scrolls to it.
  if (target.hash !== '' && target.pathname === url.pathname && target.search === url.search) {
    keepPlace()
    return
  }
  event.preventDefault()
  go(target.href)
}

const longestWait = 5000

/** Scroll position of a history entry; `top` is undefined if the entry is new. */
type Place = { readonly top: number | undefined; readonly hash: string }

let timer: ReturnType<typeof setTimeout> | undefined
let restoring: AbortController | undefined

/** Stores the scroll position of each history entry, so that back and forward can restore it. */
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

/** Stores the scroll position immediately, before the current history entry is left. */
function keepPlace(): void {
  clearTimeout(timer)
  history.replaceState({ top: window.scrollY }, '', location.href)
}

/**
 * Cancels a pending `keepPlace`, whose scroll position would belong to an entry that has been left.
 */
function forgetPlace(): void {
  clearTimeout(timer)
}

/** Returns the scroll position that `keepPlace` stored in a history entry. */
function topOf(state: unknown): number | undefined {
  const isKept = typeof state === 'object' && state !== null && 'top' in state
  return isKept && typeof state.top === 'number' ? state.top : undefined
}

/**
 * Scrolls to a position of a view whose data may still be loading: retries until the page is long
 * enough, the user scrolls, clicks or presses a key, or `longestWait` is over. A stored position
 * takes precedence over the hash.
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
 * Moves the focus to the heading of a new view, for users of screen readers and keyboards. Views
 * are loaded on demand, so it waits for the heading. Focus that the user has moved meanwhile stays.
 * @returns a function that stops waiting
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

/** A user's choice that is stored in the URL. `bind:value={parameter.value}` works. */
export type Parameter<Value> = {
  /** Setting it replaces the current history entry; `set(value, 'push')` adds one. */
  value: Value
  readonly set: (value: Value, how?: How) => void
  /** Whether the value differs from the fallback. */
  readonly isSet: boolean
  /**
   * Writes a value into the parameters of another URL, for `href`s and for several changes at once.
   */
  readonly write: (search: URLSearchParams, value: Value) => void
}

/**
 * Binds a query parameter of the URL: `const search = parameter('q', text())`.
 * To change several at once, use
 * `change((search) => { a.write(search, 1); b.write(search, 2) }, 'push')`.
 */
export function parameter<Value>(name: string, codec: Codec<Value>): Parameter<Value> {
  // Decoding returns a new object each time, so the value depends on the raw text: dependents are
  // notified only if the text changes.
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
