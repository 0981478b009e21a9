import { LRUCache } from 'lru-cache'
import type { Page } from './read-page.ts'

/** A page of a reader that follows a feed. */
export type Step = {
  /** Identifies the reader's rights and parameters, and the place. */
  readonly key: string
  /** Loads the version of the data of the page; undefined if that data is not known beforehand. */
  readonly version: () => Promise<string | undefined>
  readonly read: (isAwaited: () => boolean) => Promise<Page>
  /** Returns the step that continues after a page. */
  readonly after: (page: Page) => Step
}

export type ReadAhead = (step: Step, isAwaited: () => boolean) => Promise<Page>

/** A page that has not been requested yet. */
type Ready = {
  readonly version: string
  readonly page: Promise<Page | undefined>
  isAwaited: () => boolean
}

/** Maximum number of pages kept, and for how many milliseconds. */
const maxReady = 8
const kept = 2000

/** Maximum number of places from which lagging readers are expected to continue. */
const maxExpected = 1000

/**
 * Reads the next page while the current one is being sent, for readers that continue for the second
 * time. That page is used only if nothing has changed since, so it equals the page that would be
 * read now with the same rights.
 */
export function createReadAhead(): ReadAhead {
  const expected = new LRUCache<string, true>({ max: maxExpected })
  const ready = new LRUCache<string, Ready>({ max: maxReady, ttl: kept, ttlAutopurge: true })
  return async (step, isAwaited) => {
    const version = expected.delete(step.key) ? await step.version() : undefined
    const found = ready.get(step.key)
    const isCurrent = found !== undefined && found.version === version
    if (isCurrent) found.isAwaited = isAwaited
    ready.delete(step.key)
    const page = (isCurrent ? await found.page : undefined) ?? (await step.read(isAwaited))
    if (page.isUpToDate) return page
    const next = step.after(page)
    expected.set(next.key, true)
    // Under frequent writes, such pages would be read in vain.
    const isWorthwhile = version !== undefined && (found === undefined || isCurrent)
    if (isWorthwhile) {
      const { promise, resolve } = Promise.withResolvers<Page | undefined>()
      const one: Ready = { version, page: promise, isAwaited: () => ready.get(next.key) === one }
      ready.set(next.key, one)
      next.read(() => one.isAwaited()).then(resolve, () => resolve(undefined))
    }
    return page
  }
}
