import type { TrafficEvent } from './event.ts'
import { stateOf } from './state-of.ts'

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
