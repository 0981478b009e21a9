import { readResponse } from '../api/index.ts'

/** Waits until the records of a change feed change (docs/change-feed.md). */
type Watch = (signal: AbortSignal) => Promise<void>

/**
 * Creates a function that waits until the records of a named feed change.
 * @returns whether it has waited: false immediately if there is no name; rejects with
 * RequestFailure if the feed cannot be followed
 */
export function watchFeeds(): (name: string | undefined, signal: AbortSignal) => Promise<boolean> {
  const watches = new Map<string, Watch>()
  return async (name, signal) => {
    if (name === undefined) return false
    const watch = watches.get(name) ?? watchFeed(name)
    watches.set(name, watch)
    await watch(signal)
    return true
  }
}

/**
 * Follows a feed. The first call resolves immediately, because data that was loaded before may be
 * older than the offset from which the feed is followed.
 */
function watchFeed(name: string): Watch {
  const path = `/changes/${encodeURIComponent(name)}`
  let offset: string | undefined
  const read = async (
    query: { readonly offset: string; readonly live?: string },
    signal: AbortSignal,
  ) => {
    const response = await readResponse(path, query, { signal, cache: 'no-store' })
    offset = response.headers.get('stream-next-offset') ?? undefined
    return response
  }
  return async (signal) => {
    try {
      if (offset === undefined) {
        await read({ offset: 'now' }, signal)
        return
      }
      for (;;) {
        const response = await read({ offset, live: 'long-poll' }, signal)
        if (response.status === 200) return
      }
    } catch (thrown) {
      // An offset can become invalid, so the next call starts again.
      if (!signal.aborted) offset = undefined
      throw thrown
    }
  }
}
