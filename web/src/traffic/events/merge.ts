import type { TrafficEvent } from './event.ts'

/** How long an event without an end is believed once no feed has it any more (guide, traffic feed). */
const credibility = 86_400_000

/**
 * What was requested by its span, and what the feeds have now (undefined: not yet known), each event
 * once: the newer version, and of the same one what the feed says, which knows its type and severity.
 */
export function merge(
  listed: readonly TrafficEvent[],
  current: readonly TrafficEvent[] | undefined,
): readonly TrafficEvent[] {
  if (current === undefined) return listed
  const all = new Map(listed.map((event) => [event.id, withoutFeed(event)]))
  for (const event of current) {
    const known = all.get(event.id)
    if (known === undefined || event.version >= known.version) all.set(event.id, event)
  }
  return [...all.values()]
}

/** Without a position it was never in a feed, so its absence says nothing. */
function withoutFeed(event: TrafficEvent): TrafficEvent {
  if (event.end !== undefined || event.geometry === undefined) return event
  return { ...event, end: event.start + credibility }
}
