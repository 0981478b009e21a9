import type { Component } from 'svelte'
import { viewPaths } from '../../../src/explorer/page-paths.ts'
import type { ViewFile } from '../../../src/explorer/page-paths.ts'
import { matchPath, address } from '../address/index.ts'
import type { PathParameters } from '../address/index.ts'
import {
  catalogueRequest,
  detailRequests,
  expectJson,
  prefetchJson,
  loadExplorer,
} from '../api/index.ts'
import type { GetRequest } from '../api/index.ts'
import { datasetAt } from '../dataset/dataset-details.ts'
import { firstRequests } from '../timeseries/first-requests.ts'
import { firstValues } from '../timeseries/first-values.ts'

type ViewModule = { readonly default: Component<Record<string, never>> }

/** A path pattern with its view, which is loaded on demand. */
type Route = {
  readonly pattern: string
  readonly load: (search: URLSearchParams, parts: PathParameters) => Promise<ViewModule>
  /** Starts loading the code of the view, in case the user follows a link to it. */
  readonly expectCode: () => void
  /** Starts loading the first data of the view, in case the user follows a link to it. */
  readonly expectData: (search: URLSearchParams, parts: PathParameters) => void
}

/**
 * All views of the page. A view that the hub's routes name but that is missing here does not
 * compile.
 */
const views: Readonly<Record<ViewFile, () => Promise<ViewModule>>> = {
  'catalogue/CatalogueView.svelte': () => import('../catalogue/CatalogueView.svelte'),
  'dataset/DatasetView.svelte': () => import('../dataset/DatasetView.svelte'),
  'desk/AlertsView.svelte': () => import('../desk/AlertsView.svelte'),
  'desk/DeskView.svelte': () => import('../desk/DeskView.svelte'),
  'desk/quality/QualityView.svelte': () => import('../desk/quality/QualityView.svelte'),
  'desk/quality/DatasetQualityView.svelte': () =>
    import('../desk/quality/DatasetQualityView.svelte'),
  'desk/playground/PlaygroundView.svelte': () => import('../desk/playground/PlaygroundView.svelte'),
  'desk/status/StatusView.svelte': () => import('../desk/status/StatusView.svelte'),
  'desk/streams/StreamView.svelte': () => import('../desk/streams/StreamView.svelte'),
  'desk/streams/StreamsView.svelte': () => import('../desk/streams/StreamsView.svelte'),
  'desk/access/AccessView.svelte': () => import('../desk/access/AccessView.svelte'),
  'docs/DocsView.svelte': () => import('../docs/DocsView.svelte'),
  'login/LoginView.svelte': () => import('../login/LoginView.svelte'),
  'record/RecordView.svelte': () => import('../record/RecordView.svelte'),
  'record/edit/EditView.svelte': () => import('../record/edit/EditView.svelte'),
  'timeseries/TimeseriesView.svelte': () => import('../timeseries/TimeseriesView.svelte'),
  'traffic/TrafficView.svelte': () => import('../traffic/TrafficView.svelte'),
}

type First = (search: URLSearchParams, parts: PathParameters) => readonly GetRequest[]

/**
 * First requests of views. They start before the code of the view has loaded, so this must not
 * import it.
 */
const first: Partial<Record<ViewFile, First>> = {
  'catalogue/CatalogueView.svelte': () => [catalogueRequest],
  'dataset/DatasetView.svelte': (_, parts) => detailRequests(datasetAt(parts)),
  'timeseries/TimeseriesView.svelte': firstRequests,
}

/** Requests that follow from the responses to the first ones. */
const next: Partial<Record<ViewFile, typeof firstValues>> = {
  'timeseries/TimeseriesView.svelte': firstValues,
}

/**
 * Maximum time to wait for the next requests to start, in milliseconds. Mounting a view blocks the
 * page for longer.
 */
const worthWaiting = 100

/** Loads a view. Its next requests are sent before it is mounted, if they are known soon enough. */
async function load(
  view: ViewFile,
  search: URLSearchParams,
  parts: PathParameters,
): Promise<ViewModule> {
  const isAsked = expectJson(first[view]?.(search, parts) ?? [], (signal) =>
    next[view]?.(search, signal),
  )
  const made = await views[view]()
  const isLate = new Promise((resolve) => {
    setTimeout(resolve, worthWaiting)
  })
  await Promise.race([isAsked, isLate])
  return made
}

const routes: readonly Route[] = Object.entries(viewPaths).map(([pattern, view]) => ({
  pattern,
  load: (search, parts) => load(view, search, parts),
  expectCode: () => {
    // Only while online, because browsers remember failed imports. Failures are ignored: following
    // the link reports them.
    if (navigator.onLine) views[view]().catch(() => undefined)
  },
  expectData: (search, parts) => {
    prefetchJson(first[view]?.(search, parts) ?? [])
  },
}))

/** Returns the route of a path with its parameters, or undefined if there is none. */
export function findRoute(path: string) {
  for (const route of routes) {
    const params = matchPath(route.pattern, path)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

/**
 * Starts loading the current view and its first data while the shell is still loading. Call it once
 * the session has started. Failures are ignored, because the view reports them.
 */
export function beginView(): void {
  const leave = () => undefined
  loadExplorer().catch(leave)
  const found = findRoute(address.path)
  found?.route.load(address.search, found.params).catch(leave)
}

/** How long a mouse must rest on a link before its view is prefetched, in milliseconds. */
const hesitation = 150

/**
 * Prefetches views that a user is about to open: the code when the mouse rests on a link, the data
 * when it is pressed. Scrolling past links requests nothing.
 */
export function prefetchViews(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('pointermove', (event) => {
    clearTimeout(timer)
    const found = findBehind(event)
    if (found !== undefined) timer = setTimeout(found.route.expectCode, hesitation)
  })
  document.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const found = findBehind(event)
    found?.route.expectData(found.search, found.params)
  })
}

/**
 * Returns the other view that a link under the mouse leads to. Touch and pen are ignored, because
 * they press where they scroll.
 */
function findBehind({ target, pointerType }: PointerEvent) {
  const link = target instanceof Element ? target.closest('a') : null
  if (pointerType !== 'mouse' || link?.origin !== location.origin || link.target !== '')
    return undefined
  const { pathname, searchParams: search } = new URL(link.href)
  const found = pathname === address.path ? undefined : findRoute(pathname)
  return found === undefined ? undefined : { ...found, search }
}

let count = 0

/** Counts the views that were shown since the page was loaded. */
export const steps = {
  isLater: (): boolean => {
    count += 1
    return count > 1
  },
}
