import { untrack } from 'svelte'
import type { Failure } from '../../api/index.ts'
import type { Item } from '../columns/to-cell.ts'
import { keyOf, loadPage } from './load-page.ts'
import type { Page, PageSource } from './load-page.ts'
import { PageLoader } from './page-loader.ts'

/** The records of a query, as far as they are seen. */
export type Records = {
  /** Changes whenever other records are requested, or the same in another order. */
  readonly key: string
  /** Undefined until the hub has said it. */
  readonly total: number | undefined
  readonly failure: Failure | undefined
  /** Undefined while it is not there (yet). */
  readonly at: (index: number) => Item | undefined
  /** The page in which a record is. */
  readonly pageOf: (index: number) => Page | undefined
  /** Says which records are seen. */
  readonly see: (first: number, last: number) => void
  readonly retry: () => void
  /** Asks for what is seen again, after it has been changed. */
  readonly reload: () => void
}

/** Milliseconds: whoever scrolls on within them has not looked. */
const patience = 120

/** Loads the records of a query page by page, for as long as the component is there. */
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

/** The pages that are seen, of what `source` requests; another `key` is read from its beginning. */
function holdPages(source: () => PageSource, key: () => string) {
  let now = $state.raw<Held>({ pages: new Map(), total: undefined, failure: undefined })
  let loader: PageLoader<Page> | undefined
  let seen: readonly [number, number] = [0, 0]
  let before = ''
  let attempt = $state(0)
  // Another object that requests the same is no reason to ask again.
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

/** How many records there were before says nothing of those that cannot be had. */
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
