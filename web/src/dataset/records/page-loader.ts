import { isAbort, toFailure } from '../../api/failure.ts'
import type { Failure } from '../../api/failure.ts'

export type Wish = { readonly page: number; readonly cursor: string | undefined }

type Options<Page> = {
  readonly load: (wish: Wish, signal: AbortSignal) => Promise<Page>
  /** Returns the cursor of the following page. */
  readonly cursorOf: (page: Page) => string | undefined
  /** Returns the number of pages, which every page states. */
  readonly countOf: (page: Page) => number
  readonly onpages: (pages: ReadonlyMap<number, Page>) => void
  readonly onfailure: (failure: Failure | undefined) => void
  /**
   * How long a page must be visible before it is requested, in milliseconds. The first page is
   * requested immediately.
   */
  readonly patience: number
}

/** Maximum number of cached pages. Those farthest from the visible ones are dropped first. */
const mostKept = 12

/**
 * Maximum number of parallel requests. More would only queue up in the hub and use up the quota.
 */
const mostAtOnce = 2

/**
 * Loads the pages around the visible rows and keeps no others, so that a table of any length needs
 * the memory of a few pages. Fast scrolling requests nothing, and requests for pages that are out
 * of view are aborted.
 */
export class PageLoader<Page> {
  readonly #options: Options<Page>
  readonly #pages = new Map<number, Page>()
  readonly #cursors = new Map<number, string>()
  readonly #running = new Map<number, AbortController>()
  #count = Number.POSITIVE_INFINITY
  #wanted: readonly number[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #hasFailed = false

  constructor(options: Options<Page>) {
    this.#options = options
  }

  /** Sets the visible pages. Requests for pages that are no longer needed are aborted. */
  want(first: number, last: number): void {
    const seen = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    this.#wanted = this.#count === Number.POSITIVE_INFINITY ? seen : [...seen, last + 1, first - 1]
    for (const [page, stop] of this.#running) {
      if (this.#wanted.includes(page)) continue
      stop.abort()
      this.#running.delete(page)
    }
    clearTimeout(this.#timer)
    const patience = this.#pages.size === 0 ? 0 : this.#options.patience
    this.#timer = setTimeout(() => {
      this.#loadMissing()
    }, patience)
  }

  /** Tries again after a failure. */
  retry(): void {
    this.#hasFailed = false
    this.#loadMissing()
  }

  stop(): void {
    clearTimeout(this.#timer)
    for (const stop of this.#running.values()) stop.abort()
    this.#running.clear()
    this.#wanted = []
  }

  readonly #wantNext = (): void => {
    this.want(Math.min(...this.#wanted), Math.max(...this.#wanted))
  }

  #loadMissing(): void {
    if (this.#hasFailed) return
    for (const page of this.#wanted) {
      if (this.#running.size >= mostAtOnce) return
      const isThere = page >= 0 && page < this.#count
      if (isThere && !this.#pages.has(page) && !this.#running.has(page)) void this.#load(page)
    }
  }

  async #load(page: number): Promise<void> {
    const stop = new AbortController()
    this.#running.set(page, stop)
    try {
      const cursor = this.#cursors.get(page)
      const found = await this.#options.load({ page, cursor }, stop.signal)
      if (stop.signal.aborted) return
      const isFirst = this.#count === Number.POSITIVE_INFINITY
      this.#keep(page, found)
      // The total is known now, and with it whether there is a next page.
      if (!isFirst) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#wantNext, this.#options.patience)
    } catch (thrown) {
      if (stop.signal.aborted || isAbort(thrown)) return
      this.#hasFailed = true
      this.#options.onfailure(toFailure(thrown))
    } finally {
      if (this.#running.get(page) === stop) this.#running.delete(page)
      if (!stop.signal.aborted) this.#loadMissing()
    }
  }

  #keep(page: number, found: Page): void {
    this.#pages.set(page, found)
    this.#count = this.#options.countOf(found)
    const cursor = this.#options.cursorOf(found)
    if (cursor !== undefined) this.#cursors.set(page + 1, cursor)
    this.#forgetFarthest()
    this.#options.onfailure(undefined)
    this.#options.onpages(new Map(this.#pages))
  }

  #forgetFarthest(): void {
    const [middle = 0] = this.#wanted
    const byDistance = [...this.#pages.keys()].toSorted(
      (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
    )
    for (const page of byDistance.slice(mostKept)) this.#pages.delete(page)
  }
}
