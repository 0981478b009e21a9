import { readResponse } from '../api/index.ts'

/** Waits until the records of a change feed change (docs/change-feed.md). */
type Watch = (signal: AbortSignal) => Promise<void>

/**
 * Waits until the records of the feed of a name change.
 * @returns whether it has waited: without a name it does not; rejects with RequestFailure where the feed cannot
 *   be followed
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
 * The first time it resolves at once: what was loaded before may be older than where the feed is followed from.
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
      // Offsets can become invalid; then it begins anew.
      if (!signal.aborted) offset = undefined
      throw thrown
    }
  }
}
