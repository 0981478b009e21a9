import { severities } from './event.ts'
import type { Severity, TrafficEvent } from './event.ts'

/** The user's filter; an empty value matches everything. */
export type Choice = {
  readonly kinds: readonly string[]
  readonly severity: Severity | ''
  readonly road: string
  readonly provider: string
  readonly state: EventState | ''
  readonly text: string
}

/** Filters and sorts events at a time (ms). Active ones come first, the most severe on top. */
export function choose(
  events: readonly TrafficEvent[],
  choice: Choice,
  now: number,
): readonly TrafficEvent[] {
  return events
    .filter((event) => fits(event, choice) && isInState(event, choice, now))
    .toSorted((a, b) => compare(a, b, now))
}

/** Counts the matching events in each state, ignoring the filter by state. */
export function countStates(
  events: readonly TrafficEvent[],
  choice: Choice,
  now: number,
): Readonly<Record<EventState, number>> {
  const fitting = events.filter((event) => fits(event, choice))
  const count = (state: EventState) =>
    fitting.filter((event) => stateOf(event, now) === state).length
  return { active: count('active'), coming: count('coming'), past: count('past') }
}

function isInState(event: TrafficEvent, { state }: Choice, now: number): boolean {
  return state === '' || stateOf(event, now) === state
}

function fits(event: TrafficEvent, { kinds, severity, road, provider, text }: Choice): boolean {
  return (
    (kinds.length === 0 || kinds.some((kind) => event.kinds.includes(kind))) &&
    (severity === '' || event.severity === severity) &&
    (road === '' || event.road === road) &&
    (provider === '' || slugOf(event) === provider) &&
    words(text).every((word) => readable(event).includes(word))
  )
}

/** Returns the provider of an event as URLs spell it (see the guide on the traffic feed). */
export function slugOf({ origin }: TrafficEvent): string {
  return origin.toLowerCase().replaceAll('_', '-')
}

function readable({ title, text, place, road }: TrafficEvent): string {
  return plain([...Object.values(title), ...Object.values(text), place, road].join(' '))
}

function words(text: string): readonly string[] {
  return plain(text).split(/\s+/).filter(Boolean)
}

/** Removes letter case and accents for comparison. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function compare(a: TrafficEvent, b: TrafficEvent, now: number): number {
  const [stateA, stateB] = [stateOf(a, now), stateOf(b, now)]
  if (stateA !== stateB) return eventStates.indexOf(stateA) - eventStates.indexOf(stateB)
  if (stateA === 'coming') return a.start - b.start
  if (stateA === 'past') return (b.end ?? b.start) - (a.end ?? a.start)
  const severity = severities.indexOf(a.severity) - severities.indexOf(b.severity)
  return severity === 0 ? b.start - a.start : severity
}

/** States in the order in which events are listed. */
export const eventStates = ['active', 'coming', 'past'] as const

export type EventState = (typeof eventStates)[number]

/** Returns the state of an event at a time (ms). Cancelled events are past. */
export function stateOf(
  { start, end, isCancelled, hasLeft = false }: TrafficEvent,
  now: number,
): EventState {
  if (isCancelled || (end !== undefined && end <= now)) return 'past'
  if (start > now) return 'coming'
  return hasLeft ? 'past' : 'active'
}

/**
 * Reports whether an event overlaps a span of time (ms). If its end is unknown, only its start
 * counts.
 */
export function matchesSpan(
  { start, end, hasLeft = false }: TrafficEvent,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  if (start >= to) return false
  if (end === undefined) return !hasLeft || start >= from
  return end > from || (end === start && start >= from)
}
