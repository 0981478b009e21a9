import { isOfPage } from './page-paths.ts'
import { forgetPlace, keepPlace, keepScroll, scrollTo, topOf } from './scroll.ts'

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

/** Follows a link: within the page without loading it anew, anywhere else as browsers do. */
export function go(href: string, how: How = 'push'): void {
  const target = new URL(href, url)
  if (target.origin !== url.origin || !isOfPage(target.pathname)) {
    location.assign(target)
    return
  }
  // The language that is chosen in the address stays chosen.
  const language = url.searchParams.get('lang')
  if (language !== null && !target.searchParams.has('lang'))
    target.searchParams.set('lang', language)
  const isOtherView = target.pathname !== url.pathname
  if (how === 'replace' && isOtherView) forgetPlace()
  else keepPlace()
  enter(target, how)
  if (isOtherView) scrollTo({ top: undefined, hash: target.hash })
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
    url = new URL(location.href)
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
  if (target.origin !== url.origin || !isOfPage(target.pathname)) return
  // A place within this view: the browser goes there.
  if (target.hash !== '' && target.pathname === url.pathname && target.search === url.search) {
    keepPlace()
    return
  }
  event.preventDefault()
  go(target.href)
}
