import type { TrafficEvent } from './event.ts'

/** In the order in which they are listed. */
export const eventStates = ['active', 'coming', 'past'] as const

export type EventState = (typeof eventStates)[number]

/** Whether an event goes on at an instant (ms), is to come, or is over. What is cancelled is over. */
export function stateOf({ start, end, isCancelled }: TrafficEvent, now: number): EventState {
  if (isCancelled || (end !== undefined && end <= now)) return 'past'
  return start > now ? 'coming' : 'active'
}

/** Whether any of it lies within a span of time (ms). */
export function meets({ start, end }: TrafficEvent, from: number, to: number): boolean {
  return start < to && (end === undefined || end > from || (end === start && start >= from))
}
