import { untrack } from 'svelte'
import type { Failure } from '../../api/index.ts'
import type { Item } from '../columns/to-cell.ts'
import { keyOf, loadPage } from './load-page.ts'
import type { Page, PageSource } from './load-page.ts'
import { PageLoader } from './page-loader.ts'

/** The records of a query, loaded as they become visible. */
export type Records = {
  /** Changes whenever different records are requested, or the same records in another order. */
  readonly key: string
  /** Number of matching records; undefined until the hub has stated it. */
  readonly total: number | undefined
  readonly failure: Failure | undefined
  /** Returns a record; undefined while it is not loaded. */
  readonly at: (index: number) => Item | undefined
  /** Returns the page that contains a record. */
  readonly pageOf: (index: number) => Page | undefined
  /** Sets which records are visible. */
  readonly see: (first: number, last: number) => void
  readonly retry: () => void
  /** Loads the visible records again, after they have been changed. */
  readonly reload: () => void
}

/** How long a page must stay visible before it is requested, in milliseconds. */
const patience = 120

/** Loads the records of a query page by page, for the lifetime of the component. */
export function loadRecords(source: () => PageSource): Records {
  const key = $derived(keyOf({ ...source(), fields: [] }))
  const pageSize = $derived(source().pageSize)
  const held = holdPages(source, () => key)
  const pageOf = (index: number) => held.now.pages.get(Math.floor(index / pageSize))
  return {
    get key() {
      return key
    },
    get total() {
      return held.now.total
    },
    get failure() {
      return held.now.failure
    },
    at: (index) => pageOf(index)?.items[index % pageSize],
    pageOf,
    see: (first, last) => {
      held.see(Math.floor(first / pageSize), Math.floor(last / pageSize))
    },
    retry: held.retry,
    reload: held.reload,
  }
}

type Held = {
  readonly pages: ReadonlyMap<number, Page>
  readonly total: number | undefined
  readonly failure: Failure | undefined
}

/**
 * Holds the visible pages of what `source` requests. When `key` changes, it starts again at the
 * first page.
 */
function holdPages(source: () => PageSource, key: () => string) {
  let now = $state.raw<Held>({ pages: new Map(), total: undefined, failure: undefined })
  let loader: PageLoader<Page> | undefined
  let seen: readonly [number, number] = [0, 0]
  let before = ''
  let attempt = $state(0)
  // Compared by key, so that a new object with the same request does not reload.
  const asking = $derived(keyOf(source()))

  $effect(() => {
    void [asking, attempt]
    const next = untrack(key)
    if (next !== before) seen = [0, 0]
    before = next
    now = { pages: new Map(), total: untrack(() => now.total), failure: undefined }
    loader = loaderOf(untrack(source), {
      onpages: (pages) => (now = { ...now, pages, total: [...pages.values()].at(-1)?.total }),
      onfailure: (failure) => (now = afterFailure(now, failure)),
    })
    loader.want(...seen)
    return () => {
      loader?.stop()
    }
  })

  return {
    get now() {
      return now
    },
    see: (first: number, last: number) => {
      if (first === seen[0] && last === seen[1]) return
      seen = [first, last]
      loader?.want(first, last)
    },
    retry: () => {
      now = { ...now, failure: undefined }
      loader?.retry()
    },
    reload: () => {
      attempt += 1
    },
  }
}

/**
 * After a failure without any page, the previous total is dropped, because it belongs to other
 * records.
 */
function afterFailure(held: Held, failure: Failure | undefined): Held {
  const isNothingThere = failure !== undefined && held.pages.size === 0
  return { ...held, failure, total: isNothingThere ? undefined : held.total }
}

type Heard = {
  readonly onpages: (pages: ReadonlyMap<number, Page>) => void
  readonly onfailure: (failure: Failure | undefined) => void
}

function loaderOf(source: PageSource, heard: Heard): PageLoader<Page> {
  return new PageLoader<Page>({
    ...heard,
    load: (wish, signal) => loadPage(source, wish, signal),
    cursorOf: ({ cursor }) => cursor,
    countOf: ({ total }) => Math.ceil(total / source.pageSize),
    patience,
  })
}
