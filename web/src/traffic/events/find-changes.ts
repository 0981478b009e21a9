import type { TrafficEvent } from './event.ts'
import { stateOf, slugOf } from './filter.ts'

/** What happened to an event since the last check. */
export type Mark = 'new' | 'changed' | 'ended'

/**
 * Compares two states of a feed (ms). An event that has disappeared has ended, unless it had
 * already ended before.
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

/** Feeds by provider. */
type Feeds = ReadonlyMap<string, { readonly events: readonly TrafficEvent[] }>

/**
 * Merges the requested list with the current feeds (undefined while unknown), without duplicates.
 * The newer version wins; of the same version, the one in the feed, which has type and severity.
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

/**
 * Marks an event without an end that is missing from its feed. Events without a position never
 * occur in a feed, and a feed that could not be read proves nothing.
 */
function withoutFeed(event: TrafficEvent, feeds: Feeds): TrafficEvent {
  const isExpected =
    event.end === undefined && event.geometry !== undefined && feeds.has(slugOf(event))
  return isExpected ? { ...event, hasLeft: true } : event
}
