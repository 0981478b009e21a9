import type { TrafficEvent } from './event.ts'
import { slugOf } from './filter.ts'

/** The feeds that were read, by the names of their providers. */
export type Feeds = ReadonlyMap<string, { readonly events: readonly TrafficEvent[] }>

/**
 * What was requested by its span, and what the feeds have now (undefined: not yet known), each event
 * once: the newer version, and of the same one what the feed says, which knows its type and severity.
 */
export function merge(
  listed: readonly TrafficEvent[],
  feeds: Feeds | undefined,
): readonly TrafficEvent[] {
  if (feeds === undefined) return listed
  const all = new Map(listed.map((event) => [event.id, withoutFeed(event, feeds)]))
  for (const event of [...feeds.values()].flatMap(({ events }) => events)) {
    const known = all.get(event.id)
    if (known === undefined || event.version >= known.version) all.set(event.id, event)
  }
  return [...all.values()]
}

/** Without a position it was never in a feed, and of a feed that nobody could read its absence says nothing. */
function withoutFeed(event: TrafficEvent, feeds: Feeds): TrafficEvent {
  const isExpected =
    event.end === undefined && event.geometry !== undefined && feeds.has(slugOf(event))
  return isExpected ? { ...event, hasLeft: true } : event
}
