import { readResponse } from '../../api/index.ts'
import type { TrafficEvent } from '../events/event.ts'
import { fromFeed } from '../events/from-feed.ts'
import type { Feed } from '../events/from-feed.ts'

/** A feed as it was when it was last read, and by which tag the hub knows that. */
export type ReadFeed = { readonly tag: string; readonly events: readonly TrafficEvent[] }

type Answer = { readonly json: () => Promise<Feed> }

export const feedAccept = 'application/geo+json'

export function feedPath(provider: string): string {
  return `/traffic/v1/situation-publication/${encodeURIComponent(provider)}`
}

/** Reads a feed; what is still true is not read again. */
export async function readFeed(
  provider: string,
  known: ReadFeed | undefined,
  signal: AbortSignal,
): Promise<ReadFeed> {
  const options = { signal, accept: feedAccept, cache: 'no-cache' } as const
  const response = await readResponse(feedPath(provider), {}, options)
  const tag = response.headers.get('etag') ?? ''
  if (known !== undefined && tag !== '' && tag === known.tag) {
    await response.body?.cancel()
    return known
  }
  const answer: Answer = response
  const { features } = await answer.json()
  return { tag, events: features.map(fromFeed) }
}
