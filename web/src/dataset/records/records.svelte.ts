import { untrack } from 'svelte'
import type { Failure } from '../../api/index.ts'
import type { Item } from '../columns/to-cell.ts'
import { keyOf, loadPage } from './load-page.ts'
import type { Page, PageSource } from './load-page.ts'
import { PageLoader } from './page-loader.ts'

/** The records of a query, as far as they are seen. */
export type Records = {
  /** Changes whenever other records, or others of their members, are asked for. */
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
}

/** Milliseconds: whoever scrolls on within them has not looked. */
const patience = 120

/** Loads the records of a query page by page, for as long as the component is there. */
export function loadRecords(source: () => PageSource): Records {
  let pages = $state.raw<ReadonlyMap<number, Page>>(new Map())
  let total = $state<number>()
  let failure = $state.raw<Failure>()
  let loader: PageLoader<Page> | undefined
  let seen: readonly [number, number] = [0, 0]
  const key = $derived(keyOf(source()))
  const pageSize = $derived(source().pageSize)

  $effect(() => {
    // Another object that asks for the same is no reason to ask again.
    void key
    const asked = untrack(source)
    pages = new Map()
    failure = undefined
    seen = [0, 0]
    loader = loaderOf(asked, {
      onpages: (next) => {
        pages = next
        total = [...next.values()].at(-1)?.total
      },
      onfailure: (next) => (failure = next),
    })
    loader.want(...seen)
    return () => {
      loader?.stop()
    }
  })

  const see = (first: number, last: number) => {
    const wanted = [Math.floor(first / pageSize), Math.floor(last / pageSize)] as const
    if (wanted.join() === seen.join()) return
    seen = wanted
    loader?.want(...wanted)
  }

  return {
    get key() {
      return key
    },
    get total() {
      return total
    },
    get failure() {
      return failure
    },
    at: (index) => pages.get(Math.floor(index / pageSize))?.items[index % pageSize],
    pageOf: (index) => pages.get(Math.floor(index / pageSize)),
    see,
    retry: () => {
      failure = undefined
      loader?.retry()
    },
  }
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
