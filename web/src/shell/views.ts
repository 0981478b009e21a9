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

/** One pattern of addresses and the view behind it, loaded when somebody goes there. */
type Route = {
  readonly pattern: string
  readonly load: (search: URLSearchParams, parts: PathParameters) => Promise<ViewModule>
  /** Has the code of the view on its way, in case somebody follows a link to it. */
  readonly expectCode: () => void
  /** The same of its first data. */
  readonly expectData: (search: URLSearchParams, parts: PathParameters) => void
}

/** Each view that the hub answers with the page for; one that is missing does not compile. */
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

/** What views request first. It is on the way before they are there, so this must not load them. */
const first: Partial<Record<ViewFile, First>> = {
  'catalogue/CatalogueView.svelte': () => [catalogueRequest],
  'dataset/DatasetView.svelte': (_, parts) => detailRequests(datasetAt(parts)),
  'timeseries/TimeseriesView.svelte': firstRequests,
}

/** What views request next, made of the answers to that. */
const next: Partial<Record<ViewFile, typeof firstValues>> = {
  'timeseries/TimeseriesView.svelte': firstValues,
}

/** Making a view keeps the page busy for longer than this; in milliseconds. */
const worthWaiting = 100

/** Loads a view. What it needs next is asked for before it is made, if that is known soon. */
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
    // Browsers remember what did not arrive. Whatever fails, whoever follows the link meets it again.
    if (navigator.onLine) views[view]().catch(() => undefined)
  },
  expectData: (search, parts) => {
    prefetchJson(first[view]?.(search, parts) ?? [])
  },
}))

/** The view at a path, and what its pattern names in it; undefined where there is none. */
export function findRoute(path: string) {
  for (const route of routes) {
    const params = matchPath(route.pattern, path)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

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
const hesitation = 150

/**
 * Has views on their way as soon as somebody is about to follow a link to them: the code when a mouse comes to
 * rest on it, the data when it is pressed. Whoever scrolls past links moves no mouse, and requests nothing.
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

/** The other view that a link under the mouse leads to. Fingers and pens press where they scroll. */
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
