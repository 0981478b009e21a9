import type { TrafficEvent } from './event.ts'
import { stateOf, slugOf } from './filter.ts'

/** What became of an event since it was last looked at. */
export type Mark = 'new' | 'changed' | 'ended'

/**
 * Compares what a feed said before with what it says now (ms). An event that is gone from the feed has
 * ended; one that had ended before is not told again.
 */
export function findChanges(
  before: readonly TrafficEvent[],
  after: readonly TrafficEvent[],
  now: number,
): ReadonlyMap<string, Mark> {
  const known = new Map(before.map((event) => [event.id, event]))
  const present = new Set(after.map(({ id }) => id))
  const isOver = (event: TrafficEvent) => stateOf(event, now) === 'past'
  const marks = after.flatMap((event): readonly (readonly [string, Mark])[] => {
    const old = known.get(event.id)
    if (old === undefined) return [[event.id, isOver(event) ? 'ended' : 'new']]
    if (isOver(event) && event.version !== old.version) return [[event.id, 'ended']]
    return event.version !== old.version || event.recorded !== old.recorded
      ? [[event.id, 'changed']]
      : []
  })
  const gone = before.filter((event) => !present.has(event.id) && !isOver(event))
  return new Map([...marks, ...gone.map(({ id }): readonly [string, Mark] => [id, 'ended'])])
}

/** The feeds that were read, by the names of their providers. */
type Feeds = ReadonlyMap<string, { readonly events: readonly TrafficEvent[] }>

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
