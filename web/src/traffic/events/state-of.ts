import type { TrafficEvent } from './event.ts'

/** In the order in which they are listed. */
export const eventStates = ['active', 'coming', 'past'] as const

export type EventState = (typeof eventStates)[number]

/** Whether an event is in progress at an instant (ms), is to come, or is over. What is cancelled is over. */
export function stateOf(
  { start, end, isCancelled, hasLeft = false }: TrafficEvent,
  now: number,
): EventState {
  if (isCancelled || (end !== undefined && end <= now)) return 'past'
  if (start > now) return 'coming'
  return hasLeft ? 'past' : 'active'
}

/** Whether any of it lies within a span of time (ms). Of what ended nobody knows when, the start does. */
export function matchesSpan(
  { start, end, hasLeft = false }: TrafficEvent,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  if (start >= to) return false
  if (end === undefined) return !hasLeft || start >= from
  return end > from || (end === start && start >= from)
}
