import { address } from '../address/index.ts'
import { loadExplorer } from '../api/index.ts'
import { findRoute } from './views.ts'

/**
 * Has the view of the address and its first data on their way while what is around it is still made. Call
 * it once somebody may ask. Whatever fails, the view meets it again and says so.
 */
export function beginView(): void {
  const leave = () => undefined
  loadExplorer().catch(leave)
  const found = findRoute(address.path)
  found?.route.load(address.search, found.params).catch(leave)
}

/** Whoever only moves across a link does not follow it; in milliseconds. */
const hesitation = 80

/** Has views on their way as soon as somebody is about to follow a link to them. */
export function prefetchViews(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('pointerover', ({ target }) => {
    clearTimeout(timer)
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null || link.origin !== location.origin || link.target !== '') return
    const { pathname, searchParams } = new URL(link.href)
    const found = pathname === address.path ? undefined : findRoute(pathname)
    if (found === undefined) return
    timer = setTimeout(() => {
      found.route.prefetch(searchParams, found.params)
    }, hesitation)
  })
}
